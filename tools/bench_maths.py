"""The mathematics measured against its peers in one run: part of `make bench`. Ratios first, seconds last."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random
from statistics import median
from typing import Any

import numpy as np

warnings.simplefilter("ignore")  # the peers' own

import eval7  # noqa: E402
import numba  # noqa: E402
import sval  # noqa: E402
from phevaluator import evaluate_cards  # noqa: E402
from pokerfast import equity  # noqa: E402

from pitboss.cards import DECK  # noqa: E402
from pitboss.maths import encode, evaluate7, evaluate_hand  # noqa: E402
from pitboss.maths.analysis import analyse  # noqa: E402
from pitboss.maths.compiling import thread_count  # noqa: E402
from pitboss.maths.lowering import lower_main_game  # noqa: E402
from pitboss.maths.main_game import solve  # noqa: E402
from pitboss.maths.rounds import table_for  # noqa: E402
from pitboss.maths.strategies import BLIND  # noqa: E402
from pitboss.rulebooks import load_plan  # noqa: E402
from support import BOOKS  # noqa: E402

HANDS, SLOW_HANDS, ROUNDS, SLOW_ROUNDS, PASSES = 2_000_000, 20_000, 2_000_000, 20_000, 7


def seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def interleaved(ours: Callable[[], object], theirs: Callable[[], object]) -> tuple[float, float]:
    """Seconds of either, turn and turn about: the medians of the passes."""
    ours()
    theirs()
    both = [(seconds(ours), seconds(theirs)) for _ in range(PASSES)]
    return median(mine for mine, _ in both), median(other for _, other in both)


def verdict(ratio: float, wanted: float) -> str:
    return f"{ratio:8.2f} times ({'ok' if ratio >= wanted else f'below the {wanted:g} wanted'})"


@numba.njit
def sval_from_cards(hands: Any, out: Any) -> None:
    """sval in a numba loop, from the same array of cards."""
    for hand in range(hands.shape[0]):
        cards = np.int64(0)
        for place in range(7):
            cards |= np.int64(1) << np.int64(hands[hand, place])
        out[hand] = sval.rank_lookup[sval.calculate_index(cards)]


@numba.njit
def sval_from_masks(masks: Any, out: Any) -> None:
    """sval in a numba loop, from its own representation of a hand."""
    for hand in range(masks.shape[0]):
        out[hand] = sval.rank_lookup[sval.calculate_index(masks[hand])]


def evaluators(rng: Random) -> None:
    codes = encode(DECK)
    some = np.array([codes[rng.sample(range(52), 7)] for _ in range(100_000)])
    hands = np.tile(some, (HANDS // len(some), 1))
    masks = np.bitwise_or.reduce(np.int64(1) << hands.astype(np.int64), axis=1)
    out = np.empty(len(hands), np.int16)
    print("seven cards in a batch on one thread, against")
    ours, theirs = interleaved(lambda: evaluate7(hands), lambda: sval_from_cards(hands, out))
    speed = f"{HANDS / ours / 1e6:,.0f} M hands/s"
    print(f"  sval in a numba loop, from cards   {verdict(theirs / ours, 1.3)}  {speed}")
    ours, theirs = interleaved(lambda: evaluate7(hands), lambda: sval_from_masks(masks, out))
    print(f"  sval in a numba loop, from masks   {verdict(theirs / ours, 1.3)}")
    names = [
        "".join(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")[2 * c : 2 * c + 2]
        for c in range(52)
    ]
    texts = ["".join(names[card] for card in hand) for hand in some[:SLOW_HANDS]]
    scale = HANDS / SLOW_HANDS  # the slow ones evaluate fewer hands
    ours, theirs = interleaved(lambda: evaluate7(hands), lambda: equity.evaluate(texts))
    print(f"  pokerfast's batch                  {verdict(scale * theirs / ours, 1.3)}")
    lists = some[:SLOW_HANDS].tolist()
    ours, theirs = interleaved(lambda: evaluate7(hands), lambda: [evaluate_cards(*hand) for hand in lists])
    print(f"  phevaluator's call                 {verdict(scale * theirs / ours, 100)}")
    cards = [[eval7.Card(names[card]) for card in hand] for hand in lists]
    ours, theirs = interleaved(lambda: evaluate7(hands), lambda: [eval7.evaluate(hand) for hand in cards])
    print(f"  eval7's call                       {verdict(scale * theirs / ours, 100)}")
    print("a single call, against")
    rows = [np.array(hand, np.uint8) for hand in lists]
    ours, theirs = interleaved(
        lambda: [evaluate_hand(hand) for hand in rows], lambda: [evaluate_cards(*hand) for hand in lists]
    )
    print(
        f"  phevaluator                        {verdict(theirs / ours, 1)}  {ours / SLOW_HANDS * 1e9:,.0f} ns"
    )
    ours, theirs = interleaved(
        lambda: [evaluate_hand(hand) for hand in rows], lambda: [eval7.evaluate(hand) for hand in cards]
    )
    print(f"  eval7                              {verdict(theirs / ours, 1)}")


def python_round(rng: Random) -> int:
    """A round of hold'em played blind, written by hand on phevaluator: Flop bet, checked down."""
    cards = rng.sample(range(52), 9)
    board, dealer, own = cards[:5], cards[5:7], cards[7:]
    mine, other = evaluate_cards(*board, *own), evaluate_cards(*board, *dealer)
    if mine == other:
        return 0
    if mine > other:
        return -3
    return 3 if mine <= 1609 else 2  # phevaluator's number of the lowest straight


def rounds(rng: Random) -> None:
    solution = solve(lower_main_game(load_plan("mbs-thb-9")))
    table = table_for(solution, BLIND)
    threads = thread_count()
    for count in sorted({1, threads}):

        def ours(count: int = count) -> None:
            with ThreadPoolExecutor(count) as pool:
                list(pool.map(lambda at: table.chunk(seed=1, chunk=at, rounds=ROUNDS, seats=1), range(count)))

        mine, other = interleaved(ours, lambda: [python_round(rng) for _ in range(SLOW_ROUNDS)])
        ratio = (other / SLOW_ROUNDS) / (mine / ROUNDS / count)
        print(
            f"rounds of a fixed strategy, {count} thread(s), against a Python loop on phevaluator "
            f"{verdict(ratio, 200)}  {count * ROUNDS / mine / 1e6:.1f} M rounds/s"
        )


def solvers() -> None:
    threads = thread_count()
    for book, aim in (("mbs-thb-9", 5), ("mbs-stud-6", 3), ("mbs-3cp-2023", None)):
        game = lower_main_game(load_plan(book))
        solve(game)
        spent = min(seconds(lambda game=game: solve(game)) for _ in range(3))  # type: ignore[misc]
        said = f" (aim {aim} s)" if aim else ""
        print(f"exact solve of {book:<16} {spent:6.2f} s on {threads} threads{said}")
    spent = seconds(lambda: [analyse(load_plan(book)) for book in BOOKS])
    print(f"all five analyses, kernels warm, one process: {spent:.1f} s (aim 15 s)")


def main() -> None:
    """Print the figures of the mathematics."""
    rng = Random(3)
    evaluators(rng)
    rounds(rng)
    solvers()


if __name__ == "__main__":
    main()
