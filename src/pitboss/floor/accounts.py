"""The accounts of the ledger, by name: currency, kind, table or link, and for a rack its player.

Per currency all of them add up to nothing at all times. Every account belongs to one table or one link, so
that tables never wait for each other's money. `patrons` is everybody's purse outside the house.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TableAccounts:
    """The accounts of one table.

    `drop` is cash in the drop box, `cage` what fills came from and credits went to, `house` takes jackpot
    stakes and pays fixed awards, `over_short` is what a count found too much (negative) or missing, `owed`
    what players owe (negative) for settlements undone after they had left.
    """

    currency: str
    table: str

    def rack(self, player: str) -> str:
        """The chips a player has before him."""
        return f"{self.currency}/rack/{self.table}/{player}"

    @property
    def layout(self) -> str:
        """The stakes that lie on the layout."""
        return f"{self.currency}/layout/{self.table}"

    @property
    def float(self) -> str:
        """The chips in the dealer's tray."""
        return f"{self.currency}/float/{self.table}"

    @property
    def drop(self) -> str:
        """The cash in the drop box."""
        return f"{self.currency}/drop/{self.table}"

    @property
    def cage(self) -> str:
        """Where fills come from and credits go to."""
        return f"{self.currency}/cage/{self.table}"

    @property
    def patrons(self) -> str:
        """What players brought and took away."""
        return f"{self.currency}/patrons/{self.table}"

    @property
    def house(self) -> str:
        """Jackpot stakes taken and fixed awards paid."""
        return f"{self.currency}/house/{self.table}"

    @property
    def owed(self) -> str:
        """What players owe for settlements undone after they had left."""
        return f"{self.currency}/owed/{self.table}"

    @property
    def over_short(self) -> str:
        """What counts have found too much or missing."""
        return f"{self.currency}/over-short/{self.table}"


@dataclass(frozen=True, slots=True)
class LinkAccounts:
    """The accounts of one link. `claims` holds awards that are fixed and not paid yet.

    `house` funds contributions, and resets as far as the reserve does not reach.
    """

    currency: str
    link: str

    @property
    def meter(self) -> str:
        """What the jackpot shows."""
        return f"{self.currency}/meter/{self.link}"

    @property
    def reserve(self) -> str:
        """What is put by for the next reset."""
        return f"{self.currency}/reserve/{self.link}"

    @property
    def overflow(self) -> str:
        """What came in above the ceiling."""
        return f"{self.currency}/overflow/{self.link}"

    @property
    def claims(self) -> str:
        """Awards that are fixed and not paid yet."""
        return f"{self.currency}/claims/{self.link}"

    @property
    def house(self) -> str:
        """What the house puts in."""
        return f"{self.currency}/link-house/{self.link}"
