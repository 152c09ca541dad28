"""Chart of the README: time of each peer as a multiple of linsep's time on one thread.

Shows every problem of the run at the coarse tolerance, with every peer that finished on one thread.
Bars start at 0 on a linear axis, so their lengths are ratios.
"""

import json
from html import escape
from pathlib import Path
from typing import Any

OURS, THEIRS, TEXT = "#c2410c", "#64748b", "#808994"
LEFT, WIDTH, BAR, GAP = 250, 760, 14, 12
PEERS = {"liblinear": "LIBLINEAR", "sklearn": "scikit-learn"}


def write(folder: Path, out: Path) -> None:
    """Draws the chart of a fitting run."""
    results = json.loads((folder / "results.json").read_text())
    rows = [
        (name, ratios)
        for problem, summaries in results["summaries"].items()
        if not problem.endswith(" 1e-6")
        and (ratios := fastest(summaries))
        and (name := title(problem))
    ]
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_text(svg(rows, results))


def title(problem: str) -> str:
    """Name of a problem for the chart: loss, penalty, data."""
    words = problem.removesuffix(" 1e-3").split("-")
    data = {"imdb": "film reviews", "a9a": "a9a", "covtype2": "forest cover"}[words.pop()]
    penalty = {"l1": ", L1", "l2": ", L2"}.get(words[-1], "")
    loss = " ".join(words[:-1] if penalty else words)
    loss += ", 5 epochs" if loss == "perceptron" else ""
    return f"{loss}{penalty}: {data}"


def fastest(summaries: dict[str, Any]) -> dict[str, float]:
    """For each peer the time of its fastest algorithm, as a multiple of linsep's time."""
    ours = summaries["linsep-1"]["figure"]
    ratios: dict[str, float] = {}
    for name, summary in summaries.items():
        peer = PEERS.get(name.split("-")[0])
        if peer and summary["threads"] == 1:
            ratio = summary["figure"] / ours
            ratios[peer] = min(ratio, ratios.get(peer, ratio))
    return ratios


def svg(rows: list[tuple[str, dict[str, float]]], results: dict[str, Any]) -> str:
    """Formats the chart as SVG."""
    most = max(max(ratios.values()) for _, ratios in rows)
    scale = (WIDTH - LEFT - 190) / most
    parts: list[str] = []
    y = 46.0

    def bar(name: str, ratio: float, color: str, label: str) -> None:
        nonlocal y
        width = ratio * scale
        middle = y + BAR - 3
        parts.append(
            f'<rect x="{LEFT}" y="{y:g}" width="{width:.1f}" height="{BAR - 2}" fill="{color}"/>'
            f'<text x="{LEFT + width + 6:.1f}" y="{middle:g}">{escape(name)} {label}</text>'
        )
        y += BAR

    for name, ratios in rows:
        parts.append(f'<text x="{LEFT - 10}" y="{y + BAR - 3:g}" class="name">{escape(name)}</text>')
        bar("linsep", 1, OURS, "1")
        for peer, ratio in ratios.items():
            bar(peer, ratio, THEIRS, f"{ratio:.1f}")
        y += GAP
    versions = results["versions"]
    note = (
        f"{results['machine']['cpu']}, one thread, median of "
        f"{len(next(iter(results['runs'].values()))['linsep-1'])} rounds; "
        f"LIBLINEAR {versions['liblinear-official']}, scikit-learn {versions['scikit-learn']}"
    )
    height = y + 24
    heading = "Time to a relative suboptimality of 0.001, as a multiple of linsep's"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" '
        f'width="{WIDTH}" height="{height:g}" role="img" aria-label="{heading}">\n'
        f"<style>text {{ font: 12px sans-serif; fill: {TEXT} }} "
        ".name { text-anchor: end } .head { font-weight: bold; font-size: 14px }</style>\n"
        f'<text x="10" y="24" class="head">{heading}</text>\n'
        + "\n".join(parts)
        + f'\n<text x="10" y="{height - 8:g}">{escape(note)}</text>\n</svg>\n'
    )
