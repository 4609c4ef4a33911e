"""Drawings: the run of a simulation, starting hands, outcomes, the jackpot."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure

from pitboss.maths.distribution import Distribution
from pitboss.maths.main_game import Played
from pitboss.maths.simulator import BAND, Totals

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INK, ACCENT, SHADE, LOSS = "#1d2a35", "#0b6e4f", "#c9e4d8", "#a4303f"
RARE = 10_000
"""Results that come up less often than once in so many rounds are left out of a drawing."""


def figure(width: float = 7.2, height: float = 3.4) -> tuple[Figure, Axes]:
    """An empty drawing with one pair of axes."""
    drawn = Figure(figsize=(width, height), layout="constrained")
    axes = drawn.subplots()
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=INK, labelsize=8)
    return drawn, axes


def svg(drawn: Figure) -> str:
    """A drawing as SVG for a page."""
    out = BytesIO()
    drawn.savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    text = out.getvalue().decode()
    return text[text.index("<svg") :]


def png(drawn: Figure) -> bytes:
    """A drawing as PNG for a document."""
    out = BytesIO()
    drawn.savefig(out, format="png", dpi=160)
    return out.getvalue()


def run(totals: Totals, exact: Played, *, title: str) -> Figure:
    """Draw a simulation: the running mean with its band, and the exact value."""
    drawn, axes = figure()
    points = totals.trail or [(totals.rounds, totals.mean, totals.standard_error)]
    rounds = [point[0] for point in points]
    means = [point[1] for point in points]
    low = [point[1] - BAND * point[2] for point in points]
    high = [point[1] + BAND * point[2] for point in points]
    axes.fill_between(rounds, low, high, color=SHADE, label="95 % band")
    axes.plot(rounds, means, color=ACCENT, linewidth=1.2, label="running mean")
    axes.axhline(
        float(exact.ev), color=LOSS, linewidth=1, linestyle="--", label=f"exact {float(exact.ev):+.6f}"
    )
    axes.set_xscale("log")
    axes.set_xlabel("rounds", fontsize=8)
    axes.set_ylabel("net per Ante", fontsize=8)
    axes.set_title(title, fontsize=9, loc="left", color=INK)
    axes.legend(fontsize=7, frameon=False)
    return drawn


def save_run(path: str, totals: Totals, exact: Played, *, title: str) -> None:
    """Draw a simulation into a file."""
    run(totals, exact, title=title).savefig(path)


def outcomes(distribution: Distribution, *, title: str) -> Figure:
    """A bar for each net result, by its probability; those rarer than one in 10,000 are left out."""
    cycle = distribution.cycle
    shown = [(str(net), deals / cycle) for net, deals in distribution.counts.items() if deals * RARE > cycle]
    return bars([net for net, _ in shown], [often for _, often in shown], ylabel="probability", title=title)


def bars(labels: list[str], values: list[float], *, ylabel: str, title: str, **axes_settings: Any) -> Figure:
    """A bar for each label."""
    drawn, axes = figure()
    colours = [LOSS if label.startswith("-") else INK if label == "0" else ACCENT for label in labels]
    axes.bar(labels, values, color=colours, width=0.7)
    axes.set_ylabel(ylabel, fontsize=8)
    axes.set_title(title, fontsize=9, loc="left", color=INK)
    axes.set(**axes_settings)
    return drawn


def line(xs: list[float], ys: list[float], *, xlabel: str, ylabel: str, title: str) -> tuple[Figure, Axes]:
    """A curve."""
    drawn, axes = figure()
    axes.plot(xs, ys, color=ACCENT, linewidth=1.4)
    axes.set_xlabel(xlabel, fontsize=8)
    axes.set_ylabel(ylabel, fontsize=8)
    axes.set_title(title, fontsize=9, loc="left", color=INK)
    return drawn, axes
