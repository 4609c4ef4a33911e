"""Pitboss: house-banked poker by the book, run, proved and priced.

>>> import pitboss
>>> pitboss.load("mbs-3cp-2023").title
'Megalink Three Card Poker Xtreme'
"""

from __future__ import annotations

from pitboss.version import __version__ as __version__

TYPE_CHECKING = False  # `typing` would be a fifth of the time in which Ctrl-C is still Python's
if TYPE_CHECKING:
    from typing import Any

    from pitboss.cards import Hand
    from pitboss.errors import BadInput, MissingPart
    from pitboss.library import (
        Plot,
        Priced,
        RoundsPlayed,
        Rulebook,
        Settled,
        Simulated,
        analyse,
        books,
        evaluate,
        hand_in_words,
        load,
        run,
        settle,
        simulate,
    )

__all__ = [
    "BadInput",
    "Hand",
    "MissingPart",
    "Plot",
    "Priced",
    "RoundsPlayed",
    "Rulebook",
    "Settled",
    "Simulated",
    "analyse",
    "books",
    "evaluate",
    "hand_in_words",
    "load",
    "run",
    "settle",
    "simulate",
]


def __getattr__(name: str) -> Any:
    """The library is loaded when it is used: the command line starts without it."""
    if name not in __all__:
        raise AttributeError(f"module 'pitboss' has no attribute '{name}'")
    from pitboss import library

    return getattr(library, name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
