"""The closed vocabulary of rulebooks: every word that may stand in a book's data, and what it means.

A book recombines these words; a new one needs code beside the word (STYLE: data plus named policies).
`docs/adding-a-rulebook.md` is checked against this module.
"""

from __future__ import annotations

from enum import StrEnum


class Word(StrEnum):
    """A word of the vocabulary. Each member's meaning stands beside it in `MEANINGS`."""


class ClauseKind(Word):
    """What a clause is about."""

    META = "meta"
    DEFINITION = "definition"
    DECK = "deck"
    LAYOUT = "layout"
    EQUIPMENT = "equipment"
    BETTING = "betting"
    LIMITS = "limits"
    DEAL = "deal"
    DECISION = "decision"
    COMPARISON = "comparison"
    RANKING = "ranking"
    SETTLEMENT = "settlement"
    JACKPOT = "jackpot"
    IRREGULARITY = "irregularity"
    AUTHORITY = "authority"
    DISPUTE = "dispute"


class Position(Word):
    """Staff positions, lowest first; a higher one may act for a lower one."""

    DEALER = "dealer"
    DEALER_INSPECTOR = "dealer-inspector"
    PIT_SUPERVISOR = "pit-supervisor"
    PIT_MANAGER = "pit-manager"
    SHIFT_MANAGER = "shift-manager"
    ASSISTANT_DIRECTOR = "assistant-director"


class Action(Word):
    """What becomes of a wager."""

    PAY = "pay"
    COLLECT = "collect"
    RETURN = "return"


class Situation(Word):
    """How a hand stands when its wagers are settled."""

    HIGHER = "higher"
    LOWER = "lower"
    EQUAL = "equal"
    DEALER_NOT_QUALIFIED = "dealer-not-qualified"
    FOLDED = "folded"
    DECLINED = "declined"
    DECLINED_DEALER_NOT_QUALIFIED = "declined-dealer-not-qualified"
    ESTABLISHED = "established"
    ABSENT = "absent"


class Absence(Word):
    """What an outstanding decision of an absent player becomes."""

    INVALID = "invalid"
    CHECK = "check"
    FOLD = "fold"


class AbsentWithout(Word):
    """A player who is away and has no wager that a decision hangs on (R-ABSENT-NOANTE)."""

    SETTLED = "settled"
    INVALID = "invalid"


class Qualifying(Word):
    """How it is told whether the dealer's hand is compared at all."""

    HAND_AT_LEAST = "hand-at-least"
    HOLDS_ANY = "holds-any"
    HOLDS_ALL = "holds-all"


class FullHouses(Word):
    """Full houses with equal threes."""

    PAIRS = "pairs"
    PAIRS_IF_THREES_ON_BOARD = "pairs-if-threes-on-board"


class UnderMinimum(Word):
    """How a stake below the minimum is settled."""

    SETTLED_ONCE = "settled-once"
    SETTLED_AS_PLACED = "settled-as-placed"


class UsedBy(Word):
    """What uses up the one time that a stake below the minimum is settled (R-UNDERMIN-USED)."""

    MONEY_MOVED = "money-moved"
    ANY_SETTLED = "any-settled"
    ONE_OF_EACH = "one-of-each"


class ShortWager(Word):
    """A later wager that is less than its prescribed multiple, found at settlement (R-WRONGSIZE)."""

    SETTLED = "settled"
    NOT_PLACED = "not-placed"


class MaximumOf(Word):
    """What the maximum of a wager bounds where later wagers are measured by it (R-MAXDERIVED)."""

    AREA = "area"
    BOX = "box"


class Placing(Word):
    """What the table does with a stake that the book has a rule about."""

    TAKEN = "taken"
    REFUSED = "refused"
    CUT_TO_MAXIMUM = "cut-to-maximum"


class Duty(Word):
    """What the staff of a table owe the players, or the game, besides dealing it."""

    INFORM_ONE_VIEW = "inform-one-view"
    OFFER_JACKPOT = "offer-jackpot"
    NEW_PACK = "new-pack"
    LEAVE_JACKPOT_HAND = "leave-jackpot-hand"


class Pooling(Word):
    """Whether several players may fund one wager (R-POOL)."""

    ONE_LIMIT = "one-limit"
    ONE_OWNER = "one-owner"
    LIMIT_EACH = "limit-each"


class PoolOrder(Word):
    """Who of several owners comes and goes first (R-POOL-ORDER)."""

    ANY = "any"
    SEATED_FIRST = "seated-first"


class OddAmount(Word):
    """A jackpot stake that is not the prescribed amount."""

    IMPOSSIBLE = "impossible"
    EXCESS_RETURNED = "excess-returned"


class Sharing(Word):
    """Several winners of a share of the meter at one table in one round."""

    EQUAL_SHARES = "equal-shares"
    CLOCKWISE = "clockwise"


class Repeated(Word):
    """What the second and further equal shares are taken of (R-RESET)."""

    RUNNING_METER = "running-meter"
    RESET_VALUE = "reset-value"
    DISPLAYED_ONCE = "displayed-once"
    DISPLAYED_EACH = "displayed-each"


class AfterLower(Word):
    """What the whole award is taken of when lower hands were paid first (R-ROYAL-AFTER)."""

    REMAINING_METER = "remaining-meter"
    DISPLAYED_METER = "displayed-meter"


class Resets(Word):
    """Which awards put the meter back to its reset value."""

    WHOLE_AWARD = "whole-award"
    ANY_AWARD = "any-award"


class Rounding(Word):
    """How a share of the meter is rounded (R-ROUND)."""

    CENT_DOWN = "cent-down"
    CENT_NEAREST = "cent-nearest"
    CHIP_DOWN = "chip-down"


class MeterFloor(Word):
    """How far awards may bring the meter down (R-METERFLOOR)."""

    NONE = "none"
    RESET_VALUE = "reset-value"


class FixedFund(Word):
    """Who pays the awards that are no share of the meter (R-FIXED-FUND)."""

    HOUSE = "house"
    METER = "meter"


class Contributing(Word):
    """Which rounds feed the meter (R-CONTRIB)."""

    EVERY_ROUND = "every-round"
    UNLESS_WON_WHOLE = "unless-won-whole"


class Measured(Word):
    """The meter on which shares are measured in a round of which jackpot stakes go back (R-METER-RETURN)."""

    AS_IT_STANDS = "as-it-stands"
    WITHOUT_RETURNED = "without-returned"


class ForOneStake(Word):
    """What becomes of the stake of an award "for 1" (R-FOR1)."""

    COLLECTED = "collected"
    RETURNED = "returned"


class Multiple(Word):
    """How a multiple jackpot wager scales the fixed odds (R-MULT)."""

    IN_STAKE = "in-stake"
    AGAIN = "again"


class HitOrder(Word):
    """Which of the hits on separate tables is paid first."""

    ENTERED_FIRST = "entered-first"
    DEALT_FIRST = "dealt-first"


class EstablishedScope(Word):
    """Whose decided wager counts when play is interrupted (R-POWER)."""

    TABLE = "table"
    PLAYER = "player"


class Place(Word):
    """Where a deal step puts cards, and what a reveal turns over."""

    POSITIONS = "positions"
    POSITIONS_AND_DEALER = "positions-and-dealer"
    DEALER = "dealer"
    COMMUNITY = "community"


class Source(Word):
    """Whose cards make up a hand; besides these, the name of a part of the community cards."""

    OWN = "own"
    DEALER = "dealer"
    COMMUNITY = "community"


class Order(Word):
    """What a hand is read as."""

    FIVE_CARD = "five-card"
    THREE_CARD = "three-card"
    HOLE_CARDS = "hole-cards"


class Power(Word):
    """Acts of staff for which a clause names a position."""

    PLACE_WAGERS = "place-wagers"
    LOOK_AT_HAND = "look-at-hand"
    RESTRICT_TO_ONE_POSITION = "restrict-to-one-position"
    BAR_PLAYER = "bar-player"
    STOP_MULTIPLE_HANDS = "stop-multiple-hands"
    JUDGE_EXTRA_VIEW = "judge-extra-view"
    ORDER_SIMULTANEOUS_CARDS = "order-simultaneous-cards"
    JUDGE_RECONSTRUCTION = "judge-reconstruction"
    INVALIDATE_GAME = "invalidate-game"
    ORDER_JACKPOT_HITS = "order-jackpot-hits"
    JACKPOT_OUTAGE = "jackpot-outage"
    DECIDE_UNCOVERED = "decide-uncovered"
    INTERPRET = "interpret"
    RESOLVE_DISPUTE = "resolve-dispute"


class OnFile(Word):
    """What must be on file before a decision of a dispute may rest on it."""

    ACCOUNTS = "accounts"
    SURVEILLANCE = "surveillance"
    EVIDENCE = "evidence"


_MEANINGS: dict[tuple[type[Word], str], str] = {}


def meaning(word: Word) -> str:
    """What a word means. The same letters may be several words: a dealer deals, and has a hand."""
    return _MEANINGS[type(word), word.value]


def define(*meanings: tuple[Word, str]) -> None:
    """Give words their meanings."""
    _MEANINGS.update({(type(word), word.value): text for word, text in meanings})


define(
    (ClauseKind.META, "headings and lead-ins that rule nothing"),
    (ClauseKind.DEFINITION, "a term and its meaning"),
    (ClauseKind.DECK, "the pack"),
    (ClauseKind.LAYOUT, "the table cloth, positions and areas"),
    (ClauseKind.EQUIPMENT, "devices and boxes at the table"),
    (ClauseKind.BETTING, "who may wager what, and when"),
    (ClauseKind.LIMITS, "sizes and limits of wagers"),
    (ClauseKind.DEAL, "the order of the cards"),
    (ClauseKind.DECISION, "what a player may choose"),
    (ClauseKind.COMPARISON, "how hands are compared"),
    (ClauseKind.RANKING, "the order of cards and hands"),
    (ClauseKind.SETTLEMENT, "what is paid, collected and returned"),
    (ClauseKind.JACKPOT, "the progressive jackpot"),
    (ClauseKind.IRREGULARITY, "what is done when something goes wrong"),
    (ClauseKind.AUTHORITY, "who may decide"),
    (ClauseKind.DISPUTE, "how a dispute is handled"),
    (Position.DEALER, "deals the game"),
    (Position.DEALER_INSPECTOR, "watches the dealer"),
    (Position.PIT_SUPERVISOR, "answers for some tables"),
    (Position.PIT_MANAGER, "answers for a pit"),
    (Position.SHIFT_MANAGER, "answers for the shift"),
    (Position.ASSISTANT_DIRECTOR, "answers for gaming operations"),
    (Action.PAY, "look the hand up in the wager's pay table; an unlisted hand does what `unlisted` says"),
    (Action.COLLECT, "the house takes the stake"),
    (Action.RETURN, "the stake goes back, nothing is paid"),
    (Situation.HIGHER, "the player's hand ranks above the dealer's"),
    (Situation.LOWER, "the player's hand ranks below the dealer's"),
    (Situation.EQUAL, "the hands rank the same"),
    (Situation.DEALER_NOT_QUALIFIED, "the dealer's hand is not good enough to be compared"),
    (Situation.FOLDED, "the player gave the hand up"),
    (Situation.DECLINED, "the player would not expose the cards"),
    (
        Situation.DECLINED_DEALER_NOT_QUALIFIED,
        "not exposed, and nothing was compared; left out: as `declined`",
    ),
    (Situation.ESTABLISHED, "not exposed, but the player established the hand; left out: as `declined`"),
    (Situation.ABSENT, "the player was away for the decision and the hand became invalid"),
    (Absence.INVALID, "the hand becomes invalid: settled as `absent`"),
    (Absence.CHECK, "the player is deemed to have checked and the hand plays on"),
    (Absence.FOLD, "the player is deemed to have folded"),
    (AbsentWithout.SETTLED, "the wagers are settled: there is no decision to miss"),
    (AbsentWithout.INVALID, "the hand becomes invalid: settled as `absent`"),
    (Qualifying.HAND_AT_LEAST, "a hand of at least this class and these ranks"),
    (Qualifying.HOLDS_ANY, "a hand that holds at least one of these ranks"),
    (Qualifying.HOLDS_ALL, "a hand that holds all of these ranks"),
    (FullHouses.PAIRS, "the pairs decide"),
    (FullHouses.PAIRS_IF_THREES_ON_BOARD, "the pairs decide only when the three are community cards"),
    (UnderMinimum.SETTLED_ONCE, "settled once; after a warning such stakes of that player are returned"),
    (UnderMinimum.SETTLED_AS_PLACED, "settled as it lies"),
    (UsedBy.MONEY_MOVED, "a settlement that paid or collected such a stake, or a later wager on it"),
    (UsedBy.ANY_SETTLED, "any settlement of such a stake, a stand-off or an absence too"),
    (UsedBy.ONE_OF_EACH, "one payment and one collection, each for itself"),
    (ShortWager.SETTLED, "settled as it lies"),
    (ShortWager.NOT_PLACED, "it goes back, and the hand folded or checked at that decision"),
    (MaximumOf.AREA, "each area has as many times the maximum as its wager is times the first"),
    (MaximumOf.BOX, "the wager and all that are measured by it play up to the maximum together"),
    (Placing.TAKEN, "it lies on the layout and is dealt with at settlement"),
    (Placing.REFUSED, "it is put right before it is taken"),
    (Placing.CUT_TO_MAXIMUM, "it is taken up to the maximum; the excess is rejected"),
    (Duty.INFORM_ONE_VIEW, "a player of several hands is informed that one of them may be viewed"),
    (Duty.OFFER_JACKPOT, "the players are offered the jackpot wager before bets close"),
    (Duty.NEW_PACK, "after a round void by one of `after-clauses`, a new pack before bets open"),
    (
        Duty.LEAVE_JACKPOT_HAND,
        "the player of a jackpot hand notifies the dealer, who leaves the cards face up",
    ),
    (Pooling.ONE_LIMIT, "several owners, and the limit is that of the whole wager"),
    (Pooling.ONE_OWNER, "one owner; the stakes of others go back"),
    (Pooling.LIMIT_EACH, "several owners, each with the whole limit"),
    (PoolOrder.ANY, "in any order; without the seated player's share the first owner left decides"),
    (PoolOrder.SEATED_FIRST, "the seated player wagers before the others, and withdraws after them"),
    (OddAmount.IMPOSSIBLE, "the wagering system cannot take it: an error in the facts"),
    (
        OddAmount.EXCESS_RETURNED,
        "chips: the excess goes back; a short stake goes back whole and does not play",
    ),
    (Sharing.EQUAL_SHARES, "lower hands first; winners of one class add their awards up and share equally"),
    (Sharing.CLOCKWISE, "in the order of the deal, each of the meter as it then stands"),
    (Repeated.RUNNING_METER, "of the meter as each notional payment leaves it"),
    (Repeated.RESET_VALUE, "of the reset value"),
    (Repeated.DISPLAYED_ONCE, "one award of the displayed meter is shared"),
    (Repeated.DISPLAYED_EACH, "each of the displayed meter"),
    (AfterLower.REMAINING_METER, "what the lower awards left"),
    (AfterLower.DISPLAYED_METER, "the meter as displayed before them"),
    (Resets.WHOLE_AWARD, "only an award of the whole meter"),
    (Resets.ANY_AWARD, "any award of a share of the meter"),
    (Rounding.CENT_DOWN, "cut to the cent; the rest stays on the meter"),
    (Rounding.CENT_NEAREST, "to the nearest cent, a half upwards"),
    (Rounding.CHIP_DOWN, "cut to whole units of the smallest chip; the rest stays on the meter"),
    (MeterFloor.NONE, "as far as they go; nothing is topped up"),
    (MeterFloor.RESET_VALUE, "to the reset value; the house pays what is below it"),
    (FixedFund.HOUSE, "the house; only shares of the meter move it"),
    (FixedFund.METER, "the meter in the order of payment, as far as it goes; the house pays the rest"),
    (Contributing.EVERY_ROUND, "every round, before a win is measured"),
    (Contributing.UNLESS_WON_WHOLE, "every round but one in which the meter is won whole"),
    (Measured.AS_IT_STANDS, "as it stands then; what a returned stake had added comes off afterwards"),
    (Measured.WITHOUT_RETURNED, "without what the returned stakes of the round had added"),
    (ForOneStake.COLLECTED, "the stake is part of the award"),
    (ForOneStake.RETURNED, "the stake goes back besides, as with odds to 1"),
    (Multiple.IN_STAKE, "the odds on the whole stake, which holds the multiple already"),
    (Multiple.AGAIN, "the odds on the whole stake, times the multiple once more"),
    (HitOrder.ENTERED_FIRST, "the one entered first into the jackpot system"),
    (HitOrder.DEALT_FIRST, "the one whose hand was dealt first"),
    (EstablishedScope.TABLE, "any decided wager at the table counts for everybody"),
    (EstablishedScope.PLAYER, "each player by their own wagers"),
    (Place.POSITIONS, "every position in play, clockwise from the dealer's left"),
    (Place.POSITIONS_AND_DEALER, "every position in play, then the dealer, before the next round of cards"),
    (Place.DEALER, "the dealer's hand"),
    (Place.COMMUNITY, "the community cards, or a part of them by its name"),
    (Source.OWN, "the player's own cards"),
    (Source.DEALER, "the dealer's cards"),
    (Source.COMMUNITY, "all community cards"),
    (Order.FIVE_CARD, "the best five of five to seven cards"),
    (Order.THREE_CARD, "three cards"),
    (Order.HOLE_CARDS, "two hole cards by the lines of a Bonus table"),
    (Power.PLACE_WAGERS, "place a wager at a player's request"),
    (Power.LOOK_AT_HAND, "look at a hand that was not exposed"),
    (Power.RESTRICT_TO_ONE_POSITION, "restrict a player to one position"),
    (Power.BAR_PLAYER, "bar a player from further play"),
    (Power.STOP_MULTIPLE_HANDS, "stop a player who tries to control several hands"),
    (Power.JUDGE_EXTRA_VIEW, "find whether a further hand was viewed on purpose"),
    (Power.ORDER_SIMULTANEOUS_CARDS, "decide the order of cards drawn together"),
    (Power.JUDGE_RECONSTRUCTION, "find whether cards can be put back in order"),
    (Power.INVALIDATE_GAME, "invalidate a game in progress"),
    (Power.ORDER_JACKPOT_HITS, "determine the order of hits on separate tables"),
    (Power.JACKPOT_OUTAGE, "decide how tables run without the jackpot system"),
    (Power.DECIDE_UNCOVERED, "decide what the book does not cover"),
    (Power.INTERPRET, "decide what the book means"),
    (Power.RESOLVE_DISPUTE, "resolve a dispute with a player"),
    (OnFile.ACCOUNTS, "the player's account and the house's, each a note that says whose account it is"),
    (OnFile.SURVEILLANCE, "a note by Surveillance"),
    (OnFile.EVIDENCE, "a note that is neither an account nor by Surveillance"),
)
