"""Shared entropy: devices of players commit and reveal, and the order of the deck is composed with it.

What a device contributes is bound to the seal of one round. The first deal waits until every device that has
committed has revealed, or until the time for it is over, and then for the beacon where one was announced.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from pitboss.errors import BadInput
from pitboss.floor import composition as o
from pitboss.floor import patrons
from pitboss.floor import requests as q
from pitboss.floor import table_events as te
from pitboss.floor.desk import Draft, table_stream
from pitboss.floor.gaming_table import PHYSICAL, GamingTable, must_be_open
from pitboss.floor.ports import SECOND, Beacon, Micros
from pitboss.floor.sealing import REVEAL_SECONDS
from pitboss.play.refusal import Refusal
from pitboss.play.table import Stage

MOST_DEVICES = 3
"""How many devices of one player count on a gaming day."""
WAIT, WITHOUT = "wait", "without"
"""What is done where the beacon is missing: the round waits for it, or is dealt without it after a while."""

_DEVICE = re.compile(r"[A-Za-z0-9-]{1,40}")
_HEX = re.compile(r"[0-9a-f]{64}")


# --- what devices do -----------------------------------------------------------------------------------


def commit_entropy(draft: Draft, request: q.CommitEntropy) -> Refusal | None:
    """A device of a seated player commits while bets are open. The same commitment again changes nothing."""
    table = draft.table(request.table)
    _must_be_written(request.device, "commitment", request.commitment)
    refusal = _no_contributor(draft, table) or _not_open_to_commit(table)
    if refusal is not None:
        return refusal
    player, device = draft.asker.name, request.device
    if player not in table.seats.values():
        return Refusal("no-seat", "Only players who have a seat contribute; take one first.")
    if player in table.entered_for:
        text = "Staff have entered stakes for you in this round, so you count as the house in it."
        return Refusal("entered-by-staff", text)
    own = next((found for found in table.devices if found.player == player), None)
    if own is not None and own.device == device:
        if own.commitment == request.commitment:
            return None
        return Refusal("commitment-stands", "This device has committed to another secret for this round.")
    if own is not None:
        return Refusal("device-already", "Another device of yours contributes to this round.")
    day, stream = draft.day(), patrons.stream_of(player)
    counted, withheld = _devices_of(draft, player, day)
    if device in withheld:
        text = "This device withheld its secret today; it contributes again on the next gaming day."
        return Refusal("device-withheld", text)
    if device not in counted and len(counted) >= MOST_DEVICES:
        text = f"{MOST_DEVICES} devices of yours have contributed today; use one of them."
        return Refusal("too-many-devices", text)
    event = te.EntropyCommitted(player=player, device=device, commitment=request.commitment)
    draft.record(table_stream(request.table), [event])
    if device not in counted:
        draft.record(stream, [patrons.DeviceCounted(device=device, gaming_day=day)])
    return None


def reveal_entropy(draft: Draft, request: q.RevealEntropy) -> Refusal | None:
    """A device reveals after the close of bets and within the time for it."""
    table = draft.table(request.table)
    _must_be_written(request.device, "secret", request.secret)
    refusal = _no_contributor(draft, table)
    if refusal is not None:
        return refusal
    player = draft.asker.name
    own = next((found for found in table.devices if found[:2] == (player, request.device)), None)
    if own is None:
        return Refusal("not-committed", "This device has not committed in this round.")
    if own.secret == request.secret:
        return None
    by = table.reveal_by
    if by is None:
        return Refusal("bets-open", "Bets are open; secrets are revealed once they are closed.")
    if table.composed is not None or table.state.stage is not Stage.CLOSED or draft.at >= by:
        return Refusal("too-late", "The time to reveal is over.")
    assert table.sealed is not None
    contribution = o.Contribution(player, request.device, request.secret)
    number, root = table.state.round_number, table.sealed.root
    if o.commitment_to(contribution, table=table.table, number=number, root=root) != own.commitment:
        return Refusal("not-committed", "That is not the secret this device has committed to.")
    event = te.EntropyRevealed(player=player, device=request.device, secret=request.secret)
    draft.record(table_stream(request.table), [event])
    return None


def _must_be_written(device: str, name: str, value: str) -> None:
    """Raises `BadInput` for a device or a value that is not written as it has to be."""
    if not _DEVICE.fullmatch(device):
        raise BadInput("device", f"'{device}' names no device", "write 1 to 40 letters, digits and hyphens")
    if not is_written(device, value):
        raise BadInput(name, "is not 64 hexadecimal digits", "write 32 bytes, with small letters")


def is_written(device: str, value: str) -> bool:
    """Whether a device, and a commitment or a secret, are written as they have to be."""
    return bool(_DEVICE.fullmatch(device) and _HEX.fullmatch(value))


def _no_contributor(draft: Draft, table: GamingTable) -> Refusal | None:
    """The refusal of an asker who does not contribute, or at a table where nothing is contributed."""
    if draft.asker.kind != "player":
        return Refusal("not-a-player", "Only devices of players contribute to the order of the deck.")
    refusal = must_be_open(table)
    if refusal is None and table.composition is None:
        return Refusal("nothing-composed", "In this round nothing is contributed to the order of the deck.")
    return refusal


def _not_open_to_commit(table: GamingTable) -> Refusal | None:
    if table.state.stage is Stage.BETTING:
        return None
    return Refusal("bets-closed", "Devices commit while bets are open.")


def _devices_of(draft: Draft, player: str, day: str) -> tuple[set[str], set[str]]:
    """The devices of a player that have committed on a gaming day, and those that have withheld."""
    counted: set[str] = set()
    withheld: set[str] = set()
    for event, _ in draft.find(patrons.stream_of(player), fresh=True).state:
        if isinstance(event, patrons.DeviceCounted) and event.gaming_day == day:
            counted.add(event.device)
        elif isinstance(event, patrons.DeviceWithheld) and event.gaming_day == day:
            withheld.add(event.device)
    return counted, withheld


# --- how the order is composed -------------------------------------------------------------------------


def composition_for(draft: Draft, table: GamingTable) -> te.Composition | None:
    """What is announced with the seal of the round whose bets are being opened; nothing at a practice table.

    The beacon's round is the first that is published after the reveals, if bets close when they should.
    """
    opened = table.opened
    assert opened is not None
    if opened.practice or opened.cards == PHYSICAL:
        return None
    beacon = draft.desk.beacon
    if beacon is None:
        return te.Composition(reveal_seconds=REVEAL_SECONDS, beacon=None)
    terms = beacon.terms
    betting = 0 if table.dealing is None else table.dealing.betting_seconds
    expected = draft.at // SECOND + betting + REVEAL_SECONDS
    first = o.first_round_after(expected, genesis=terms.genesis, period=terms.period)
    announced = te.BeaconAnnounced(
        name=terms.name,
        key=terms.key,
        genesis=terms.genesis,
        period=terms.period,
        round=first,
        wait_seconds=terms.wait_seconds,
        missing=terms.missing,
    )
    return te.Composition(reveal_seconds=REVEAL_SECONDS, beacon=announced)


class Awaited(NamedTuple):
    """What the first deal waits for: the code of its refusal, and until when at the latest.

    `until` is None where a beacon is waited for however long it takes.
    """

    code: str
    until: Micros | None


def is_due(table: GamingTable) -> bool:
    """Whether the next deal has to compose the order first."""
    return table.owes_order and table.play is not None and table.state.stage is Stage.CLOSED


def unrevealed(table: GamingTable) -> bool:
    """Whether a device that has committed has not revealed."""
    return any(not device.secret for device in table.devices)


def awaited(table: GamingTable, now: Micros, beacon: Beacon | None) -> Awaited | None:
    """What the first deal has to wait for now."""
    if not is_due(table):
        return None
    by, composition = table.reveal_by, table.composition
    assert by is not None
    assert composition is not None
    if unrevealed(table) and now < by:
        return Awaited("reveals-awaited", by)
    announced = composition.beacon
    if announced is None:
        return None
    published = beacon_published_at(table, announced)
    if now < published:
        return Awaited("beacon-awaited", published)
    if beacon_value(table, announced, beacon) is not None:
        return None
    if announced.missing == WAIT:
        return Awaited("beacon-awaited", None)
    gives_up = Micros(published + announced.wait_seconds * SECOND)
    return Awaited("beacon-awaited", gives_up) if now < gives_up else None


def deal_due(table: GamingTable, beacon: Beacon | None) -> Micros | None:
    """From when the first deal need not wait, as far as is known; None where it waits for nothing.

    A beacon that is missing is waited for as long as was announced; where the round is not dealt without it,
    the deal is refused from then on.
    """
    if not is_due(table):
        return None
    by, composition = table.reveal_by, table.composition
    assert by is not None
    assert composition is not None
    moment = by if unrevealed(table) else Micros(0)
    announced = composition.beacon
    if announced is None:
        return moment
    published = beacon_published_at(table, announced)
    if beacon_value(table, announced, beacon) is None:
        published = Micros(published + announced.wait_seconds * SECOND)
    return max(moment, published)


def beacon_round(table: GamingTable, announced: te.BeaconAnnounced) -> int:
    """The round of the beacon that is used: the first, not before the one announced, after the reveals."""
    by = table.reveal_by
    assert by is not None
    first = o.first_round_after(by // SECOND, genesis=announced.genesis, period=announced.period)
    return max(announced.round, first)


def beacon_published_at(table: GamingTable, announced: te.BeaconAnnounced) -> Micros:
    """When the round of the beacon that is used is published."""
    number = beacon_round(table, announced)
    return Micros(
        o.published_at(genesis=announced.genesis, period=announced.period, round_number=number) * SECOND
    )


def beacon_value(
    table: GamingTable, announced: te.BeaconAnnounced, beacon: Beacon | None
) -> o.BeaconValue | None:
    """What the beacon published for the round that is used; None where it is not there or not signed."""
    number = beacon_round(table, announced)
    value = None if beacon is None else beacon.published(number)
    if value is None or value.round != number or not o.is_signed(announced.name, announced.key, value):
        return None
    return value


def follows(table: GamingTable, at: Micros, value: o.BeaconValue | None) -> bool:
    """Whether an order that has yet to be composed follows from what is known: a deal now would have it.

    Where devices may still reveal it is that of the secrets revealed so far. `value` is the beacon's.
    """
    by, composition = table.reveal_by, table.composition
    if composition is None or by is None:
        return False
    announced = composition.beacon
    if announced is None:
        return at >= by or any(device.secret for device in table.devices)
    gives_up = beacon_published_at(table, announced) + announced.wait_seconds * SECOND
    return value is not None or (announced.missing == WITHOUT and at >= gives_up)


def published_value(table: GamingTable, beacon: Beacon | None) -> o.BeaconValue | None:
    """The beacon's value that the order of this round follows from, where it was announced and published."""
    announced = None if table.composition is None else table.composition.beacon
    if announced is None or table.reveal_by is None or not table.owes_order:
        return None
    return beacon_value(table, announced, beacon)


def compose(table: GamingTable, beacon: Beacon | None) -> te.OrderComposed:
    """The order that the first deal fixes, once nothing is waited for."""
    shown = sorted(device[:2] for device in table.devices if device.secret)
    left = sorted(device[:2] for device in table.devices if not device.secret)
    announced = None if table.composition is None else table.composition.beacon
    value = None if announced is None else beacon_value(table, announced, beacon)
    return te.OrderComposed(
        contributions=tuple(te.DeviceOf(player=player, device=device) for player, device in shown),
        withheld=tuple(te.DeviceOf(player=player, device=device) for player, device in left),
        beacon=None if value is None else te.BeaconPublished(round=value.round, signature=value.signature),
    )


def withhold(draft: Draft, table: GamingTable, composed: te.OrderComposed) -> None:
    """Each device that did not reveal counts no more on this gaming day; its player's stream has it."""
    for left in composed.withheld:
        event = patrons.DeviceWithheld(
            table=table.table,
            round_number=table.state.round_number,
            device=left.device,
            gaming_day=draft.day(),
        )
        stream = patrons.stream_of(left.player)
        draft.find(stream, fresh=True)
        draft.record(stream, [event])


def refusal_of(waits: Awaited) -> Refusal:
    """The refusal of a deal that comes too early."""
    if waits.code == "reveals-awaited":
        text = "Devices of players still reveal what they contribute; deal in a moment."
    elif waits.until is not None:
        text = "The public beacon of this round is not published yet; deal in a moment."
    else:
        text = "The public beacon is missing, and this round is not dealt without it: check the beacon."
    return Refusal(waits.code, text)
