"""What a record says of shared entropy: who contributed when, and with what the order was composed.

A table's stream is held against itself, and against the streams of the players whose devices contributed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from pitboss.floor import composition as o
from pitboss.floor import patrons
from pitboss.floor import table_events as te
from pitboss.floor.entropy import (
    MOST_DEVICES,
    WAIT,
    WITHOUT,
    beacon_published_at,
    beacon_round,
    is_due,
    is_written,
)
from pitboss.floor.gaming_table import OpenTable
from pitboss.floor.ports import SECOND, Micros, Recorded
from pitboss.play.table import Stage

MOST_REVEAL_SECONDS = 60
_KEY = re.compile(r"[0-9a-f]{64}")


class DeviceSeen(NamedTuple):
    """A device that has committed, was counted or has withheld on a gaming day, as a stream says."""

    what: str
    player: str
    device: str
    gaming_day: str
    at: Micros
    stream: str
    version: int


COMMITTED, COUNTED, WITHHELD = "committed", "counted", "withheld"


# --- a table --------------------------------------------------------------------------------------------


def wrong_seal(event: te.DeckSealed, recorded: Recorded) -> str:
    """What is wrong with how the order of a deck is announced to be composed."""
    composition = event.composition
    if composition is None:
        return ""
    if not 1 <= composition.reveal_seconds <= MOST_REVEAL_SECONDS:
        return f"devices reveal within {composition.reveal_seconds} seconds"
    beacon = composition.beacon
    if beacon is None:
        return ""
    if beacon.missing not in (WAIT, WITHOUT) or not _KEY.fullmatch(beacon.key):
        return "no such beacon can be announced"
    if beacon.period < 1 or beacon.wait_seconds < 0 or beacon.round < 1:
        return "no such beacon can be announced"
    published = o.published_at(genesis=beacon.genesis, period=beacon.period, round_number=beacon.round)
    if published * SECOND <= recorded.at + composition.reveal_seconds * SECOND:
        return f"round {beacon.round} of the beacon is published before devices can have revealed"
    return ""


def wrong_entropy(before: OpenTable, event: Any, recorded: Recorded) -> str:
    """What is wrong with a commitment, a secret or an order, or with cards that leave the deck without it."""
    match event:
        case te.DeckSealed():
            return wrong_seal(event, recorded)
        case te.EntropyCommitted():
            return _wrong_commitment(before, event, recorded)
        case te.EntropyRevealed():
            return _wrong_secret(before, event, recorded)
        case te.OrderComposed():
            return _wrong_order(before, event, recorded)
        case te.CardsDrawn():
            return "cards left the deck, and its order was not composed" if is_due(before) else ""
        case _:
            return ""


def undealt_order(request: Iterable[Any]) -> str:
    """Whether an order was composed by a request that dealt nothing."""
    kinds = {type(event) for event in request}
    undealt = te.OrderComposed in kinds and te.CardsDrawn not in kinds
    return "an order was composed and nothing dealt" if undealt else ""


def _wrong_commitment(before: OpenTable, event: te.EntropyCommitted, recorded: Recorded) -> str:
    if recorded.actor != f"player/{event.player}":
        return f"{recorded.actor} commits for {event.player}"
    if before.composition is None:
        return "in this round nothing is contributed"
    if before.state.stage is not Stage.BETTING:
        return "a device committed when bets were closed"
    if event.player not in before.seats.values():
        return f"{event.player} has no seat"
    if any(device.player == event.player for device in before.devices):
        return f"a device of {event.player} had committed"
    return "" if is_written(event.device, event.commitment) else "that is no commitment of a device"


def _wrong_secret(before: OpenTable, event: te.EntropyRevealed, recorded: Recorded) -> str:
    if recorded.actor != f"player/{event.player}":
        return f"{recorded.actor} reveals for {event.player}"
    by, sealed = before.reveal_by, before.sealed
    if by is None or sealed is None or before.state.stage is not Stage.CLOSED:
        return "a device revealed when it was not time"
    if recorded.at >= by or before.composed is not None:
        return "a device revealed too late"
    own = [device for device in before.devices if device[:2] == (event.player, event.device)]
    if not own or own[0].secret or not is_written(event.device, event.secret):
        return "no such secret was committed to"
    contribution = o.Contribution(event.player, event.device, event.secret)
    made = o.commitment_to(
        contribution, table=before.table, number=before.state.round_number, root=sealed.root
    )
    return "" if made == own[0].commitment else "the secret is not what the device committed to"


def _wrong_order(before: OpenTable, event: te.OrderComposed, recorded: Recorded) -> str:
    composing = before.composing
    if composing is None or not is_due(before):
        return "there was no order to compose"
    by, announced = composing.reveal_by, composing.composition.beacon
    shown = sorted(device[:2] for device in before.devices if device.secret)
    left = sorted(device[:2] for device in before.devices if not device.secret)
    if [(found.player, found.device) for found in event.contributions] != shown:
        return "the order is not composed with what was revealed"
    if [(found.player, found.device) for found in event.withheld] != left:
        return "the devices that withheld are others"
    if left and recorded.at < by:
        return "the order was composed before the time to reveal was over"
    if announced is None:
        return "" if event.beacon is None else "no beacon was announced"
    published = beacon_published_at(by, announced)
    if event.beacon is None:
        waited = recorded.at >= published + announced.wait_seconds * SECOND
        missing = announced.missing == WITHOUT and waited
        return "" if missing else "the order was composed without the beacon that was announced"
    value = o.BeaconValue(event.beacon.round, event.beacon.signature)
    if value.round != beacon_round(by, announced) or recorded.at < published:
        return f"round {value.round} of the beacon is not the one to be used"
    signed = o.is_signed(announced.name, announced.key, value)
    return "" if signed else f"round {value.round} of the beacon is not signed with its key"


# --- the streams of players -----------------------------------------------------------------------------


def wrong_device(
    before: Iterable[tuple[Any, Micros]],
    event: patrons.DeviceCounted | patrons.DeviceWithheld,
    player: str,
    actor: str,
) -> str:
    """What is wrong with a device in its player's own stream."""
    if isinstance(event, patrons.DeviceWithheld):
        return ""
    if actor != f"player/{player}":
        return f"{actor} counts a device of {player}"
    today = [
        other.device
        for other, _ in before
        if isinstance(other, patrons.DeviceCounted) and other.gaming_day == event.gaming_day
    ]
    if event.device in today:
        return f"{event.device} was counted before"
    return f"more than {MOST_DEVICES} devices on {event.gaming_day}" if len(today) >= MOST_DEVICES else ""


# --- both ------------------------------------------------------------------------------------------------


def wrong_devices(seen: Iterable[DeviceSeen]) -> Iterator[tuple[str, int, str]]:
    """Commitments of devices that were not counted or had withheld, and devices counted for nothing."""
    counted: dict[tuple[str, str, str], Micros] = {}
    withheld: dict[tuple[str, str, str], Micros] = {}
    commits: list[DeviceSeen] = []
    counts: list[DeviceSeen] = []
    for found in seen:
        key = (found.player, found.device, found.gaming_day)
        if found.what == COMMITTED:
            commits.append(found)
        elif found.what == COUNTED:
            counts.append(found)
            counted[key] = found.at
        else:
            withheld[key] = min(found.at, withheld.get(key, found.at))
    for found in commits:
        key = (found.player, found.device, found.gaming_day)
        if key not in counted or counted[key] > found.at:
            yield found.stream, found.version, f"{found.device} of {found.player} was not counted that day"
        elif key in withheld and withheld[key] < found.at:
            yield found.stream, found.version, f"{found.device} of {found.player} had withheld that day"
    first = {(found.player, found.device, found.gaming_day, found.at) for found in commits}
    for found in counts:
        if (found.player, found.device, found.gaming_day, found.at) not in first:
            yield found.stream, found.version, f"{found.device} was counted and has not committed"
