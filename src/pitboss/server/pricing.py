"""Mathematics for the service, done in a process of its own: counting must not keep anybody waiting.

Everything here takes and gives plain data, for it goes from one process to another.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from multiprocessing import get_context
from threading import Lock
from typing import Any, TypeVar

import msgspec

from pitboss.errors import CountingError
from pitboss.parts import is_installed, require
from pitboss.server.shapes import HandAdvice, Priced

T = TypeVar("T")

MOST_KEPT = 128
CURVE = 24
"""So many points of the jackpot's curve are drawn."""


def priced(rulebook: str, readings: dict[str, str], changes: tuple[str, ...]) -> Priced:
    """A rulebook priced under readings, with figures changed; and its jackpot's return along the meter."""
    from pitboss.maths.analysis import analyse, analysis_json
    from pitboss.rulebooks.load import load_plan

    plan = load_plan(rulebook, readings, changes=changes, place="reading")
    analysis = analyse(plan)
    found = msgspec.convert(analysis_json(analysis), Priced)
    jackpot = analysis.jackpot
    if jackpot is not None and jackpot.break_even_meter is not None:
        from fractions import Fraction

        top = Fraction(jackpot.break_even_meter) * Fraction(3, 2)
        points = [top * step / CURVE for step in range(CURVE + 1)]
        found.curve = [(round(float(meter) / 100, 2), float(jackpot.return_at(meter))) for meter in points]
    return found


def advised(
    rulebook: str, document: str, readings: dict[str, str], own: list[str], table: list[str]
) -> HandAdvice:
    """The exact value of each choice for a hand, in antes."""
    from pitboss.cards import parse_cards
    from pitboss.maths.analysis import solved
    from pitboss.maths.decisions import advise, decision_at
    from pitboss.maths.lowering import Family, lower_main_game
    from pitboss.rulebooks.load import plan_of_text

    game = lower_main_game(plan_of_text(rulebook, document, readings))
    mine, seen = parse_cards(own, "hand"), parse_cards(table, "table")
    decision_at(game, mine, seen)
    whole = game.family is Family.HOLDEM and not seen
    choice = advise(game, mine, seen, solved(game) if whole else None)
    return HandAdvice(
        decision=choice.decision,
        best=choice.best,
        values={choice.wager: float(choice.bet), choice.otherwise_name: float(choice.otherwise)},
        exact={choice.wager: str(choice.bet), choice.otherwise_name: str(choice.otherwise)},
    )


def solved_before(rulebook: str, document: str, readings: dict[str, str]) -> None:
    """Solve a game whole, so that the first question about a hand is answered at once."""
    from pitboss.maths.analysis import solved
    from pitboss.maths.lowering import lower_main_game
    from pitboss.rulebooks.load import plan_of_text

    solved(lower_main_game(plan_of_text(rulebook, document, readings)))


class Pricing:
    """A process that counts, begun when it is needed first; what it has found it does not count again."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        self._asked: dict[tuple[Any, ...], Future[Any]] = {}
        """Questions with their answers, also those that are being counted: nobody has them counted twice."""
        self._one_at_a_time = Lock()

    async def ask(self, work: Callable[..., T], *args: Any) -> T:
        """What `priced` or `advised` finds. Raises what they raise, and `MissingPart` without the
        mathematics. No thread waits for it.
        """
        require("maths")
        try:
            found: T = await asyncio.shield(asyncio.wrap_future(self._question(work, args)))
            return found
        except BrokenProcessPool as error:
            raise CountingError("the process that prices has stopped") from error

    def warm(self, work: Callable[..., Any], *args: Any) -> None:
        """Begin to count what will be asked for, once, where this server can count; nobody waits for it."""
        if is_installed("maths"):
            self._question(work, args)

    def _question(self, work: Callable[..., Any], args: tuple[Any, ...]) -> Future[Any]:
        key = (work.__name__, *(repr(part) for part in args))
        with self._one_at_a_time:
            known = self._asked.get(key)
            if known is not None and not _failed(known):
                return known
            asked = self._begin(work, args)
            if len(self._asked) >= MOST_KEPT:
                self._asked.pop(next(iter(self._asked)))
            self._asked[key] = asked
            return asked

    def _begin(self, work: Callable[..., Any], args: tuple[Any, ...]) -> Future[Any]:
        """Hand a question to the process that counts; to a new one where there is none or it has stopped."""
        if self._pool is not None:
            with suppress(BrokenProcessPool):
                return self._pool.submit(work, *args)
        self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
        return self._pool.submit(work, *args)

    def stop(self) -> None:
        """End the process that counts."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)


def _failed(asked: Future[Any]) -> bool:
    """Whether a question was given up, or found no answer; it may be asked again."""
    return asked.done() and (asked.cancelled() or asked.exception() is not None)
