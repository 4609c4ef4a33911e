"""Whether the order of a sealed deck is the one composed with what devices contributed, as its views say."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pitboss.floor.composition import (
    AS_SEALED,
    SECRET_BYTES,
    BeaconValue,
    Contribution,
    commitment_to,
    composed,
    first_round_after,
    is_signed,
)
from pitboss.floor.table_events import BeaconPublished, DeviceOf
from pitboss.play.encoding import decoder_for

if TYPE_CHECKING:
    from pitboss.floor.table_events import BeaconAnnounced, Composition

MICROS_PER_SECOND = 1_000_000
Say = Callable[[str], None]
Device = tuple[str, str]
"""A player and a device of theirs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Committed:
    """A device in a view; its secret is empty until it is revealed."""

    player: str
    device: str
    commitment: str
    secret: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Contributed:
    """A secret that went into the order."""

    player: str
    device: str
    secret: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What a view says that the order was composed with."""

    contributions: tuple[Contributed, ...]
    withheld: tuple[DeviceOf, ...]
    beacon: BeaconPublished | None
    independent: int

    @property
    def given(self) -> list[Contribution]:
        """The contributions, sorted as they go into the seed."""
        return sorted(Contribution(one.player, one.device, one.secret) for one in self.contributions)

    @property
    def value(self) -> BeaconValue | None:
        """The beacon's value, if one was mixed in."""
        return None if self.beacon is None else BeaconValue(self.beacon.round, self.beacon.signature)


@dataclass(slots=True)
class CompositionChecked:
    """What the views of a round show of its composition, one after the other.

    `committed` are the devices in their order with what they committed to; `secrets` is what they revealed.
    `begun` is whether a view was read, `was_open` whether one of open bets was, and `closed` whether one of
    bets that were closed was; `deadlines` are the moments until which secrets were taken. `made` is the
    composition once it is there.
    """

    announced: Composition
    table: str
    number: int
    root: str
    committed: list[tuple[Device, str]] = field(default_factory=list)
    begun: bool = False
    was_open: bool = False
    closed: bool = False
    secrets: dict[Device, str] = field(default_factory=dict)
    deadlines: set[int] = field(default_factory=set)
    made: Made | None = None

    @property
    def independent(self) -> int:
        """How many contributions the order was composed with."""
        return 0 if self.made is None else len(self.made.contributions)

    @property
    def left_out(self) -> list[str]:
        """The devices that withheld."""
        return [] if self.made is None else [one.device for one in self.made.withheld]

    @property
    def deadline_missing(self) -> bool:
        """Whether a beacon was mixed in, and no view says until when secrets were taken."""
        return self.made is not None and self.made.beacon is not None and not self.deadlines

    def secret_of(self, player: str, device: str) -> str | None:
        """What a device of a player has contributed."""
        given = () if self.made is None else self.made.contributions
        return next((one.secret for one in given if (one.player, one.device) == (player, device)), None)

    def is_left_out(self, player: str, device: str) -> bool:
        """Whether a device of a player is listed as one that withheld."""
        return self.made is not None and DeviceOf(player=player, device=device) in self.made.withheld

    def in_words(self) -> str:
        """What went into the order."""
        withheld = f"; withheld: {', '.join(self.left_out)}" if self.left_out else ""
        if self.made is None or (not self.independent and self.made.beacon is None):
            return f"the order is the sealed one: no device contributed, and no beacon{withheld}"
        devices = [f"{one.device} of {one.player}" for one in self.made.contributions]
        count = "1 device" if len(devices) == 1 else f"{len(devices)} devices"
        words = f"the order was composed with {count}"
        words += f" ({', '.join(devices)})" if devices else ""
        if self.made.beacon is not None:
            words += f" and with round {self.made.beacon.round} of a beacon"
        return words + withheld

    def check(self, sealed: Mapping[str, Any], *, is_open: bool, drawn: bool, say: Say) -> Sequence[int]:
        """Check one view's seal; returns the places of the deck in the order in which they are dealt.

        Raises `BadInput`, `KeyError` or `ValueError` for what cannot be read.
        """
        devices: tuple[Committed, ...] = decoder_for(tuple[Committed, ...])(sealed["devices"], "devices")
        made: Made | None = decoder_for(Made | None)(sealed["composed"], "composed")
        deadline: int | None = decoder_for(int | None)(sealed["reveal_by"], "reveal_by")
        if is_open and self.closed:
            say("bets were opened again")
        self.was_open, self.closed = self.was_open or is_open, self.closed or not is_open
        self._check_devices(devices, is_open=is_open, say=say)
        if deadline is not None:
            self.deadlines.add(deadline)
            if is_open or len(self.deadlines) > 1:
                say("the time until which secrets were taken was changed")
        if self.made is not None and made != self.made:
            say("the composition was changed")
        if made is not None and is_open:
            say("the order was composed before bets were closed")
        self.made = made if self.made is None else self.made
        if made is None:
            if drawn and (self.committed or self.announced.beacon is not None):
                say("cards were dealt, and the order was not composed")
            return AS_SEALED
        return self._order(made, say)

    def _check_devices(self, devices: Sequence[Committed], *, is_open: bool, say: Say) -> None:
        """Devices come while bets are open, one a player, stay, and reveal later what they committed to."""
        known = [((one.player, one.device), one.commitment) for one in devices]
        if known[: len(self.committed)] != self.committed:
            say("the devices that had committed were changed")
        elif self.begun and not is_open and len(known) > len(self.committed):
            say("a device committed after bets were closed")
        if len({one.player for one in devices}) != len(devices):
            say("two devices of one player committed")
        self.committed, self.begun = known, True
        for one in devices:
            device = (one.player, one.device)
            if self.secrets.setdefault(device, one.secret) not in ("", one.secret):
                say(f"the secret of {one.device} was changed")
            self.secrets[device] = one.secret
            if one.secret and is_open:
                say(f"{one.device} revealed its secret while bets were open")
            if one.secret and not self._fits(one):
                say(f"the secret of {one.device} is not what it committed to")

    def _fits(self, one: Committed) -> bool:
        if bytes.fromhex(one.secret).hex() != one.secret or len(one.secret) != 2 * SECRET_BYTES:
            return False
        given = Contribution(one.player, one.device, one.secret)
        return commitment_to(given, table=self.table, number=self.number, root=self.root) == one.commitment

    def _order(self, made: Made, say: Say) -> Sequence[int]:
        """The order from what is listed, and whether all of that, and nothing else, goes into it."""
        revealed = sorted(Contribution(*device, secret) for device, secret in self.secrets.items() if secret)
        silent = sorted(device for device, secret in self.secrets.items() if not secret)
        if made.given != revealed:
            say("the contributions are not what the devices revealed")
        if sorted((one.player, one.device) for one in made.withheld) != silent:
            say("the devices listed as withheld are not those that did not reveal")
        if made.independent != len(made.contributions):
            say("the number of contributions is not that of those listed")
        problem = _beacon_wrong(self.announced.beacon, made.value, self.deadlines)
        if problem:
            say(problem)
        return composed(made.given, made.value, table=self.table, number=self.number, root=self.root)


def _beacon_wrong(announced: BeaconAnnounced | None, value: BeaconValue | None, deadlines: set[int]) -> str:
    """Why a beacon's value is not the one announced, or nothing.

    It is that of the first round published after the last moment at which a device could still choose.
    """
    if announced is None:
        return "" if value is None else "a beacon was mixed in that was not announced"
    if value is None:
        return "" if announced.missing == "without" else "the beacon is missing, and was announced not to be"
    if not is_signed(announced.name, announced.key, value):
        return "the beacon's value is not signed by its key"
    if value.round < announced.round:
        return "the beacon's round is earlier than the one announced"
    if announced.period < 1:
        return "no beacon has such a period"
    genesis, period = announced.genesis, announced.period
    for deadline in deadlines:
        after = first_round_after(deadline // MICROS_PER_SECOND, genesis=genesis, period=period)
        due = max(announced.round, after)
        if value.round != due:
            return f"round {value.round} of the beacon was used, {due} is the first after the reveals"
    return ""
