"""The ways things end badly: the input is wrong, a part is not installed, our own reasoning is
wrong, the store does not work, or what was to be counted was not.

A refusal by a rulebook is neither; it is a value (see `pitboss.play`).
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any


class InvariantError(Exception):
    """Something that cannot be true is true: a bug of ours. It crashes on purpose."""


def check(holds: bool, what: str) -> None:  # noqa: FBT001 - the condition is the point
    """Crash with `what` unless the invariant holds."""
    if not holds:
        raise InvariantError(what)


class BadInput(Exception):  # noqa: N818 - it is named for what happened, not for the machinery
    """Input that cannot be used. The text is one line: where it is, what is wrong, what would be right."""

    def __init__(self, place: str, problem: str, remedy: str = "") -> None:
        self.place = _cut(place)
        self.problem = _cut(problem)
        self.remedy = remedy
        super().__init__(str(self))

    def __reduce__(self) -> tuple[Any, ...]:
        return BadInput, (self.place, self.problem, self.remedy)

    def __str__(self) -> str:
        text = f"{self.place}: {self.problem}" if self.place else self.problem
        text = f"{text}; {self.remedy}" if self.remedy else text
        return " ".join(text.split())


class MissingPart(BadInput, ImportError):  # noqa: N818 - named like the others, for what happened
    """An optional part of Pitboss that is asked for and not installed. The text has the one command for it.

    `parts` are the names of the extras. It is an `ImportError` too, for programs that try what is there.
    """

    def __init__(self, *parts: str, place: str = "", instead: str = "") -> None:
        self.parts, self.instead = parts, instead
        self.command = f"pip install 'pitboss[{','.join(parts)}]'"
        names = " and ".join(f"'{part}'" for part in parts)
        verb = f"part {names} is" if len(parts) == 1 else f"parts {names} are"
        remedy = f"run: {self.command}" + (f", or {instead}" if instead else "")
        super().__init__(place, f"the {verb} not installed", remedy)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial(MissingPart, *self.parts, place=self.place, instead=self.instead), ()


class StoreError(Exception):
    """The store cannot do its work: out of reach, full, read-only, damaged, newer. Nothing was written.

    `what` says it in words, `remedy` what to do.
    """

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what}; {remedy}")
        self.what = what
        self.remedy = remedy


class DeckError(StoreError):
    """The sealed deck of one round does not open. The store works, and so do the other tables."""


class StoreBusy(StoreError):  # noqa: N818 - named for what it is, like the others
    """The store works, but not for this now: ask again in a moment. Nothing was written.

    `held` tells that another process holds what was waited for.
    """

    def __init__(self, what: str, remedy: str, *, held: bool = False) -> None:
        super().__init__(what, remedy)
        self.held = held


class RecordBroken(StoreError):  # noqa: N818 - it is named for what happened
    """The database lacks something that this process knows to have been recorded.

    It was failed over to a standby that was behind, or put back from a copy. Nothing is done and nothing is
    shown until the record names what was lost.
    """

    def __init__(self, what: str, remedy: str = "") -> None:
        super().__init__(what, remedy or "run 'pitboss floor reconcile' to see what was lost")


def _cut(text: str) -> str:
    """Whatever was quoted, an error stays a line that can be read."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


_LONGEST = 400


def is_number(text: str) -> bool:
    """Whether a text is a whole number that somebody may have meant; the digits of other scripts are not."""
    return text.isascii() and text.isdigit() and len(text) <= 9


MOST_SEED = 2**63 - 1
"""What the generators take."""


def check_seed(seed: object, place: str) -> int:
    """A seed that rounds can be dealt from. Raises `BadInput` for any other."""
    if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MOST_SEED:
        remedy = f"write a whole number from 0 to {MOST_SEED}"
        raise BadInput(place, f"{shortened(str(seed))} is no seed", remedy)
    return seed


class CountingError(Exception):
    """The process that counts has stopped before it had an answer. Nothing but the answer is lost."""


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
    return f"known: {_cut(', '.join(names))}" if names else "there are none"


def near_file(path: str) -> str:
    """A remedy for a file that is not there: the one beside it that was probably meant, else nothing."""
    wanted = Path(path)
    try:
        if not wanted.parent.is_dir():
            return f"there is no folder '{shortened(str(wanted.parent))}'"
        names = [entry.name for entry in wanted.parent.iterdir()]
    except (OSError, ValueError):
        return ""
    close = difflib.get_close_matches(wanted.name, names, n=5, cutoff=0.6)
    close = [name for name in close if _alike(wanted.stem, Path(name).stem)]  # an ending is no likeness
    return f"did you mean '{wanted.parent / close[0]}'?" if close else ""


def _alike(one: str, other: str) -> bool:
    return difflib.SequenceMatcher(None, one, other).ratio() >= 0.6
