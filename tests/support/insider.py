"""An insider who knows deck and key before bets, at a table with one device that does not collude.

The table plays the main game of a real book: decks of `sealing.shuffle`, seals of `sealing.commit`, orders of
`composition.composed`, dealt by the book's procedure and settled by the compiled kernel of its solver. The insider
sits at position 1 and has the devices of `colluding` players. They bet ten units where the deal that they expect wins
and one where it does not, play their hand as an uninformed player does, and choose which of the devices reveal once
they have seen what the honest one did.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random
from typing import Any

import numpy as np
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from numpy.typing import NDArray

from pitboss.cards import DECK
from pitboss.floor.composition import (
    AS_SEALED,
    BeaconValue,
    Contribution,
    beacon_message,
    composed,
    is_signed,
)
from pitboss.floor.sealing import commit, shuffle
from pitboss.floor.seeded import SeededCards
from pitboss.floor.table_events import BeaconAnnounced, Composition, DealtTo
from pitboss.maths.evaluators import encode
from pitboss.maths.main_game import play
from pitboss.maths.rounds import Table, table_for
from pitboss.maths.strategies import EVERY_HAND, OPTIMAL
from pitboss.rulebooks import load_plan
from pitboss.rulebooks.dealing import dealing_order
from pitboss.rulebooks.vocabulary import Place
from support.maths import solution_of

BOOK, PROCEDURE = "mbs-3cp-2023", "method-a"
MANY, FEW = 10, 1
"""What the insider bets where they expect to win, and where they do not."""
GENESIS, PERIOD, DEADLINE = 1_700_000_000, 3, 1_790_000_002
ROUND_OF_BEACON = (DEADLINE - GENESIS) // PERIOD + 2
SIGNER = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
KEY = SIGNER.public_key().public_bytes_raw().hex()
FOLDED = -1
"""What a folded hand nets: its ante."""
Deal = list[int]
"""The cards of a round as the kernel takes them: the dealer's, then those of position 1."""


class Way(Enum):
    """How a table makes its order, and what the insider does about it."""

    SEALED = "no composition: the cards are dealt as they were sealed"
    ALONE = "composed with the insider's own devices alone"
    REVEALED = "composed, every device reveals"
    BEACON = "composed with a beacon, the insider withholds as they like"
    WITHHELD = "composed without a beacon, the insider withholds where that is better"
    READ = "composed, every device reveals; the order is read once it is made, and decides whether to fold"


@dataclass(frozen=True, slots=True)
class Result:
    """Rounds with what was bet and won in antes, the sums for the error, and in how many a device withheld."""

    rounds: int
    bet: int
    won: int
    squares: int
    products: int
    bets_squared: int
    withheld: int

    def __add__(self, other: Result) -> Result:
        return Result(
            self.rounds + other.rounds,
            self.bet + other.bet,
            self.won + other.won,
            self.squares + other.squares,
            self.products + other.products,
            self.bets_squared + other.bets_squared,
            self.withheld + other.withheld,
        )

    @property
    def back(self) -> Fraction:
        """What the insider wins for each ante that they bet."""
        return Fraction(self.won, self.bet)

    @property
    def error(self) -> float:
        """The standard error of `back`, of rounds whose bets differ."""
        back = self.won / self.bet
        around = self.squares - 2 * back * self.products + back * back * self.bets_squared
        return math.sqrt(around) / self.bet

    def errors_from(self, exact: Fraction) -> float:
        """How many standard errors lie between `back` and an exact value."""
        return float(self.back - exact) / self.error


@cache
def the_game() -> tuple[Table, Table, Fraction]:
    """The book's tables for an uninformed player and for one who never folds, and what the former wins an ante."""
    solution = solution_of(BOOK)
    return table_for(solution, OPTIMAL), table_for(solution, EVERY_HAND), play(solution).distribution.mean


def uninformed() -> Fraction:
    """What a player wins for each ante who knows nothing of the deck, exactly."""
    return the_game()[2]


@cache
def _turns() -> tuple[tuple[DealtTo, ...], list[int]]:
    """The dealing announced, and which cards of it, by turn, are the dealer's and position 1's; two positions play."""
    plan = load_plan(BOOK)
    order = dealing_order(plan.procedure(PROCEDURE), plan.parts)
    rows: list[str] = []
    for row, cards in order:
        rows += [name for name in (("1", "2") if row == "positions" else (row,)) for _ in range(cards)]
    dealer = [turn for turn, row in enumerate(rows) if row == Place.DEALER.value]
    own = [turn for turn, row in enumerate(rows) if row == "1"]
    return tuple(DealtTo(to=row, cards=cards) for row, cards in order), [*dealer, *own]


def _nets(table: Table, deals: Sequence[Deal]) -> NDArray[np.int64]:
    return table.settle(deals, seats=1)[0][:, 0]


def run(way: Way, *, colluding: int = 1, rounds: int, seed: int) -> Result:
    """Rounds at one table, each with a deck, secrets and choices of its own."""
    random = Random(f"{way.name} {colluding} {seed}")
    source = SeededCards(random)
    dealing, turns = _turns()
    reveals = list(product((True, False), repeat=colluding))
    expected: list[Deal] = []
    possible: list[Deal] = []
    blind: list[Deal] = []
    for number in range(1, rounds + 1):
        deck = shuffle(source, DECK)
        root = commit(
            deck,
            table="t",
            number=number,
            dealing=dealing,
            hands=("ante",),
            composition=Composition(reveal_seconds=2, beacon=_announced() if way is Way.BEACON else None),
        ).root
        cards: Deal = encode(sealed.card for sealed in deck).tolist()
        own = [
            Contribution(f"friend-{n}", f"phone-{n}", random.randbytes(32).hex()) for n in range(colluding)
        ]
        honest = Contribution("guest", "phone", random.randbytes(32).hex())
        beacon = _value(number) if way is Way.BEACON else None
        known: dict[str, Any] = {"table": "t", "number": number, "root": root}

        def deal(given: Sequence[Contribution], value: BeaconValue | None = None) -> Deal:
            order = composed(given, value, **known)  # noqa: B023 - called in its own turn of the loop
            return [cards[order[turn]] for turn in turns]  # noqa: B023

        expected.append([cards[AS_SEALED[turn]] for turn in turns] if way is Way.SEALED else deal(own))
        if way is Way.SEALED or way is Way.ALONE:
            possible.append(expected[-1])
            continue
        if way is Way.REVEALED or way is Way.READ:
            possible.append(deal([honest, *own]))
            continue
        for kept in reveals:
            given = [honest, *(one for one, is_in in zip(own, kept, strict=True) if is_in)]
            possible.append(deal(given, beacon))
            if (
                way is Way.BEACON
            ):  # it is published when the devices have revealed: this is all that they know
                blind.append(deal(given))
    return _result(way, expected, possible, blind, reveals)


def _result(
    way: Way,
    expected: Sequence[Deal],
    possible: Sequence[Deal],
    blind: Sequence[Deal],
    reveals: Sequence[tuple[bool, ...]],
) -> Result:
    """What the insider bets on what they expect, and wins with the choice that they make of what is possible."""
    plays, always, _ = the_game()
    bets = np.where(_nets(plays, expected) > 0, MANY, FEW)
    nets = _nets(plays, possible)
    if way is Way.READ:
        nets = np.maximum(_nets(always, possible), FOLDED)
    choices = nets.reshape(len(expected), -1)
    seen = _nets(plays, blind).reshape(choices.shape) if blind else choices
    chosen = seen.argmax(axis=1)
    won = choices[np.arange(len(choices)), chosen] * bets
    withheld = np.array([kept.count(False) for kept in reveals])[chosen] if choices.shape[1] > 1 else chosen
    return Result(
        rounds=len(bets),
        bet=int(bets.sum()),
        won=int(won.sum()),
        squares=int((won * won).sum()),
        products=int((won * bets).sum()),
        bets_squared=int((bets * bets).sum()),
        withheld=int(np.count_nonzero(withheld)),
    )


def _announced() -> BeaconAnnounced:
    return BeaconAnnounced(
        name="local",
        key=KEY,
        genesis=GENESIS,
        period=PERIOD,
        round=ROUND_OF_BEACON,
        wait_seconds=10,
        missing="wait",
    )


def _value(number: int) -> BeaconValue:
    """What the local signer publishes for a round of its own for each round of play."""
    at = ROUND_OF_BEACON + number
    value = BeaconValue(at, SIGNER.sign(beacon_message("local", at)).hex())
    assert is_signed("local", KEY, value)
    return value
