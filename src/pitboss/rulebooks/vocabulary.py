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


class Placing(Word):
    """What the table does with a stake that the book has a rule about."""

    TAKEN = "taken"
    REFUSED = "refused"


class Pooling(Word):
    """Whether several players may fund one wager (R-POOL)."""

    ONE_LIMIT = "one-limit"
    ONE_OWNER = "one-owner"
    LIMIT_EACH = "limit-each"


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
    (Qualifying.HAND_AT_LEAST, "a hand of at least this class and these ranks"),
    (Qualifying.HOLDS_ANY, "a hand that holds at least one of these ranks"),
    (Qualifying.HOLDS_ALL, "a hand that holds all of these ranks"),
    (FullHouses.PAIRS, "the pairs decide"),
    (FullHouses.PAIRS_IF_THREES_ON_BOARD, "the pairs decide only when the three are community cards"),
    (UnderMinimum.SETTLED_ONCE, "settled once; after a warning such stakes of that player are returned"),
    (UnderMinimum.SETTLED_AS_PLACED, "settled as it lies"),
    (Placing.TAKEN, "it lies on the layout and is dealt with at settlement"),
    (Placing.REFUSED, "it is put right before it is taken"),
    (Pooling.ONE_LIMIT, "several owners, and the limit is that of the whole wager"),
    (Pooling.ONE_OWNER, "one owner; the stakes of others go back"),
    (Pooling.LIMIT_EACH, "several owners, each with the whole limit"),
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
    (ForOneStake.COLLECTED, "the stake is part of the award"),
    (ForOneStake.RETURNED, "the stake goes back besides, as with odds to 1"),
    (Multiple.IN_STAKE, "the odds on the whole stake, which holds the multiple already"),
    (Multiple.AGAIN, "the odds on the whole stake, times the multiple once more"),
    (HitOrder.ENTERED_FIRST, "the one entered first into the jackpot system"),
    (HitOrder.DEALT_FIRST, "the one whose hand was dealt first"),
    (EstablishedScope.TABLE, "any decided wager at the table counts for everybody"),
    (EstablishedScope.PLAYER, "each player by his own wagers"),
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
