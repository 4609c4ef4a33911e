"""Events as JSON, under names that never change: the table here, not the classes, is the format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

from pitboss.play import events as e
from pitboss.play.encoding import Codec

EVENT_NAMES: dict[str, type[e.Event]] = {
    "bets-opened.v1": e.BetsOpened,
    "wager-placed.v1": e.WagerPlaced,
    "excess-rejected.v1": e.ExcessRejected,
    "unnoticed-wager-entered.v1": e.UnnoticedWagerEntered,
    "wager-withdrawn.v1": e.WagerWithdrawn,
    "bets-closed.v1": e.BetsClosed,
    "cards-dealt.v1": e.CardsDealt,
    "cards-burned.v1": e.CardsBurned,
    "card-discarded.v1": e.CardDiscarded,
    "card-turned-up.v1": e.CardTurnedUp,
    "step-done.v1": e.StepDone,
    "card-entered.v1": e.CardEntered,
    "card-corrected.v1": e.CardCorrected,
    "hand-viewed.v1": e.HandViewed,
    "hand-handled.v1": e.HandHandled,
    "decision-made.v1": e.DecisionMade,
    "share-folded.v1": e.ShareFolded,
    "player-absent.v1": e.PlayerAbsent,
    "absence-recorded.v1": e.AbsenceRecorded,
    "comparison-declined.v1": e.ComparisonDeclined,
    "decision-taken-back.v1": e.DecisionTakenBack,
    "hand-established.v1": e.HandEstablished,
    "hand-looked-at.v1": e.HandLookedAt,
    "place-revealed.v1": e.PlaceRevealed,
    "round-settled.v1": e.RoundSettled,
    "round-voided.v1": e.RoundVoided,
    "round-suspended.v1": e.RoundSuspended,
    "irregularity-reported.v1": e.IrregularityReported,
    "ruling-given.v1": e.RulingGiven,
    "cards-reconstructed.v1": e.CardsReconstructed,
    "entries-cleared.v1": e.EntriesCleared,
    "cards-ordered.v1": e.CardsOrdered,
    "hand-removed.v1": e.HandRemoved,
    "share-returned.v1": e.ShareReturned,
    "options-offered.v1": e.OptionsOffered,
    "withdrawal-permitted.v1": e.WithdrawalPermitted,
    "option-taken.v1": e.OptionTaken,
    "settlement-reversed.v1": e.SettlementReversed,
    "standing-order.v1": e.StandingOrder,
    "order-lifted.v1": e.OrderLifted,
    "jackpot-bets-stopped.v1": e.JackpotBetsStopped,
    "duty-done.v1": e.DutyDone,
    "jackpot-hand-left.v1": e.JackpotHandLeft,
    "gaming-day-begun.v1": e.GamingDayBegun,
    "jackpot-terms-set.v1": e.JackpotTermsSet,
    "rack-changed.v1": e.RackChanged,
    "jackpot-claimed.v1": e.JackpotClaimed,
    "jackpot-claim-dropped.v1": e.JackpotClaimDropped,
    "meter-read.v1": e.MeterRead,
}
CODEC = Codec(EVENT_NAMES)


_OF_PLAY = frozenset(EVENT_NAMES.values())


def is_of_play(event: object) -> TypeGuard[e.Event]:
    """Whether an event is one of play, and not of the floor around it."""
    return type(event) in _OF_PLAY


def encode_event(event: e.Event) -> dict[str, Any]:
    """An event as JSON with its name."""
    name, body = CODEC.encode(event)
    return {"event": name, **body}


def decode_event(data: Mapping[str, Any], place: str = "event") -> e.Event:
    """The event of its JSON. Raises `BadInput` for a name or a field that does not exist."""
    body = {key: value for key, value in data.items() if key != "event"}
    event: e.Event = CODEC.decode(data.get("event"), body, place)
    return event
