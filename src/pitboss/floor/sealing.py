"""The sealed deck of a virtual table: shuffled, committed to card by card, and kept as ciphertext.

Before anybody has bet, a salted hash of every card's place is published under one root. The order itself is
encrypted with a key that is not in the store; it is read when cards are dealt and erased when the round ends.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pitboss.cards import DECK, Card, parse_card
from pitboss.errors import StoreError
from pitboss.floor.ports import CardSource
from pitboss.floor.table_events import DeckSealed, Opening

SALT_BYTES = 16
_NONCE_BYTES = 12


@dataclass(frozen=True, slots=True)
class SealedCard:
    """A card of the deck with its place at the sealing, which its commitment is about.

    What it shows of itself in an error or a log is the place alone.
    """

    index: int
    salt: bytes = field(repr=False)
    card: Card = field(repr=False)

    @property
    def opening(self) -> Opening:
        """What somebody is shown who may see the card."""
        return Opening(index=self.index, salt=self.salt.hex(), card=self.card.code)


def commitment(index: int, salt: bytes, card: str) -> bytes:
    """The hash that is published for one place of the deck."""
    return hashlib.sha256(salt + f"|{index}|{card}".encode()).digest()


def shuffle(source: CardSource, pack: Sequence[Card]) -> tuple[SealedCard, ...]:
    """A fair order of a pack, each card with a salt of its own."""
    return tuple(SealedCard(index, source.salt(), card) for index, card in enumerate(source.shuffled(pack)))


def commit(deck: Sequence[SealedCard]) -> DeckSealed:
    """What is published before anybody has bet."""
    hashes = b"".join(commitment(sealed.index, sealed.salt, sealed.card.code) for sealed in deck)
    return DeckSealed(root=hashlib.sha256(hashes).hexdigest(), commitments=base64.b64encode(hashes).decode())


def sealed_under(sealed: DeckSealed) -> bool:
    """Whether there is a commitment for each card, and the root is the hash of them all."""
    hashes = base64.b64decode(sealed.commitments)
    return len(hashes) == 32 * len(DECK) and hashlib.sha256(hashes).hexdigest() == sealed.root


def opens(sealed: DeckSealed, opening: Opening) -> bool:
    """Whether an opening is the card that was committed to at its place."""
    if not sealed_under(sealed):
        return False
    hashes = base64.b64decode(sealed.commitments)
    committed = hashes[32 * opening.index : 32 * (opening.index + 1)]
    return committed == commitment(opening.index, bytes.fromhex(opening.salt), opening.card)


class DeckBox:
    """Locks decks up with a key, for one table and round each: a deck cannot be passed off as another's."""

    def __init__(self, key: bytes) -> None:
        self._cipher = AESGCM(key)

    def lock(self, deck: Sequence[SealedCard], *, table: str, number: int, nonce: bytes) -> bytes:
        """The deck as ciphertext. `nonce` is used once."""
        plain = b"".join(bytes([sealed.index]) + sealed.salt + sealed.card.code.encode() for sealed in deck)
        nonce = nonce[:_NONCE_BYTES]
        return nonce + self._cipher.encrypt(nonce, plain, f"{table}/{number}".encode())

    def unlock(self, locked: bytes, *, table: str, number: int) -> tuple[SealedCard, ...]:
        """The deck of its ciphertext. Raises `StoreError` for a key or a deck that is not the right one."""
        try:
            plain = self._cipher.decrypt(
                locked[:_NONCE_BYTES], locked[_NONCE_BYTES:], f"{table}/{number}".encode()
            )
        except InvalidTag as error:
            raise StoreError(
                f"the sealed deck of {table}, round {number}, does not open",
                "use the key file it was sealed with, or report a disruption and have the round ruled on",
            ) from error
        size = 1 + SALT_BYTES + 2
        rows = [plain[at : at + size] for at in range(0, len(plain), size)]
        return tuple(
            SealedCard(row[0], row[1 : 1 + SALT_BYTES], parse_card(row[1 + SALT_BYTES :].decode()))
            for row in rows
        )
