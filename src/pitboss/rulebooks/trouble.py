"""The words for what goes wrong at a table: kinds, conditions, and what is done about them.

A book's `[[remedies]]` combine them: for each kind, rows whose conditions exclude one another and leave no
case out.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from pitboss.rulebooks.vocabulary import Word, define


class Irregularity(Word):
    """What staff may report."""

    FOREIGN_CARD = "foreign-card"
    MISSING_CARD = "missing-card"
    EXTRA_CARD = "extra-card"
    UNSHUFFLED = "unshuffled"
    INSUFFICIENT_CARDS = "insufficient-cards"
    SHUFFLER_JAM = "shuffler-jam"
    DISRUPTION = "disruption"
    MISDEAL = "misdeal"
    WRONG_COUNT_COMMUNITY = "wrong-count-community"
    WRONG_COUNT_DEALER = "wrong-count-dealer"
    WRONG_COUNT_POSITION = "wrong-count-position"
    EXPOSED = "exposed"
    MISSED_BURN = "missed-burn"
    FACE_UP = "face-up"
    SIMULTANEOUS_DRAW = "simultaneous-draw"
    COUNT_DOUBT = "count-doubt"
    CONFIDENTIALITY = "confidentiality"
    MULTIPLE_HANDS = "multiple-hands"
    EXTRA_VIEW = "extra-view"
    POWER_FAILURE = "power-failure"
    JACKPOT_FAILURE = "jackpot-failure"
    UNCOVERED = "uncovered"


class Condition(Word):
    """When a row of `[[remedies]]` applies; all conditions of a row must hold."""

    ROUND_IN_PROGRESS = "round-in-progress"
    NO_ROUND_IN_PROGRESS = "no-round-in-progress"
    DEALT_NOT_SETTLED = "dealt-not-settled"
    NOT_DEALT_OR_SETTLED = "not-dealt-or-settled"
    SETTLED_NEXT_NOT_COMMENCED = "settled-next-not-commenced"
    BEFORE_NEXT_COMMENCEMENT = "noticed-before-next-commencement"
    AFTER_NEXT_COMMENCEMENT = "noticed-after-next-commencement"
    NOBODY_HANDLED = "nobody-has-handled-cards"
    SOMEBODY_HANDLED = "somebody-has-handled-cards"
    NOBODY_SAW = "nobody-has-seen-cards"
    SOMEBODY_SAW = "somebody-has-seen-cards"
    RECONSTRUCTABLE = "reconstructable"
    NOT_RECONSTRUCTABLE = "not-reconstructable"
    RECONSTRUCTION_NOT_JUDGED = "reconstruction-not-judged"
    INTENTIONAL = "intentional"
    UNINTENTIONAL = "unintentional"
    ONE_CARD_EXPOSED = "one-card-exposed"
    SEVERAL_CARDS_EXPOSED = "several-cards-exposed"
    COUNT_IS_RIGHT = "count-is-right"
    COUNT_IS_WRONG = "count-is-wrong"
    NO_OUTCOME = "no-outcome-established"
    OUTCOME = "outcome-established"
    CARD_IS_BURNED = "card-is-burned"
    NO_CARD_IS_BURNED = "no-card-is-burned"
    SOME_VIEWED = "some-of-the-hands-viewed"
    NONE_VIEWED = "none-of-the-hands-viewed"
    EXPOSED_IN_THE_DEAL = "exposed-in-the-deal"
    EXPOSED_LATER = "exposed-later"
    EXPOSED_BY_DEALER = "exposed-by-the-dealer"
    EXPOSED_BY_PLAYER = "exposed-by-a-player"
    LATE_COUNT_VOIDS = "late-count-voids"
    LATE_COUNT_STANDS = "late-count-changes-nothing"
    LATE_REPAIR_SETTLES = "late-repair-settles-again"
    LATE_REPAIR_STANDS = "late-repair-changes-nothing"


class ExposedBy(Word):
    """Who exposed a card wrongly."""

    DEALER = "dealer"
    PLAYER = "player"


class ExposedAt(Word):
    """When a card was exposed wrongly; the time of the report does not count."""

    DEAL = "deal"
    LATER = "later"


class ExposureUntil(Word):
    """Until when a card counts as exposed during the deal."""

    DEAL = "the-deal"
    SETTLEMENT = "the-settlement"


class OfferedTo(Word):
    """Which hands choose where a row is about the players affected."""

    AFFECTED = "affected-hands"
    EVERY_HAND = "every-hand"


class LateCount(Word):
    """What a count proves that finds a wrong pack after the settlement."""

    STANDS = "settlement-stands"
    VOIDS = "round-void"


class LateRepair(Word):
    """What becomes of a settled round whose cards can be put back in order."""

    STANDS = "settlement-stands"
    SETTLES_AGAIN = "settled-again"


class Mode(Word):
    """How a remedy comes about."""

    AUTOMATIC = "automatic"
    SUSPENDED = "suspended"
    OPTION = "option"
    RECORDED = "recorded"


class Remedy(Word):
    """What is done."""

    VOID = "void"
    CONTINUE = "continue"
    RECONSTRUCT = "reconstruct"
    REMOVE_HAND = "remove-hand"
    KEEP_VIEWED_HANDS = "keep-viewed-hands"
    KEEP_FIRST_DEALT_HAND = "keep-first-dealt-hand"
    WITHDRAW_OR_STAY = "withdraw-or-stay"
    WITHDRAW_ALL_OR_STAY = "withdraw-all-or-stay"
    RECONSTRUCT_THEN_CHOOSE = "reconstruct-then-choose"
    AS_RULED = "as-ruled"
    NOTHING = "nothing"
    SETTLED_ROUNDS_STAND = "settled-rounds-stand"
    SETTLEMENT_STANDS = "settlement-stands"
    SETTLE_AGAIN = "settle-again"
    CHOOSE_THEN_SETTLE_AGAIN = "choose-then-settle-again"

    @property
    def settles_again(self) -> bool:
        """Whether a round that is settled already is settled once more."""
        return self in (Remedy.SETTLE_AGAIN, Remedy.CHOOSE_THEN_SETTLE_AGAIN)


REMEDIES_BY_MODE: Mapping[Mode, tuple[Remedy, ...]] = MappingProxyType(
    {
        Mode.AUTOMATIC: (
            Remedy.VOID,
            Remedy.CONTINUE,
            Remedy.RECONSTRUCT,
            Remedy.REMOVE_HAND,
            Remedy.KEEP_VIEWED_HANDS,
            Remedy.KEEP_FIRST_DEALT_HAND,
            Remedy.SETTLE_AGAIN,
        ),
        Mode.SUSPENDED: (Remedy.AS_RULED,),
        Mode.OPTION: (
            Remedy.WITHDRAW_OR_STAY,
            Remedy.WITHDRAW_ALL_OR_STAY,
            Remedy.RECONSTRUCT_THEN_CHOOSE,
            Remedy.CHOOSE_THEN_SETTLE_AGAIN,
        ),
        Mode.RECORDED: (
            Remedy.NOTHING,
            Remedy.CONTINUE,
            Remedy.SETTLED_ROUNDS_STAND,
            Remedy.SETTLEMENT_STANDS,
        ),
    }
)


class Ruling(Word):
    """What a person with the authority may rule. The last five are orders that last beyond the round."""

    VOID = "void"
    CONTINUE = "continue"
    RECONSTRUCT = "reconstruct"
    INVALIDATE = "invalidate"
    PERMIT_WITHDRAWAL = "permit-withdrawal"
    ORDER = "order"
    BAR = "bar"
    RESTRICT = "restrict"
    CLOSE_TABLE = "close-table"
    BLOCK = "block"
    SUSPEND_JACKPOT = "suspend-jackpot"

    @property
    def lasts(self) -> bool:
        """Whether it is an order that lasts beyond the round."""
        return self in _ORDERS


_ORDERS = (Ruling.BAR, Ruling.RESTRICT, Ruling.CLOSE_TABLE, Ruling.BLOCK, Ruling.SUSPEND_JACKPOT)

C = Condition
DIMENSIONS: Mapping[str, tuple[frozenset[Condition], ...]] = MappingProxyType(
    {
        "moment": (
            frozenset({C.ROUND_IN_PROGRESS, C.NOT_DEALT_OR_SETTLED, C.AFTER_NEXT_COMMENCEMENT}),
            frozenset({C.ROUND_IN_PROGRESS, C.DEALT_NOT_SETTLED, C.BEFORE_NEXT_COMMENCEMENT}),
            frozenset(
                {
                    C.NO_ROUND_IN_PROGRESS,
                    C.NOT_DEALT_OR_SETTLED,
                    C.SETTLED_NEXT_NOT_COMMENCED,
                    C.BEFORE_NEXT_COMMENCEMENT,
                }
            ),
            frozenset({C.NO_ROUND_IN_PROGRESS, C.NOT_DEALT_OR_SETTLED, C.AFTER_NEXT_COMMENCEMENT}),
        ),
        "handled": (frozenset({C.NOBODY_HANDLED}), frozenset({C.SOMEBODY_HANDLED})),
        "seen": (frozenset({C.NOBODY_SAW}), frozenset({C.SOMEBODY_SAW})),
        "reconstruction": (
            frozenset({C.RECONSTRUCTABLE}),
            frozenset({C.NOT_RECONSTRUCTABLE}),
            frozenset({C.RECONSTRUCTION_NOT_JUDGED}),
        ),
        "intention": (frozenset({C.INTENTIONAL}), frozenset({C.UNINTENTIONAL})),
        "exposure": (frozenset({C.ONE_CARD_EXPOSED}), frozenset({C.SEVERAL_CARDS_EXPOSED})),
        "count": (frozenset({C.COUNT_IS_RIGHT}), frozenset({C.COUNT_IS_WRONG})),
        "outcome": (frozenset({C.NO_OUTCOME}), frozenset({C.OUTCOME})),
        "burning": (frozenset({C.CARD_IS_BURNED}), frozenset({C.NO_CARD_IS_BURNED})),
        "viewed": (frozenset({C.SOME_VIEWED}), frozenset({C.NONE_VIEWED})),
        "exposed-at": (frozenset({C.EXPOSED_IN_THE_DEAL}), frozenset({C.EXPOSED_LATER})),
        "exposed-by": (frozenset({C.EXPOSED_BY_DEALER}), frozenset({C.EXPOSED_BY_PLAYER})),
        "late-count": (frozenset({C.LATE_COUNT_VOIDS}), frozenset({C.LATE_COUNT_STANDS})),
        "late-repair": (frozenset({C.LATE_REPAIR_SETTLES}), frozenset({C.LATE_REPAIR_STANDS})),
    }
)
"""The circumstances of a report: in each dimension one set of conditions holds and the others do not.

The moments are: bets open or closed and no card dealt; cards on the layout; settled, the next round not
commenced; no round at all, or a void one. What a late count or repair does is not a circumstance of the round
but of the book: `[late]` says which of these conditions hold.
"""

define(
    (Irregularity.FOREIGN_CARD, "a card that does not belong to the pack"),
    (Irregularity.MISSING_CARD, "the pack is short of a card"),
    (Irregularity.EXTRA_CARD, "the pack has a card too many"),
    (Irregularity.UNSHUFFLED, "cards that were not shuffled"),
    (Irregularity.INSUFFICIENT_CARDS, "too few cards in the device to finish the round"),
    (Irregularity.SHUFFLER_JAM, "the shuffler is jammed"),
    (Irregularity.DISRUPTION, "an event outside the game stops it"),
    (Irregularity.MISDEAL, "cards dealt to the wrong places"),
    (Irregularity.WRONG_COUNT_COMMUNITY, "a wrong number of community cards"),
    (Irregularity.WRONG_COUNT_DEALER, "a wrong number of cards in the dealer's hand"),
    (Irregularity.WRONG_COUNT_POSITION, "a wrong number of cards in a player's hand"),
    (Irregularity.EXPOSED, "cards wrongly exposed"),
    (Irregularity.MISSED_BURN, "a card that should have been burned was not"),
    (Irregularity.FACE_UP, "a card found face up in the device"),
    (Irregularity.SIMULTANEOUS_DRAW, "cards drawn together, their order unknown"),
    (Irregularity.COUNT_DOUBT, "doubt about the number of cards; the pack is counted"),
    (Irregularity.CONFIDENTIALITY, "a hand shown, or another's looked at"),
    (Irregularity.MULTIPLE_HANDS, "a player has wagered on several positions by mistake"),
    (Irregularity.EXTRA_VIEW, "a player has looked at a further hand"),
    (Irregularity.POWER_FAILURE, "the power fails, or another technical interruption"),
    (Irregularity.JACKPOT_FAILURE, "the jackpot system does not work fully"),
    (Irregularity.UNCOVERED, "anything the book does not speak of"),
    (Condition.ROUND_IN_PROGRESS, "bets are open, or closed and not settled"),
    (Condition.NO_ROUND_IN_PROGRESS, "the last round is concluded, or there was none"),
    (Condition.DEALT_NOT_SETTLED, "cards lie on the layout"),
    (Condition.NOT_DEALT_OR_SETTLED, "no card is dealt yet, or the round is concluded"),
    (Condition.SETTLED_NEXT_NOT_COMMENCED, "the round is settled and the next has not commenced"),
    (Condition.BEFORE_NEXT_COMMENCEMENT, "cards lie on the layout or the next round has not commenced"),
    (Condition.AFTER_NEXT_COMMENCEMENT, "the next round has commenced, or there is no round to mend"),
    (Condition.NOBODY_HANDLED, "no player has touched or seen their cards"),
    (Condition.SOMEBODY_HANDLED, "some player has touched or seen their cards"),
    (Condition.NOBODY_SAW, "no player has seen their cards"),
    (Condition.SOMEBODY_SAW, "some player has seen their cards"),
    (Condition.RECONSTRUCTABLE, "the House finds that the cards can be put back in order"),
    (Condition.NOT_RECONSTRUCTABLE, "the House finds that they cannot"),
    (Condition.RECONSTRUCTION_NOT_JUDGED, "the House has not found yet whether they can"),
    (Condition.INTENTIONAL, "it was found to be on purpose"),
    (Condition.UNINTENTIONAL, "it was found not to be on purpose"),
    (Condition.ONE_CARD_EXPOSED, "one card of this round, all incidents together"),
    (Condition.SEVERAL_CARDS_EXPOSED, "two or more cards of this round, all incidents together"),
    (Condition.COUNT_IS_RIGHT, "the count finds the whole pack"),
    (Condition.COUNT_IS_WRONG, "the count finds too many or too few"),
    (Condition.NO_OUTCOME, "no wager has conclusively won or lost"),
    (Condition.OUTCOME, "some wager has conclusively won or lost"),
    (Condition.CARD_IS_BURNED, "the dealing procedure burns cards"),
    (Condition.NO_CARD_IS_BURNED, "the dealing procedure burns none"),
    (Condition.SOME_VIEWED, "one or more of the hands in question were viewed"),
    (Condition.NONE_VIEWED, "none of the hands in question was viewed"),
    (Condition.EXPOSED_IN_THE_DEAL, "the card was exposed during the deal"),
    (Condition.EXPOSED_LATER, "the card was exposed after the deal"),
    (Condition.EXPOSED_BY_DEALER, "the dealer exposed it"),
    (Condition.EXPOSED_BY_PLAYER, "a player exposed it"),
    (Condition.LATE_COUNT_VOIDS, "the book is read so that a wrong count voids a settled round"),
    (Condition.LATE_COUNT_STANDS, "the book is read so that a settlement stands whatever is counted"),
    (Condition.LATE_REPAIR_SETTLES, "the book is read so that a repaired round is settled again"),
    (
        Condition.LATE_REPAIR_STANDS,
        "the book is read so that a settlement stands although repairable",
    ),
    (ExposedBy.DEALER, "the dealer"),
    (ExposedBy.PLAYER, "a player"),
    (ExposedAt.DEAL, "during the deal"),
    (ExposedAt.LATER, "after the deal"),
    (ExposureUntil.DEAL, "what was exposed after the deal is set apart"),
    (ExposureUntil.SETTLEMENT, "whatever is exposed before the settlement counts as exposed in the deal"),
    (OfferedTo.AFFECTED, "the hands that the report names, every hand where it names none"),
    (OfferedTo.EVERY_HAND, "every live hand, whichever the report names"),
    (LateCount.STANDS, "the settlement stands"),
    (LateCount.VOIDS, "the round is void"),
    (LateRepair.STANDS, "the settlement stands"),
    (LateRepair.SETTLES_AGAIN, "the cards are put in order and the round is settled again"),
    (Mode.AUTOMATIC, "the book leaves no choice; the report applies the remedy"),
    (Mode.SUSPENDED, "the round waits for a ruling by a person with the authority"),
    (Mode.OPTION, "every player with a live hand says whether they stay"),
    (Mode.RECORDED, "it is entered in the record, and no money moves"),
    (Remedy.VOID, "every stake back, whatever was paid reversed; earlier rounds stand"),
    (Remedy.CONTINUE, "play goes on"),
    (Remedy.RECONSTRUCT, "the cards are put where they belong, and play goes on"),
    (Remedy.REMOVE_HAND, "the hand is out, and its stakes go back"),
    (Remedy.KEEP_VIEWED_HANDS, "viewed hands play on; the stakes of the others go back"),
    (Remedy.KEEP_FIRST_DEALT_HAND, "the hand dealt first plays on; the stakes of the others go back"),
    (Remedy.WITHDRAW_OR_STAY, "each hand stays in, or is out and its stakes go back"),
    (Remedy.WITHDRAW_ALL_OR_STAY, "each player stays in, or takes back every stake they have in the round"),
    (Remedy.RECONSTRUCT_THEN_CHOOSE, "the cards are put where they belong; each hand stays or is out"),
    (Remedy.AS_RULED, "whatever is ruled"),
    (Remedy.NOTHING, "nothing changes"),
    (Remedy.SETTLED_ROUNDS_STAND, "rounds already settled keep their results"),
    (Remedy.SETTLEMENT_STANDS, "the settlement already made stays"),
    (Remedy.SETTLE_AGAIN, "the cards are put where they belong, and the round is settled again"),
    (
        Remedy.CHOOSE_THEN_SETTLE_AGAIN,
        "the cards are put where they belong; each hand stays or is out; the round is settled again",
    ),
    (Ruling.VOID, "the round is void"),
    (Ruling.CONTINUE, "play goes on"),
    (Ruling.RECONSTRUCT, "the cards are put where they belong"),
    (Ruling.INVALIDATE, "the hand at a position is out, and its stakes go back"),
    (Ruling.PERMIT_WITHDRAWAL, "the player at a position may take back the stakes of their hand"),
    (Ruling.ORDER, "which of the cards drawn together comes first"),
    (Ruling.BAR, "a player may not play on"),
    (Ruling.RESTRICT, "a player may wager on one position only"),
    (Ruling.CLOSE_TABLE, "the table takes no further round"),
    (Ruling.BLOCK, "a position takes no bets"),
    (Ruling.SUSPEND_JACKPOT, "no jackpot bets are taken"),
)
