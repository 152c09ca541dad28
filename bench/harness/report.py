"""Writes results.json (all data), table.md (the report) and plot.svg from the runs."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.kinds import Contender, Goal, Race, Records, Suite
from harness.stats import median, ratios, sign_test

CROWD = 0.25
"""Tolerance of processors in use beyond the available ones before a round counts as crowded."""


def write(
    folder: Path,
    suite: Suite,
    races: Sequence[Race],
    contenders: Sequence[Contender],
    runs: Records,
    machine: dict[str, Any],
    command: list[str],
) -> list[str]:
    """Writes all three files; returns the disagreements of the contenders."""
    versions: dict[str, str] = {}
    for contender in contenders:
        versions |= contender.version()
    results = {
        "suite": suite.name,
        "command": command,
        "machine": machine,
        "versions": versions,
        "problems": {
            race.name: {
                "about": race.about,
                "bytes": race.file.bytes,
                "sha256": race.file.sha256,
                "facts": race.facts,
                "out": race.out,
            }
            for race in races
        },
        "contenders": {
            c.name: {"about": c.about, "threads": c.threads, "ours": c.ours} for c in contenders
        },
        "runs": runs.all,
    }
    folder.mkdir(parents=True, exist_ok=True)
    # # The measurements first, so that a later failure cannot lose them.
    (folder / "results.json").write_text(lines(results) + "\n")
    return finish(folder, suite, results)


def rewrite(folder: Path) -> None:
    """Writes table and plot again, from results.json."""
    from suites import ALL

    results = json.loads((folder / "results.json").read_text())
    finish(folder, ALL[results["suite"]], results)


def finish(folder: Path, suite: Suite, results: dict[str, Any]) -> list[str]:
    """Adds the evaluation of the runs, writes all files, prints table and goals."""
    from harness import plot

    runs = Records(results["runs"])
    results["summaries"] = {
        problem: summaries(suite, results, runs, problem) for problem in runs.problems()
    }
    cores = results["machine"]["cores"]
    goals = [evaluate_goal(goal, cores) for goal in suite.goals(runs, results["problems"])]
    faults = [
        f"{problem}: {fault}"
        for problem in runs.problems()
        for fault in suite.faults(
            [r for rs in runs.all[problem].values() for r in rs], results["problems"][problem]
        )
    ]
    failures = [
        f"{problem}: {name}: {record['error']}"
        for problem in runs.problems()
        for name, records in runs.all[problem].items()
        for record in records
        if "error" in record
    ]
    results |= {"goals": goals, "faults": faults, "failures": failures}
    text = table(suite, results)
    # # One run per line, so that two results can be compared by a diff.
    (folder / "results.json").write_text(lines(results) + "\n")
    (folder / "table.md").write_text(text)
    plot.write(folder / "plot.svg", suite, results)
    print(text)
    for fault in faults:
        print(f"different: {fault}", file=sys.stderr)
    return faults


def summaries(
    suite: Suite, results: dict[str, Any], runs: Records, problem: str
) -> dict[str, dict[str, Any]]:
    """Medians and extremes of every contender, and its ratio to linsep with as many threads."""
    found = {}
    contenders = results["contenders"]
    for name, about in contenders.items():
        records = [r for r in runs.of(problem, name) if "error" not in r]
        if not records:
            continue
        seconds = [r["seconds"] for r in records]
        summary: dict[str, Any] = {"ours": about["ours"], "threads": about["threads"]}
        summary |= {"rounds": len(records), "seconds": median(seconds)}
        summary |= {"best": min(seconds), "worst": max(seconds)}
        for key in dict.fromkeys(key for record in records for key in record):
            values = [r[key] for r in records if isinstance(r.get(key), int | float)]
            if values and key not in summary and key != "round":
                summary[key] = median(values)
        summary["figure"] = median([suite.figure(r) for r in records])
        facts = results["problems"][problem].get("facts", {})
        summary |= {key: facts[key] for key in facts if key not in summary}
        us = [n for n, c in contenders.items() if c["ours"] and c["threads"] == about["threads"]]
        ours = {
            r["round"]: r["seconds"] for n in us for r in runs.of(problem, n) if "error" not in r
        }
        both = [r for r in records if r["round"] in ours]
        if both:
            pairs = ratios([r["seconds"] for r in both], [ours[r["round"]] for r in both])
            summary |= {"ratio": median(pairs), "ratio_least": min(pairs), "ratio_most": max(pairs)}
        found[name] = summary
    return found


def evaluate_goal(goal: Goal, cores: int) -> dict[str, Any]:
    """Evaluates a goal by the median of the rounds and a sign test over them."""
    values = list(goal.per_round)
    middle = median(values)
    ok = goal.holds(middle)
    agreeing = sum(goal.holds(value) == ok for value in values)
    return {
        "goal": goal.text,
        "measured": middle,
        "least": min(values),
        "most": max(values),
        "verdict": "ok" if ok else "short",
        "rounds": f"{agreeing} of {len(values)}",
        "p": sign_test(agreeing, len(values)),
        "crowded": sum(wanted > cores + CROWD for wanted in goal.wanted),
        "also": goal.also,
    }


def table(suite: Suite, results: dict[str, Any]) -> str:
    """Formats the results as Markdown."""
    machine, versions = results["machine"], results["versions"]
    out = [f"# {suite.title}", ""]
    out.append(
        f"{machine['cpu']}, {machine['cores']} cores, {machine['memory_gib']} GiB, Linux"
        f" {machine['kernel']}, load {machine['load'][0]} before the run. {machine['rustc']},"
        f" linsep at {machine['commit']}, Python {machine['python']}, "
        + ", ".join(f"{name} {version}" for name, version in versions.items())
        + "."
    )
    others = [r["others"] for rs in each(results) for r in rs if "others" in r]
    out += ["", f"`{' '.join(results['command'])}`", ""]
    out.append(
        f"Other programs used {median(others):.2f} of {machine['cores']} processors during a run"
        f" (median; maximum {max(others):.2f})."
    )
    out += ["", "## Goals", ""]
    also = list(dict.fromkeys(name for goal in results["goals"] for name in goal["also"]))
    heads = ["", "goal", "measured", "least – most", "rounds that agree", "p", "crowded", *also]
    out += ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for goal in results["goals"]:
        out.append(
            f"| **{goal['verdict']}** | {goal['goal']} | {goal['measured']:.2f} |"
            f" {goal['least']:.2f} – {goal['most']:.2f} | {goal['rounds']} | {goal['p']:.3f} |"
            f" {goal['crowded']} |"
            + "".join(f" {goal['also'][n]:.2f} |" if n in goal["also"] else " – |" for n in also)
        )
    for problem, about in results["problems"].items():
        rows = results["summaries"].get(problem, {})
        out += ["", f"## {problem}", "", f"{about['about']}: {about['bytes'] / 1e6:.1f} MB", ""]
        heads = ["contender", "threads", "median s", "best", "worst"]
        heads += [column.head for column in suite.columns]
        out += ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
        for name, summary in rows.items():
            cells = [f"**{name}**" if summary["ours"] else name, str(summary["threads"])]
            cells += [f"{summary[key]:.3f}" for key in ("seconds", "best", "worst")]
            cells += [column.cell(summary) for column in suite.columns]
            out.append("| " + " | ".join(cells) + " |")
        for name, why in about.get("out", {}).items():
            ours, threads = (results["contenders"][name][key] for key in ("ours", "threads"))
            cells = [f"**{name}**" if ours else name, str(threads), why]
            out.append("| " + " | ".join(cells + ["–"] * (len(heads) - len(cells))) + " |")
    out += ["", suite.notes.strip()]
    readings = {
        problem: sum(suite.checked(r) for runs in by_name.values() for r in runs)
        for problem, by_name in results["runs"].items()
    }
    if not results["faults"]:
        counts = ", ".join(f"{problem} {count}" for problem, count in readings.items())
        out += ["", f"{suite.agreed} ({counts})."]
    for title, found in [("Disagreements", results["faults"]), ("Failures", results["failures"])]:
        if found:
            out += ["", f"## {title}", "", *(f"- {line}" for line in found)]
    return "\n".join(out) + "\n"


def each(results: dict[str, Any]) -> list[list[dict[str, Any]]]:
    """Runs of every contender on every problem."""
    return [runs for by_name in results["runs"].values() for runs in by_name.values()]


def lines(results: dict[str, Any]) -> str:
    """JSON with one run per line."""
    parts = []
    for key, value in results.items():
        if key == "runs":
            problems = []
            for problem, by_name in value.items():
                rows = [
                    f"   {json.dumps(name)}: [\n    "
                    + ",\n    ".join(json.dumps(slim(record)) for record in records)
                    + "\n   ]"
                    for name, records in by_name.items()
                ]
                problems.append(f"  {json.dumps(problem)}: {{\n" + ",\n".join(rows) + "\n  }")
            parts.append(f' "{key}": {{\n' + ",\n".join(problems) + "\n }")
        else:
            text = json.dumps(value, indent=1, ensure_ascii=False)
            parts.append(f' "{key}": ' + text.replace("\n", "\n "))
    return "{\n" + ",\n".join(parts) + "\n}"


def slim(record: dict[str, Any]) -> dict[str, Any]:
    """A record with its numbers rounded to significant digits."""
    return {k: float(f"{v:.10g}") if isinstance(v, float) else v for k, v in record.items()}
