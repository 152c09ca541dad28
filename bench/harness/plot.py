"""One panel per comparison, one line per contender: a dot per round and a mark at the median.

The axis is logarithmic, so there are no bars: lengths would have no meaning.
"""

from pathlib import Path
from typing import Any

from harness.kinds import Suite

OURS, THEIRS = "#c2410c", "#475569"


def write(path: Path, suite: Suite, results: dict[str, Any]) -> None:
    """Draws the plot."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams |= {"svg.fonttype": "none", "svg.hashsalt": "linsep", "font.size": 9}
    from matplotlib import pyplot

    shown = {p: s for p, s in results["summaries"].items() if s}
    if not shown:
        return
    across = suite.panels_across
    counts = [len(summaries) + 1 for summaries in shown.values()]
    heights = [max(counts[i : i + across]) for i in range(0, len(counts), across)]
    figure, panels = pyplot.subplots(
        len(heights),
        across,
        figsize=(8 * across, 0.27 * sum(heights) + 0.6),
        height_ratios=heights,
        squeeze=False,
        sharex=True,
        layout="constrained",
    )
    for panel in panels.flat[len(shown) :]:
        panel.set_visible(False)
    for panel, (problem, summaries) in zip(panels.flat, shown.items(), strict=False):
        for place, (name, summary) in enumerate(summaries.items()):
            color = OURS if summary["ours"] else THEIRS
            runs = [r for r in results["runs"][problem][name] if "error" not in r]
            dots = [suite.figure(r) for r in runs]
            panel.hlines(place, min(dots), max(dots), color=color, linewidth=1)
            panel.plot(dots, [place] * len(dots), ".", color=color, markersize=4)
            panel.plot(
                summary["figure"], place, "|", color=color, markersize=11, markeredgewidth=3
            )
            middle = summary["figure"]
            label = f"{middle:.0f}" if middle >= 100 else f"{middle:.3g}"
            panel.annotate(
                label,
                (max(dots), place),
                xytext=(6, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
                color=color,
            )
        panel.grid(axis="x", color="#e2e8f0", linewidth=0.5)
        panel.margins(x=0.08)
        panel.set_yticks(range(len(summaries)), list(summaries))
        panel.invert_yaxis()
        panel.set_xscale("log")
        panel.set_title(
            f"{problem}: {results['problems'][problem]['about']}", loc="left", fontsize=9
        )
        panel.spines[["top", "right"]].set_visible(False)
    for panel in panels[-1]:
        panel.set_xlabel(f"{suite.figure_label}: one dot per round, mark and number at the median")
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)
