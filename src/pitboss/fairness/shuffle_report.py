"""What the tests of a shuffle found, as a page with drawings."""

from __future__ import annotations

from html import escape

import numpy as np

from pitboss.fairness.shuffle_tests import CARDS, LEVEL, Tested
from pitboss.maths.plots import ACCENT, INK, LOSS, figure, svg

_STYLE = """body{font:16px/1.5 Georgia,serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1d2a35}
table{border-collapse:collapse;width:100%}
td,th{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #ccc}
td.n{text-align:right;font-variant-numeric:tabular-nums}.no{color:#a4303f;font-weight:bold}"""


def as_page(tested: Tested, *, source: str) -> str:
    """The results as a page of its own."""
    rows = "".join(
        f"<tr><td>{escape(result.name)}</td><td>{escape(result.what)}</td>"
        f'<td class="n">{result.statistic:.3f}</td><td class="n">{result.p:.4g}</td>'
        f"<td{'' if result.fits else ' class=no'}>{'fits' if result.fits else 'does not fit'}</td></tr>"
        for result in tested.results
    )
    verdict = "nothing speaks against it" if tested.fair else "this is not a fair shuffle"
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Shuffle tests</title>'
        f"<style>{_STYLE}</style><h1>Shuffle tests: {escape(verdict)}</h1>"
        f"<p>{tested.decks:,} decks of {escape(source)}; "
        f"all tests together at {LEVEL:.0%}, by Holm's rule.</p>"
        "<table><tr><th>test</th><th>what is counted</th><th>statistic</th><th>p</th><th></th></tr>"
        f"{rows}</table>"
        f"<h2>How often each card lay at each position</h2>{_heat(tested)}"
        f"<h2>The p-values in order</h2>{_chances(tested)}</html>\n"
    )


def _heat(tested: Tested) -> str:
    """Deviations from an even share, in standard deviations."""
    expected = tested.decks / CARDS
    spread = np.sqrt(expected * (1 - 1 / CARDS))
    drawn, axes = figure(7.2, 6.4)
    shown = axes.imshow((tested.counts - expected) / spread, cmap="RdBu", vmin=-4, vmax=4)
    axes.set_xlabel("card, as it lies in a new pack", fontsize=8)
    axes.set_ylabel("position", fontsize=8)
    drawn.colorbar(shown, label="standard deviations from an even share")
    return svg(drawn)


def _chances(tested: Tested) -> str:
    """In a fair shuffle p-values lie along the diagonal."""
    ordered = sorted(tested.results, key=lambda result: result.p)
    places = [(n + 0.5) / len(ordered) for n in range(len(ordered))]
    drawn, axes = figure()
    axes.plot([0, 1], [0, 1], color=LOSS, linewidth=1, linestyle="--")
    axes.plot(places, [result.p for result in ordered], "o", color=ACCENT)
    for place, result in zip(places, ordered, strict=True):
        axes.annotate(result.name, (place, result.p), fontsize=6, color=INK, rotation=30)
    axes.set_ylabel("p", fontsize=8)
    return svg(drawn)
