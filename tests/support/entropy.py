"""Devices of players that contribute to the order of a sealed deck, and a beacon that a test signs."""

from __future__ import annotations

from dataclasses import dataclass, field

from pitboss.floor import requests as q
from pitboss.floor.composition import Contribution, commitment_to
from pitboss.floor.ports import Beacon
from pitboss.floor.service import Answer
from support.floor import House


@dataclass(slots=True)
class Devices:
    """The devices of a house's players, each with a secret of its own in every round."""

    house: House
    secrets: dict[tuple[str, str, str, int], str] = field(default_factory=dict)

    def secret(self, player: str, device: str, table: str = "t1") -> str:
        """What a device commits to in the round that is open."""
        number = self.house.floor.table(table).state.round_number
        key = (table, player, device, number)
        return self.secrets.setdefault(key, f"{len(self.secrets) + 1:064x}")

    def commitment(self, player: str, device: str, table: str = "t1") -> str:
        """The commitment of a device in the round that is open."""
        found = self.house.floor.table(table)
        assert found.sealed is not None
        contribution = Contribution(player, device, self.secret(player, device, table))
        number, root = found.state.round_number, found.sealed.root
        return commitment_to(contribution, table=table, number=number, root=root)

    def commit(self, player: str, device: str, table: str = "t1") -> Answer:
        """A device commits."""
        request = q.CommitEntropy(
            table=table, device=device, commitment=self.commitment(player, device, table)
        )
        return self.house.ask(player, request)

    def reveal(self, player: str, device: str, table: str = "t1") -> Answer:
        """A device reveals."""
        secret = self.secret(player, device, table)
        return self.house.ask(player, q.RevealEntropy(table=table, device=device, secret=secret))


def seat(house: House, *players: str, table: str = "t1") -> None:
    """Players take the first seats of a table."""
    for position, who in enumerate(players, 1):
        house.ok(who, q.TakeSeat(table=table, position=position, player=who))


def with_beacon(house: House, beacon: Beacon | None) -> House:
    """The house's floor with a beacon, from its next round on."""
    house.floor.desk.beacon = beacon
    return house


def a_composed_round(
    house: House, devices: Devices, *, withheld: tuple[str, ...] = (), table: str = "t1"
) -> None:
    """Bets are opened, p1 and p2 bet and contribute, and bets are closed; who withholds does not reveal."""
    house.steps("dealer: open bets", table=table)
    for position, who in enumerate(("p1", "p2"), 1):
        house.steps(f"{who}@{position}: wager ante 25", table=table)
        assert devices.commit(who, f"{who}-phone", table).ok
    house.steps("dealer: close bets", table=table)
    for who in ("p1", "p2"):
        if who not in withheld:
            assert devices.reveal(who, f"{who}-phone", table).ok
