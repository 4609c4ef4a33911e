"""Money as integers: cents on racks and layouts, ledger units (1/10,000 cent) in pools.

Only whole cents ever reach a rack. What is smaller stays with the pool it came from.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import NewType

from pitboss.errors import BadInput, shortened

Cents = NewType("Cents", int)
LedgerUnits = NewType("LedgerUnits", int)

UNITS_PER_CENT = 10_000
BASIS_POINTS = 10_000
NOTHING = Cents(0)
NO_UNITS = LedgerUnits(0)

MOST_DIGITS = 15
_AMOUNT = re.compile(rf"([0-9]{{1,{MOST_DIGITS}}})(?:\.([0-9]{{1,2}}))?")
_TOO_LONG = re.compile(r"[0-9]+(?:\.[0-9]{1,2})?")


def parse_cents(text: object, place: str = "") -> Cents:
    """An amount as it stands in files, a decimal string such as `25` or `25.00`, in cents."""
    if not isinstance(text, str):
        raise BadInput(
            place, f"{text!r} is not an amount", 'write money as a decimal string, such as "25.00"'
        )
    match = _AMOUNT.fullmatch(text)
    if match is None and _TOO_LONG.fullmatch(text):
        raise BadInput(
            place,
            f"'{shortened(text)}' is not an amount",
            f"write at most {MOST_DIGITS} digits before the point",
        )
    if match is None:
        raise BadInput(
            place,
            f"'{shortened(text)}' is not an amount",
            'write whole units and at most two decimals, such as "25" or "25.00"',
        )
    whole, decimals = match.groups()
    return Cents(int(whole) * 100 + int((decimals or "").ljust(2, "0")))


def format_cents(cents: Cents) -> str:
    """Cents with two decimals and no separators, as files have it: `-12.50`."""
    sign = "-" if cents < 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}{whole}.{rest:02d}"


def to_units(cents: Cents) -> LedgerUnits:
    """Cents in ledger units."""
    return LedgerUnits(cents * UNITS_PER_CENT)


def floor_to_cents(units: LedgerUnits | Fraction) -> Cents:
    """The whole cents in an amount of ledger units; the fraction is left where it was."""
    return Cents(int(units // UNITS_PER_CENT))
