"""The order in which the places of a sealed deck are dealt, composed with what devices of players contribute.

Each device commits to a secret while bets are open, and reveals it after they are closed. The secrets, and
the value of a public beacon where one was announced, make a seed; the seed makes a permutation of the 52
places.
The j-th card dealt is the one at place `order[j]`; commitments and openings stay those of the places.
Nothing here reads a clock or a network: `docs/fair-shuffle.md` has the method for programs of other people.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

PLACES = 52
SECRET_BYTES = 32
AS_SEALED = tuple(range(PLACES))
"""The order where nobody contributed and no beacon was mixed in: that of the sealed deck."""
_SIGNATURE = re.compile(r"[0-9a-f]{128}")
_WORD_BYTES = 4
_WORDS = 1 << (8 * _WORD_BYTES)


class Contribution(NamedTuple):
    """What one device of a player has revealed: 32 secret bytes, as hexadecimal digits."""

    player: str
    device: str
    secret: str


class BeaconValue(NamedTuple):
    """The signature that a public beacon published for one of its rounds, as hexadecimal digits."""

    round: int
    signature: str


def _canonical(said: Any) -> bytes:
    """JSON with its names in alphabetical order and nothing between, in UTF-8."""
    return json.dumps(said, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def commitment_to(contribution: Contribution, *, table: str, number: int, root: str) -> str:
    """The commitment of a device, bound to the seal of one round: 64 hexadecimal digits."""
    said = {**contribution._asdict(), "root": root, "round": number, "table": table}
    return hashlib.sha256(_canonical(said)).hexdigest()


def seed_of(
    contributions: Sequence[Contribution],
    beacon: BeaconValue | None,
    *,
    table: str,
    number: int,
    root: str,
) -> bytes:
    """What the order follows from. The order in which devices revealed makes no difference."""
    said = {
        "beacon": None if beacon is None else beacon._asdict(),
        "contributions": [found._asdict() for found in sorted(contributions)],
        "root": root,
        "round": number,
        "table": table,
    }
    return hashlib.sha256(_canonical(said)).digest()


def order_of(seed: bytes) -> tuple[int, ...]:
    """The permutation that a seed makes, by Fisher and Yates, each order as likely as another."""
    words, order = _words(seed), list(AS_SEALED)
    for last in range(PLACES - 1, 0, -1):
        bound = last + 1
        usable = _WORDS - _WORDS % bound
        word = next(found for found in words if found < usable)
        other = word % bound
        order[last], order[other] = order[other], order[last]
    return tuple(order)


def _words(seed: bytes) -> Iterator[int]:
    """Numbers of 32 bits without end: SHA-256 of the seed and a counter, eight big-endian words a block."""
    block = 0
    while True:
        found = hashlib.sha256(seed + block.to_bytes(_WORD_BYTES, "big")).digest()
        for at in range(0, len(found), _WORD_BYTES):
            yield int.from_bytes(found[at : at + _WORD_BYTES], "big")
        block += 1


def composed(
    contributions: Sequence[Contribution],
    beacon: BeaconValue | None,
    *,
    table: str,
    number: int,
    root: str,
) -> tuple[int, ...]:
    """The order in which the places are dealt; the sealed one where there is nothing to mix in."""
    if not contributions and beacon is None:
        return AS_SEALED
    return order_of(seed_of(contributions, beacon, table=table, number=number, root=root))


def beacon_message(name: str, round_number: int) -> bytes:
    """What a beacon signs for one of its rounds."""
    return f"{name}|{round_number}".encode()


def is_signed(name: str, key: str, value: BeaconValue) -> bool:
    """Whether a beacon's value is signed by its key (Ed25519, both as hexadecimal digits in small letters).

    The seed is made of the digits as they are written: one signature has one text, or a house could choose
    among orders by how it writes it.
    """
    if not _SIGNATURE.fullmatch(value.signature):
        return False
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        public.verify(bytes.fromhex(value.signature), beacon_message(name, value.round))
    except (ValueError, InvalidSignature):
        return False
    return True


def published_at(*, genesis: int, period: int, round_number: int) -> int:
    """When a round of a beacon is published, in seconds since 1970; round 1 is published at `genesis`."""
    return genesis + (round_number - 1) * period


def first_round_after(moment: float, *, genesis: int, period: int) -> int:
    """The first round that is published later than a moment, in seconds since 1970."""
    return max(1, int((moment - genesis) // period) + 2)
