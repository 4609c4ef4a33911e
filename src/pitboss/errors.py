"""The ways things end badly: somebody's input is wrong, our own reasoning is, or the store does not work.

A refusal by a rulebook is neither; it is a value (see `pitboss.play`).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class InvariantError(Exception):
    """Something that cannot be true is true: a bug of ours. It crashes on purpose."""


def check(holds: bool, what: str) -> None:  # noqa: FBT001 - the condition is the point
    """Crash with `what` unless the invariant holds."""
    if not holds:
        raise InvariantError(what)


class BadInput(Exception):  # noqa: N818 - it is named for what happened, not for the machinery
    """Input that cannot be used. The text is one line: where it is, what is wrong, what would be right."""

    def __init__(self, place: str, problem: str, remedy: str = "") -> None:
        self.place = place
        self.problem = problem
        self.remedy = remedy
        super().__init__(str(self))

    def __reduce__(self) -> tuple[type[BadInput], tuple[str, str, str]]:
        return BadInput, (self.place, self.problem, self.remedy)

    def __str__(self) -> str:
        text = f"{self.place}: {self.problem}" if self.place else self.problem
        text = f"{text}; {self.remedy}" if self.remedy else text
        return " ".join(text.split())


class StoreError(Exception):
    """The store cannot do its work: out of reach, full, read-only, damaged, newer. Nothing was written.

    `what` says it in words, `remedy` what to do.
    """

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what}; {remedy}")
        self.what = what
        self.remedy = remedy


def shortened(text: str) -> str:
    """A text as far as an error can quote it in one line."""
    return text if len(text) <= 60 else f"{text[:57]}…"


def near_miss(wrong: str, known: Iterable[str]) -> str:
    """A remedy for an unknown name: the one that was probably meant, else all there are."""
    names = [str(name) for name in known]
    by_fold = {name.casefold(): name for name in names}
    close = difflib.get_close_matches(wrong.casefold(), list(by_fold), n=1, cutoff=0.6)
    if close:
        return f"did you mean '{by_fold[close[0]]}'?"
    return f"known: {', '.join(names)}" if names else "there are none"
