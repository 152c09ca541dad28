"""Runs the benchmarks: problems × contenders. README.md is the manual."""

import argparse
import datetime
import os
import sys
from pathlib import Path

from harness import paths

EPILOG = "Downloads, builds and prepared files go to ${LINSEP_CACHE:-~/.cache/linsep}."


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, epilog=EPILOG)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, about in [
        ("list", "list problems and contenders"),
        ("prepare", "create the files of the problems and build the contenders"),
        ("run", "measure, and write results, table and plot"),
    ]:
        command = commands.add_parser(name, help=about)
        command.add_argument("suite", nargs="?", default="reading")
        if name == "list":
            continue
        command.add_argument("--problem", action="append", help="run only this one (repeatable)")
        command.add_argument("--contender", action="append", help="run only this one (repeatable)")
        command.add_argument(
            "--scale", type=float, default=1.0, help="relative size of generated files"
        )
    command.add_argument("--rounds", type=int, default=7, help="rounds per contender; at least 5 for the sign test")
    command.add_argument(
        "--patience", type=float, default=0, help="seconds to wait for idle processors, per run"
    )
    command.add_argument("--out", type=Path, help="folder for the results [runs/<date>-<suite>]")
    command.add_argument(
        "--limit", type=float, default=60, help="time limit of a fit in seconds"
    )
    report = commands.add_parser("report", help="rewrite table and plot of a results.json")
    report.add_argument("folder", type=Path)
    chart = commands.add_parser("chart", help="plot of a fitting run for the README")
    chart.add_argument("folder", type=Path)
    chart.add_argument("--out", type=Path, default=paths.PROJECT / "docs/images/speed.svg")
    return parser.parse_args()


def main() -> None:
    args = arguments()
    if args.command == "chart":
        from harness import chart

        chart.write(args.folder, args.out)
        return
    paths.enter_environment()  # makes the pinned packages available
    from harness import machine, measure, report
    from suites import ALL

    if args.command == "report":
        report.rewrite(args.folder)
        return
    if args.suite not in ALL:
        sys.exit(f"there is no suite {args.suite!r}; there are: {', '.join(ALL)}")
    suite = ALL[args.suite]
    if args.command == "list":
        print("problems", *(f"  {p.name:<22} {p.about}" for p in suite.problems), sep="\n")
        print("contenders", *(f"  {c.name:<22} {c.about}" for c in suite.contenders), sep="\n")
        return

    problems = [p for p in suite.problems if not args.problem or p.name in args.problem]
    contenders = [c for c in suite.contenders if not args.contender or c.name in args.contender]
    files = measure.prepare(problems, args.scale)
    contenders = measure.build(contenders)
    if args.command == "prepare":
        return
    before = machine.describe()
    races = suite.races(files, contenders, args.limit)
    runs = measure.rounds(suite, races, args.rounds, args.patience)
    date = datetime.date.today().isoformat()
    folder = args.out or paths.BENCH / "runs" / f"{date}-{suite.name}"
    command = [
        "bench/run.py",
        *(os.path.relpath(a) if os.path.isabs(a) else a for a in sys.argv[1:]),
    ]
    faults = report.write(folder, suite, races, contenders, runs, before, command)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
