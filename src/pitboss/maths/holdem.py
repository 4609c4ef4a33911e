"""The exact hold'em solver: every deal of the cycle, every decision the best one.

A bet that is placed or checked is worth placing exactly when the cards it can still meet net more than
nothing, so each later bet is decided by itself: on the flop by every turn, river and dealer's hand, on four
cards by every river and dealer's hand. The first bet is decided by all that follows.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations, permutations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pitboss.cards import Rank
from pitboss.maths.comparing import lower_comparison
from pitboss.maths.compiling import computing, in_parallel
from pitboss.maths.kernels import boards
from pitboss.maths.kernels import holdem as kernels
from pitboss.maths.kernels.holdem import Deck
from pitboss.maths.lowering import BeyondTheMaths, MainGame
from pitboss.maths.tables import five_tables

KINDS = 169
FULL_DECK = tuple(range(13))
_CHUNK = 512


@lru_cache(maxsize=4)
def deck_of(ranks: tuple[int, ...] = FULL_DECK) -> Deck:
    """The pack of these ranks in four suits. The whole pack is the default; proofs use smaller ones."""
    cards = [4 * rank + suit for rank in ranks for suit in range(4)]
    pairs = np.array(list(combinations(cards, 2)), np.int64)
    numbers = np.full((52, 52), -1, np.int64)
    for number, (first, second) in enumerate(pairs):
        numbers[first, second] = numbers[second, first] = number
    changes = list(permutations(range(4)))
    moved = np.empty((len(changes), len(pairs)), np.int16)
    table = np.full(64, -1, np.int64)
    for number, change in enumerate(changes):
        places = np.array(change)
        to = 4 * (pairs >> 2) + places[pairs & 3]
        moved[number] = numbers[to[:, 0], to[:, 1]]
        table[(change[0] * 4 + change[1]) * 4 + change[2]] = number
    return Deck(np.array(ranks, np.int64), np.array(cards, np.int64), pairs, numbers, moved, table)


def kind_of_pair(first: int, second: int) -> int:
    """Which of the 169 kinds of starting hands two cards are: pairs, then suited above, unsuited below."""
    high, low = max(first >> 2, second >> 2), min(first >> 2, second >> 2)
    suited = first & 3 == second & 3
    return high * 13 + low if suited or high == low else low * 13 + high


def kind_name(kind: int) -> str:
    """A kind of starting hand as players write it: `AA`, `AKs`, `72o`."""
    row, column = divmod(kind, 13)
    high, low = (Rank(max(row, column) + 2).code, Rank(min(row, column) + 2).code)
    return high + low + ("" if row == column else "s" if row > column else "o")


@lru_cache(maxsize=4)
def board_keys(size: int, ranks: tuple[int, ...] = FULL_DECK) -> NDArray[np.int64]:
    """The keys of all boards of this size up to the names of suits, sorted."""
    room = np.empty(comb(4 * len(ranks), size), np.int64)
    found = boards.all_canonical(size, np.array(ranks, np.int64), room)
    return np.sort(room[:found])


@dataclass(frozen=True, slots=True, kw_only=True)
class HoldemSolution:
    """What the solver counted.

    `counts` is by kind of starting hand, class of the final hand, situation (`COMPARED`) and which of the
    later bets were placed (1 for the one on three cards, 2 for the one on four), over every deal of that kind
    if it is played; `values` what that nets. `plays` says which kinds place the first bet; `kinds` is the
    kind of each pair. `bets_on` are the decisions of each later bet by canonical board and pair.
    """

    game: MainGame
    ranks: tuple[int, ...]
    counts: NDArray[np.int64]
    combinations: NDArray[np.int64]
    deals_per_pair: int
    values: tuple[int, ...]
    plays: NDArray[np.bool_]
    kinds: NDArray[np.int64] = field(repr=False)
    bets_on: tuple[NDArray[np.bool_], ...] = field(repr=False)

    @property
    def cycle(self) -> int:
        """How many deals there are."""
        return int(self.combinations.sum()) * self.deals_per_pair


def solve_holdem(game: MainGame, ranks: tuple[int, ...] = FULL_DECK) -> HoldemSolution:
    """Solve the game over every deal."""
    if len(set(game.folded_nets.tolist())) > 1:
        raise BeyondTheMaths(
            game.plan, game.base.clauses, "a fold that is paid by the hand it would have made"
        )
    with computing("solving every deal of the hold'em game", "hold'em"):
        return _solve(game, ranks)


def _solve(game: MainGame, ranks: tuple[int, ...]) -> HoldemSolution:
    deck = deck_of(ranks)
    cards = 4 * len(ranks)
    dealers = comb(cards - 7, 2)
    pairs = len(deck.pairs)
    fives, fours, threes = (board_keys(size, ranks) for size in (5, 4, 3))
    sorts, met, weak, four_sums = _meet(game, deck, fives, fours, dealers)
    on_three, on_four = np.zeros((len(threes), pairs), np.bool_), np.zeros((len(fours), pairs), np.bool_)
    for bet in game.later:
        on_fours = four_sums[bet.nets.tobytes()]
        if bet.seen == 4:
            np.greater(on_fours, 0, out=on_four)
        else:
            np.greater(gathered(threes, fours, on_fours, deck, on_fours.dtype.type), 0, out=on_three)
    placed = np.empty((len(fours), pairs), np.uint16)
    in_parallel(
        lambda start, stop: kernels.combine_bets(start, stop, fours, threes, deck, on_four, on_three, placed),
        len(fours),
        chunk=_CHUNK,
    )
    kinds = np.array([kind_of_pair(*pair) for pair in deck.pairs.tolist()], np.int64)
    counts = _situations(
        in_parallel(
            lambda start, stop: _tallied(start, stop, fives, fours, deck, sorts, met, weak, placed, kinds),
            len(fives),
            chunk=-(-len(fives) // 16),
        ),
        dealers,
    )
    combos = np.bincount(kinds, minlength=KINDS)
    values = tuple(int(value) for value in np.tensordot(counts, played_nets(game), axes=3))
    folded = int(game.folded_nets[0])
    deals = comb(cards - 2, 3) * (cards - 5) * (cards - 6) * dealers
    plays = np.array([value > folded * deals * count for value, count in zip(values, combos, strict=True)])
    return HoldemSolution(
        game=game,
        ranks=ranks,
        counts=counts,
        combinations=combos,
        deals_per_pair=deals,
        values=values,
        plays=plays,
        kinds=kinds,
        bets_on=tuple(on_three if bet.seen == 3 else on_four for bet in game.later),
    )


def _meet(
    game: MainGame, deck: Deck, fives: NDArray[np.int64], fours: NDArray[np.int64], dealers: int
) -> tuple[NDArray[np.int8], NDArray[np.int32], NDArray[np.int16], dict[bytes, NDArray[Any]]]:
    """The sorts of cards on every board, what couples of them meet, dealers who do not qualify, and what each
    later bet nets every pair on every four cards."""
    tables, worths = five_tables(suited_wheel=game.hand.suited_wheel)
    comparing = lower_comparison(game.plan, worths)
    distinct = {bet.nets.tobytes(): bet.nets for bet in game.later}
    nets = np.stack(list(distinct.values())) if distinct else np.zeros((0, *game.base_nets.shape), np.int64)
    most = int(np.abs(nets).max(initial=0)) * dealers
    sorts = np.empty((len(fives), 52), np.int8)
    met = np.empty((len(fives), kernels.MOST_COUPLES), np.int32)
    weak = np.empty((len(fives) if comparing.least else 0, kernels.MOST_COUPLES), np.int16)
    netted = np.empty((len(nets), len(fives), len(deck.pairs)), _wide_enough(most))
    in_parallel(
        lambda start, stop: kernels.meet_boards(
            start, stop, fives, deck, tables, comparing, nets, dealers, sorts, met, weak, netted
        ),
        len(fives),
        chunk=_CHUNK,
    )
    # The sums on three cards are over two more of fifty, in either order.
    dtype = np.int32 if most * 50 * 50 <= np.iinfo(np.int32).max else np.int64
    sums = {key: gathered(fours, fives, netted[at], deck, dtype) for at, key in enumerate(distinct)}
    return sorts, met, weak, sums


def _wide_enough(most: int) -> type[np.signedinteger[Any]]:
    """The smallest integers that hold numbers up to `most`: what is small goes through memory sooner."""
    kinds: tuple[type[np.signedinteger[Any]], ...] = (np.int16, np.int32, np.int64)
    return next(kind for kind in kinds if most <= np.iinfo(kind).max)


def gathered(
    keys: NDArray[np.int64],
    larger_keys: NDArray[np.int64],
    larger: NDArray[Any],
    deck: Deck,
    dtype: type[np.signedinteger[Any]],
    *,
    seen: int = -1,
) -> NDArray[Any]:
    """What every smaller board sums up to over the cards that may be added, `seen` never."""
    out = np.empty((len(keys), larger.shape[1]), dtype)
    in_parallel(
        lambda start, stop: kernels.gather(start, stop, keys, larger_keys, larger, seen, deck, out),
        len(keys),
        chunk=max(16, len(keys) // 64),
    )
    return out


def _tallied(start: int, stop: int, *arguments: Any) -> NDArray[np.int64]:
    out = np.zeros((KINDS, 10, 4, 4), np.int64)
    kernels.tally(start, stop, *arguments, out)  # type: ignore[call-arg]
    return out


def _situations(tallied: list[NDArray[np.int64]], dealers: int) -> NDArray[np.int64]:
    """From dealers below, equal, not qualified and all to the situations of the player's hand."""
    higher, equal, weak, boards = np.moveaxis(np.sum(tallied, axis=0), 2, 0)
    return np.stack([higher, boards * dealers - higher - equal - weak, equal, weak], axis=2)


def played_nets(game: MainGame) -> NDArray[np.int64]:
    """Net antes of a hand that is played, by class, situation and later bets: none, turn's, river's, both."""
    later = {bet.seen: bet.nets for bet in game.later}
    always = game.base_nets + game.opening.nets
    nothing = np.zeros_like(always)
    turn, river = later.get(3, nothing), later.get(4, nothing)
    return np.stack([always, always + turn, always + river, always + turn + river], axis=-1)
