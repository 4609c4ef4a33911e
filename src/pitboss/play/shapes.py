"""What is shown of a round, as it is sent: structs that the views of play are built from.

What is not always there is left out, not null.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import msgspec
from msgspec import UNSET, UnsetType

from pitboss.cards import ReadHand
from pitboss.rulebooks.trouble import Ruling

Left = UnsetType
"""A field that may be left out."""


class Shape(msgspec.Struct):
    """Something that is sent."""


def parts_of(shape: msgspec.Struct) -> dict[str, Any]:
    """The fields of a shape, for one that has the same and more."""
    return msgspec.structs.asdict(shape)


class Ranked(Shape):
    """A hand: its class, and the ranks that decide within it, the most important first.

    Of two hole cards the class is `one-pair`, `suited-cards`, `odd-cards` or `aces-against-aces`.
    """

    hand_class: str = msgspec.field(name="class")
    ranks: list[str]

    @classmethod
    def of(cls, hand: ReadHand | None) -> Self | None:
        """A hand that was read out; None for none."""
        return None if hand is None else cls(hand.hand_class, [rank.code for rank in hand.ranks])


class Position(Shape):
    """A position at the table: whose it is, what is staked, its cards as far as the viewer may see them."""

    player: str
    stakes: dict[str, str]
    fate: str
    choices: dict[str, str]
    viewed: bool
    cards: list[str]


class PaidBy(Shape):
    """The pay of a table: `odds` to one or for one, a fixed award, `percent` of the meter.

    `row` is the class of the hand it is paid for, left out where every hand is paid alike. `on` is the stake
    or the meter it was counted on, left out where that is not what was paid; `times` a multiple that counts
    again; `capped` is there where the table pays no more.
    """

    kind: str
    odds: int | Left = UNSET
    percent: int | Left = UNSET
    row: str | Left = UNSET
    on: str | Left = UNSET
    times: int | Left = UNSET
    capped: bool | Left = UNSET


class Line(Shape):
    """A wager of a settlement: what was returned, taken and paid, and the clauses that say so.

    `hand` and `ranked` are the hand that it was judged by, in words and as data; null where there was none or
    the viewer may not see it. `pay` is what it was paid by, left out where nothing was paid or the viewer may
    not see the hand.
    """

    wager: str
    stake: str
    returned: str
    collected: str
    paid: str
    clauses: Sequence[str]
    hand: str | None
    ranked: Ranked | None
    pay: PaidBy | Left = UNSET


class Seat(Shape):
    """The settlement of one position; `hand` and `ranked` are the one compared with the dealer's, or null."""

    position: int
    player: str
    hand: str | None
    ranked: Ranked | None
    net: str
    lines: list[Line]


class Notice(Shape):
    """What a table displays for everybody, and the positions it is about."""

    notice: str
    text: str
    clauses: Sequence[str]
    positions: list[int] | Left = UNSET


class Suspended(Shape):
    """Play waits for a ruling."""

    kind: str
    clauses: Sequence[str]


class Options(Shape):
    """Positions whose players choose whether they stay in."""

    waiting: list[int]
    clauses: Sequence[str]


class Matter(Shape):
    """What waits for a ruling, the positions it is about, who may rule, and what.

    `note` is what was said of it in the report; `what` is the whole of the report in English.
    """

    what: str
    kind: str
    positions: Sequence[int]
    decides: str
    rulings: list[Ruling]
    note: str


class Claimed(Shape):
    """A hand of this round that claims the jackpot."""

    position: int
    hand: str


class ToRead(Shape):
    """A folded hand that is read before it is cleared: for which wagers, and how many cards were entered."""

    position: int
    wagers: Sequence[str]
    entered: int


class ToMend(Shape):
    """What was recorded at a hand and can still be taken back."""

    position: int
    decision: str
    choice: str


class RoundView(Shape, kw_only=True):
    """A round as one viewer sees it."""

    round: int
    stage: str
    positions: dict[str, Position]
    community: list[str]
    dealer: list[str]
    decision: str | None
    waiting_for: list[int]
    meter: str | Left = UNSET
    suspended: Suspended | Left = UNSET
    options: Options | Left = UNSET
    may_withdraw: list[int] | Left = UNSET
    void: Sequence[str] | Left = UNSET
    settlement: list[Seat] | Left = UNSET
    dealer_hand: str | Left = UNSET
    dealer_ranked: Ranked | Left = UNSET
    dealer_qualifies: bool | Left = UNSET
    notices: list[Notice] | Left = UNSET
    claim: list[Claimed] | Left = UNSET
    rack: str | Left = UNSET
    racks: dict[str, str] | Left = UNSET
    looked_at: list[int] | Left = UNSET
    warned: list[str] | Left = UNSET
    restricted: list[str] | Left = UNSET
    barred: list[str] | Left = UNSET
    blocked: list[int] | Left = UNSET
    closed: bool | Left = UNSET
    jackpot_suspended: bool | Left = UNSET
    cards_exposed: int | Left = UNSET
    jackpot_stopped: bool | Left = UNSET
    next: str | Left | None = UNSET
    step: int | Left = UNSET
    entered: dict[str, int] | Left = UNSET
    burned: int | Left = UNSET
    handled: list[int] | Left = UNSET
    to_read: list[ToRead] | Left = UNSET
    to_mend: list[ToMend] | Left = UNSET
    corrections: int | Left = UNSET
    matter: Matter | Left = UNSET
    may_still_rule: dict[str, str] | Left = UNSET


# --- advice to staff ----------------------------------------------------------------------------------------


class Way(Shape):
    """One way a matter can end, and what each player gets back, or gives with a minus.

    `does` is a remedy, a ruling, or `withdraw`; `about` is the position or the player it is about, or empty.
    `what` is both in English.
    """

    what: str
    does: str
    about: str
    racks: dict[str, str]


class Order(Shape):
    """A measure that may follow, and who may order it."""

    ruling: str
    position: str
    clauses: Sequence[str]


class Withdrawal(Shape):
    """Who may let the others go once a hand was removed."""

    position: str
    clauses: Sequence[str]


class RemedyRow(Shape, rename="kebab", omit_defaults=True, kw_only=True):
    """A row of a book's remedies; what it does not say is left out."""

    kind: str
    when: list[str] = []
    mode: str
    remedy: str
    finding: str | None = None
    decides: str | None = None
    rulings: list[str] = []
    orders: list[str] = []
    withdrawal: Withdrawal | None = None
    choice_after: list[str] = []
    clauses: list[str]
    choice_clauses: list[str] = []
    affected: bool = False
    second_signature: bool = False
    note: str = ""


class Branch(Shape):
    """What the book does if `findings` are found; without any, whatever is found."""

    findings: list[str]
    row: RemedyRow
    ways: list[Way]
    orders: list[Order]


class Advice(Shape):
    """What the book says about an irregularity now: what the table knows, and a branch for each finding.

    `asks` is what else the book asks of the report: `by`, `at`, `seats`.
    """

    kind: str
    known: list[str]
    asks: list[str]
    branches: list[Branch]


class Tried(Shape):
    """A ruling that may be given now, tried out: what each player gets back by it, and what may follow."""

    ruling: Ruling
    argument: str
    racks: dict[str, str]
    then: list[Way]
    second_signature: bool | Left = UNSET
