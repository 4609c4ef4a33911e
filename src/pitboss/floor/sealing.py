"""The sealed deck of a virtual table: shuffled, committed to card by card, and kept as ciphertext.

Before anybody has bet, a salted hash of every card's place is published under one root, which is also that of
how the deck is dealt, at which table and in which round. The order itself is encrypted with a key that is not
in the store; it is read when cards are dealt and erased when the round ends.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from pitboss.cards import DECK, Card, parse_card
from pitboss.errors import DeckError
from pitboss.floor.ports import CardSource
from pitboss.floor.table_events import CommitmentsSealed, Composition, DealtTo, DeckSealed, Opening
from pitboss.play.table import State
from pitboss.rulebooks.dealing import dealing_order

SALT_BYTES = 16
HASH_BYTES = 32
FIRST_RULE, RULE, COMPOSED_RULE = 1, 2, 3
"""By the first rule a root was the hash of the commitments alone; by the second it fixes the dealing too, by
the third also how the order of the deck is composed."""
REVEAL_SECONDS = 2
"""For how long after the close of bets devices may reveal what they have committed to."""
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


def dealing_of(state: State) -> tuple[tuple[DealtTo, ...], tuple[str, ...]]:
    """How a table deals its deck: where cards go in their order, and the wagers that a hand is dealt for."""
    order = dealing_order(state.terms.procedure, state.plan.parts)
    return tuple(DealtTo(to=row, cards=cards) for row, cards in order), tuple(sorted(state.plan.hand_wagers))


def announced(
    *,
    table: str,
    number: int,
    dealing: Sequence[DealtTo],
    hands: Sequence[str],
    composition: Composition | None = None,
) -> bytes:
    """What a root fixes besides the cards, as JSON: names in alphabetical order, nothing between."""
    said = {
        "dealing": [{"cards": part.cards, "to": part.to} for part in dealing],
        "hands": list(hands),
        "round": number,
        "table": table,
    }
    if composition is not None:
        said["composition"] = asdict(composition)
    return json.dumps(said, sort_keys=True, separators=(",", ":")).encode()


def commit(
    deck: Sequence[SealedCard],
    *,
    table: str,
    number: int,
    dealing: Sequence[DealtTo],
    hands: Sequence[str],
    composition: Composition | None = None,
) -> DeckSealed:
    """What is published before anybody has bet."""
    hashes = b"".join(commitment(sealed.index, sealed.salt, sealed.card.code) for sealed in deck)
    rest = announced(table=table, number=number, dealing=dealing, hands=hands, composition=composition)
    return DeckSealed(
        root=hashlib.sha256(hashes + rest).hexdigest(),
        commitments=base64.b64encode(hashes).decode(),
        dealing=tuple(dealing),
        hands=tuple(hands),
        composition=composition,
    )


def rule_of(sealed: CommitmentsSealed | DeckSealed) -> int:
    """The rule that a seal was made by."""
    if isinstance(sealed, CommitmentsSealed):
        return FIRST_RULE
    return RULE if sealed.composition is None else COMPOSED_RULE


def sealed_under(sealed: CommitmentsSealed | DeckSealed, *, table: str, number: int) -> bool:
    """Whether there is a commitment for each card, and the root is that of the seal at its table and round.

    The number of commitments is part of the rule: what is announced cannot be passed off as some of them.
    """
    hashes, rest = base64.b64decode(sealed.commitments), b""
    if isinstance(sealed, DeckSealed):
        rest = announced(
            table=table,
            number=number,
            dealing=sealed.dealing,
            hands=sealed.hands,
            composition=sealed.composition,
        )
    return len(hashes) == HASH_BYTES * len(DECK) and hashlib.sha256(hashes + rest).hexdigest() == sealed.root


def opens(sealed: CommitmentsSealed | DeckSealed, opening: Opening) -> bool:
    """Whether an opening is the card that was committed to at its place."""
    hashes = base64.b64decode(sealed.commitments)
    if not 0 <= opening.index < len(DECK):
        return False
    committed = hashes[HASH_BYTES * opening.index : HASH_BYTES * (opening.index + 1)]
    return committed == commitment(opening.index, bytes.fromhex(opening.salt), opening.card)


class SealsOfTable:
    """The seals of a table in their order: each fixes how the table deals, by a rule that stays.

    At a practice table nothing is composed, whatever was before.
    """

    def __init__(self) -> None:
        self._rule = FIRST_RULE

    def wrong(
        self, event: CommitmentsSealed | DeckSealed, *, table: str, state: State, practice: bool = False
    ) -> str:
        """Why a seal is none, or nothing. `state` is that of the round whose bets were just opened."""
        if not sealed_under(event, table=table, number=state.round_number):
            return "the root is not that of what was sealed"
        if isinstance(event, CommitmentsSealed):
            return (
                "" if self._rule == FIRST_RULE else "the seal does not fix the dealing, those before it did"
            )
        if event.composition is None and self._rule == COMPOSED_RULE and not practice:
            return "the seal does not fix how the order is composed, those before it did"
        if event.composition is not None and practice:
            return "the order of a practice table's deck is not composed"
        self._rule = max(self._rule, rule_of(event))
        if (event.dealing, event.hands) != dealing_of(state):
            return "the dealing that was announced with the seal is not that of the table's procedure"
        return ""


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
        """The deck of its ciphertext. Raises `DeckError` for a key or a deck that is not the right one."""
        try:
            plain = self._cipher.decrypt(
                locked[:_NONCE_BYTES], locked[_NONCE_BYTES:], f"{table}/{number}".encode()
            )
        except InvalidTag as error:
            raise DeckError(
                f"the sealed deck of {table}, round {number}, does not open",
                "use the key file it was sealed with, or report a disruption and have the round ruled on",
            ) from error
        size = 1 + SALT_BYTES + 2
        rows = [plain[at : at + size] for at in range(0, len(plain), size)]
        return tuple(
            SealedCard(row[0], row[1 : 1 + SALT_BYTES], parse_card(row[1 + SALT_BYTES :].decode()))
            for row in rows
        )
