"""Rounds whose order was composed with contributions of devices, honest and forged.

`staged` makes a round of one hand of stud as a house hands it to player p1 afterwards: the forger is the house, so it
has the whole deck. Every forgery changes what the house says of the composition, and deals the cards accordingly.
`forged_composition` makes each round of the table `FORGED_COMPOSITIONS`, for the command, the script of
docs/fair-shuffle.md and the browser.
"""

from __future__ import annotations

import base64
import copy
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from pitboss.cards import DECK
from pitboss.floor.composition import AS_SEALED, BeaconValue, Contribution, commitment_to, composed, order_of
from pitboss.floor.sealing import SealedCard, shuffle
from pitboss.floor.seeded import SeededCards
from pitboss.play.views import FACE_DOWN
from support.sealed_rounds import Document, views_of

OWN, OTHER, SILENT = "phone-1", "tablet-2", "laptop-3"
GENESIS, PERIOD, CLOSED_AT, REVEAL_SECONDS = 1_700_000_000, 3, 1_790_000_000, 2
SIGNER = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
STRANGER = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
BEACON_ROUND = (CLOSED_AT + REVEAL_SECONDS - GENESIS) // PERIOD + 2


def secret_of(name: str) -> str:
    return hashlib.sha256(f"the secret of {name}".encode()).hexdigest()


def signed(number: int, signer: Ed25519PrivateKey = SIGNER) -> dict[str, Any]:
    return {"round": number, "signature": signer.sign(f"local|{number}".encode()).hex()}


def announced_beacon(**changes: Any) -> dict[str, Any]:
    key = SIGNER.public_key().public_bytes_raw().hex()
    said = {"name": "local", "key": key, "genesis": GENESIS, "period": PERIOD, "round": BEACON_ROUND}
    return said | {"wait_seconds": 10, "missing": "wait"} | changes


@dataclass
class Staged:
    """A round as it was, or as the house says that it was; `lies` is which card of the dealing lies in each view."""

    document: Document
    deck: tuple[SealedCard, ...]
    lies: list[tuple[dict[str, Any], dict[str, list[int]]]] = field(default_factory=list)

    @property
    def seals(self) -> Iterator[dict[str, Any]]:
        return (view["sealed"] for view in views_of(self.document) if "sealed" in view)

    @property
    def open(self) -> list[dict[str, Any]]:
        """Seals of views while bets are open."""
        views = views_of(self.document)
        return [view["sealed"] for view in views if "sealed" in view and view["stage"] == "betting"]

    @property
    def closed(self) -> list[dict[str, Any]]:
        views = views_of(self.document)
        return [view["sealed"] for view in views if "sealed" in view and view["stage"] != "betting"]

    @property
    def done(self) -> list[dict[str, Any]]:
        """What the views say of the composition once it is made."""
        return [seal["composed"] for seal in self.seals if seal["composed"] is not None]

    @property
    def root(self) -> str:
        return str(next(self.seals)["root"])

    def commitment(self, player: str, device: str, secret: str, **other: Any) -> str:
        bound: dict[str, Any] = {"table": "t1", "number": 1, "root": self.root} | other
        return commitment_to(Contribution(player, device, secret), **bound)

    def deal(self, order: Sequence[int]) -> None:
        """Lay the cards, their places and openings as they lie if the deck is dealt in this order."""
        for view, lies in self.lies:
            rows = {"dealer": view["dealer"], "community": view["community"]}
            rows |= {name: box["cards"] for name, box in view["positions"].items()}
            opened = []
            for row, turns in lies.items():
                for at, turn in enumerate(turns):
                    if row in rows and rows[row][at] != FACE_DOWN:
                        card = self.deck[order[turn]]
                        rows[row][at] = card.card.code
                        opened.append((turn, card))
            view["sealed"]["places"] = {row: [order[turn] for turn in turns] for row, turns in lies.items()}
            view["sealed"]["openings"] = [
                {"index": card.index, "salt": card.salt.hex(), "card": card.card.code}
                for _, card in sorted(opened, key=lambda found: found[0])
            ]

    def deal_as_told(self, change: Callable[[dict[str, Any]], None] = lambda made: None) -> None:
        """Change what the views say of the composition, and deal by what they say."""
        for made in self.done:
            change(made)
            made["independent"] = len(made["contributions"])
        made = self.done[-1]
        found = [Contribution(**given) for given in made["contributions"]]
        value = None if made["beacon"] is None else BeaconValue(**made["beacon"])
        self.deal(composed(found, value, table="t1", number=1, root=self.root))

    def seal_anew(self) -> None:
        """The root is that of what the seal says now, and the screen has seen it."""
        for view in views_of(self.document):
            if "sealed" in view:
                view["sealed"]["root"] = root_of(view)
                self.document["root_seen"] = view["sealed"]["root"]


def root_of(view: Mapping[str, Any]) -> str:
    seal = view["sealed"]
    said = {name: seal[name] for name in ("composition", "dealing", "hands") if name in seal}
    said |= {name: view[name] for name in ("round", "table")}
    text = json.dumps(said, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(base64.b64decode(seal["commitments"]) + text.encode()).hexdigest()


def staged(
    template: Document,
    *,
    devices: Sequence[tuple[str, str]] = (("p1", OWN), ("p2", OTHER), ("p3", SILENT)),
    beacon: dict[str, Any] | None = None,
    value: dict[str, Any] | None = None,
    owed: bool = True,
    number: int = 0,
) -> Staged:
    """A round of `template` again, with a deck that the house knows and with contributions.

    `template` is one hand of stud, as its player has it. The device `SILENT` withholds; `owed` is whether there
    is an order to compose.
    """
    deck = shuffle(SeededCards(Random(number)), DECK)
    document = copy.deepcopy(template)
    hashes = b"".join(
        hashlib.sha256(card.salt + f"|{card.index}|{card.card.code}".encode()).digest() for card in deck
    )
    for view in views_of(document):
        if "sealed" in view:
            view["sealed"] |= {
                "seal": 3,
                "commitments": base64.b64encode(hashes).decode(),
                "composition": {"beacon": beacon, "reveal_seconds": REVEAL_SECONDS},
                "devices": [],
                "reveal_by": None,
                "composed": None,
            }
    found = Staged(document, deck)
    found.seal_anew()
    document["seal_seen"] = 3
    _with_devices(found, devices, value, owed=owed)
    if any(device == OWN for _, device in devices):
        document["contributed"] = {"device": OWN, "secret": secret_of(OWN)}
    turn_of = {place: turn for turn, place in enumerate(_places_dealt(document))}
    for view in views_of(document):
        if view.get("sealed", {}).get("places"):
            turns = {row: [turn_of[n] for n in there] for row, there in view["sealed"]["places"].items()}
            found.lies.append((view, turns))
    if owed:
        found.deal_as_told()
    else:
        found.deal(AS_SEALED)
    return found


def _places_dealt(document: Document) -> list[int]:
    """The places of the template in the order in which they were dealt."""
    last = [view["sealed"] for view in views_of(document) if view.get("sealed", {}).get("places")][-1]
    return [place for row in ("1", "dealer") for place in last["places"][row]]


def _with_devices(
    found: Staged, devices: Sequence[tuple[str, str]], value: dict[str, Any] | None, *, owed: bool
) -> None:
    """Steps in which devices commit, reveal, and the order is composed."""
    steps = [step for step in found.document["steps"] if "sealed" in step["views"]["p1"]]
    first = next(step for step in steps if step["views"]["p1"]["stage"] == "betting")
    last = [step for step in steps if not step["views"]["p1"]["sealed"]["places"]][-1]
    committed: list[dict[str, Any]] = []
    before: list[dict[str, Any]] = []
    for player, device in devices:
        commitment = found.commitment(player, device, secret_of(device))
        committed.append({"player": player, "device": device, "commitment": commitment, "secret": ""})
        step = copy.deepcopy(first)
        step["views"]["p1"]["sealed"]["devices"] = copy.deepcopy(committed)
        before.append(step)
    after: list[dict[str, Any]] = []
    for given in (one for one in committed if one["device"] != SILENT):
        given["secret"] = secret_of(given["device"])
        step = copy.deepcopy(last)
        step["views"]["p1"]["sealed"]["devices"] = copy.deepcopy(committed)
        after.append(step)
    steps_of = found.document["steps"]
    begins, ends = steps_of.index(first), steps_of.index(last)
    rest = steps_of[begins + 1 :]
    found.document["steps"] = [*steps_of[: begins + 1], *before, *rest]
    silent = [{**given, "secret": ""} for given in committed]
    for step in rest:
        step["views"]["p1"]["sealed"]["devices"] = copy.deepcopy(
            silent if steps_of.index(step) <= ends else committed
        )
    for step in [*rest, *after]:
        if step["views"]["p1"]["stage"] == "closed":
            step["views"]["p1"]["sealed"]["reveal_by"] = (CLOSED_AT + REVEAL_SECONDS) * 1_000_000
    made = {
        "contributions": [
            {name: given[name] for name in ("player", "device", "secret")}
            for given in sorted(committed, key=lambda given: (given["player"], given["device"]))
            if given["secret"]
        ],
        "withheld": [
            {"player": given["player"], "device": given["device"]}
            for given in committed
            if not given["secret"]
        ],
        "beacon": value,
        "independent": sum(bool(given["secret"]) for given in committed),
    }
    composing = copy.deepcopy(last)
    composing["views"]["p1"]["sealed"] |= {"devices": copy.deepcopy(committed), "reveal_by": None}
    at = found.document["steps"].index(last) + 1
    found.document["steps"][at:at] = [*after, *([composing] if owed else [])]
    for step in found.document["steps"][at + len(after) :]:
        seal = step["views"]["p1"]["sealed"]
        seal |= {"reveal_by": None, "composed": copy.deepcopy(made) if owed else None}


def as_the_screen_saves_it(template: Document) -> Staged:
    """With whose device it was, whether the floor took its secret, and which commitments it saw before that."""
    found = staged(template)
    found.document["contributed"] |= {"player": "p1", "revealed": True}
    found.document["devices_seen"] = copy.deepcopy(found.open[-1]["devices"])
    return found


HONEST: Mapping[str, Callable[[Document], Staged]] = {
    "devices": staged,
    "as the screen saves it": as_the_screen_saves_it,
    "every device reveals": lambda given: staged(given, devices=(("p1", OWN), ("p2", OTHER))),
    "no device": lambda given: staged(given, devices=(), owed=False),
    "a device of another player": lambda given: staged(given, devices=(("p2", OTHER),)),
    "devices and a beacon": lambda given: staged(
        given, beacon=announced_beacon(), value=signed(BEACON_ROUND)
    ),
    "a beacon alone": lambda given: staged(
        given, devices=(), beacon=announced_beacon(), value=signed(BEACON_ROUND)
    ),
    "a round of the beacon after the one announced": lambda given: staged(
        given, beacon=announced_beacon(round=BEACON_ROUND - 9), value=signed(BEACON_ROUND)
    ),
    "a beacon that the house may leave out": lambda given: staged(
        given, beacon=announced_beacon(missing="without")
    ),
}
"""Rounds that everybody accepts."""


# --- forged: what each device contributed -------------------------------------------------------------------


def dealt_as_sealed(round_: Staged) -> None:
    round_.deal(AS_SEALED)


def dealt_without_a_contribution_that_is_listed(round_: Staged) -> None:
    found = [Contribution(**given) for given in round_.done[-1]["contributions"][:1]]
    round_.deal(composed(found, None, table="t1", number=1, root=round_.root))


def two_places_exchanged(round_: Staged) -> None:
    made = [Contribution(**given) for given in round_.done[-1]["contributions"]]
    order = list(composed(made, None, table="t1", number=1, root=round_.root))
    order[0], order[5] = order[5], order[0]
    round_.deal(order)


def composed_for_another_round(round_: Staged) -> None:
    made = [Contribution(**given) for given in round_.done[-1]["contributions"]]
    round_.deal(composed(made, None, table="t1", number=2, root=round_.root))


def a_device_neither_contributed_nor_withheld(round_: Staged) -> None:
    round_.deal_as_told(lambda made: made["withheld"].clear())


def a_contribution_left_out(round_: Staged) -> None:
    round_.deal_as_told(lambda made: made["contributions"].pop())


def said_to_have_withheld(round_: Staged) -> None:
    """The other player's secret lay on the table, and is left out because the cards are better without."""

    def change(made: dict[str, Any]) -> None:
        gone = made["contributions"].pop()
        made["withheld"].append({"player": gone["player"], "device": gone["device"]})

    round_.deal_as_told(change)


def said_to_have_withheld_and_never_shown(round_: Staged) -> None:
    """The player's own secret, as if it had come too late, and it was shown to them before."""
    said_to_have_withheld(round_)
    for seal in round_.seals:
        if seal["composed"] is not None:
            for given in seal["devices"]:
                given["secret"] = "" if given["device"] == OTHER else given["secret"]


def contributed_and_withheld(round_: Staged) -> None:
    round_.deal_as_told(lambda made: made["withheld"].append({"player": "p1", "device": OWN}))


def withheld_twice(round_: Staged) -> None:
    round_.deal_as_told(lambda made: made["withheld"].append(made["withheld"][0]))


def withheld_by_a_device_that_never_committed(round_: Staged) -> None:
    round_.deal_as_told(lambda made: made["withheld"].append({"player": "p4", "device": "phone-4"}))


def counted_twice(round_: Staged) -> None:
    round_.deal_as_told(lambda made: made["contributions"].append(made["contributions"][0]))


def contributed_without_a_commitment(round_: Staged) -> None:
    extra = {"player": "p4", "device": "phone-4", "secret": secret_of("phone-4")}
    round_.deal_as_told(lambda made: made["contributions"].append(extra))


def _added(round_: Staged, seals: Sequence[dict[str, Any]], *, place: int, **changes: Any) -> None:
    """A device of the house among the others; it has revealed where the others have."""
    given = {"player": "p4", "device": "phone-4", "secret": secret_of("phone-4")} | changes
    commitment = round_.commitment(**given)
    for seal in seals:
        secret = given["secret"] if seal["composed"] is not None else ""
        seal["devices"].insert(place, given | {"commitment": commitment, "secret": secret})
    round_.deal_as_told(lambda made: made["contributions"].append(given))


def committed_after_bets_were_closed(round_: Staged) -> None:
    _added(round_, round_.closed, place=9)


def committed_before_all_others_and_seen_later(round_: Staged) -> None:
    _added(round_, round_.closed, place=0)


def a_second_device_of_one_player(round_: Staged) -> None:
    seals = [seal for seal in round_.seals if len(seal["devices"]) == 3]
    _added(round_, seals, place=3, player="p2")


def a_secret_that_does_not_fit(round_: Staged) -> None:
    for seal in round_.seals:
        for given in seal["devices"]:
            if given["device"] == OTHER and given["secret"]:
                given["secret"] = secret_of("what the house likes")

    round_.deal_as_told(
        lambda made: made["contributions"][1].update(secret=secret_of("what the house likes"))
    )


def a_secret_other_than_the_one_revealed(round_: Staged) -> None:
    round_.deal_as_told(
        lambda made: made["contributions"][1].update(secret=secret_of("what the house likes"))
    )


def a_secret_and_its_commitment_changed_later(round_: Staged) -> None:
    secret = secret_of("what the house likes")
    for seal in round_.closed:
        for given in seal["devices"]:
            if given["device"] == OTHER:
                given["commitment"] = round_.commitment("p2", OTHER, secret)
                given["secret"] = secret if given["secret"] else ""
    round_.deal_as_told(lambda made: made["contributions"][1].update(secret=secret))


def _by_all(round_: Staged, device_: str, secret: str, commitment: str, **changes: str) -> None:
    """A device had another secret and commitment in every view."""
    for seal in round_.seals:
        for given in seal["devices"]:
            if given["device"] == device_:
                given |= {"commitment": commitment, "secret": secret if given["secret"] else ""} | changes

    def change(made: dict[str, Any]) -> None:
        for given in made["contributions"]:
            if given["device"] == device_:
                given |= {"secret": secret} | changes

    round_.deal_as_told(change)


def own_secret_replaced_from_the_beginning(round_: Staged) -> None:
    secret = secret_of("what the house likes")
    _by_all(round_, OWN, secret, round_.commitment("p1", OWN, secret))


def own_device_replaced_from_the_beginning(round_: Staged) -> None:
    secret = secret_of("what the house likes")
    commitment = round_.commitment("p1", "phone-9", secret)
    _by_all(round_, OWN, secret, commitment, device="phone-9")


def own_device_never_there(round_: Staged) -> None:
    for seal in round_.seals:
        seal["devices"] = [given for given in seal["devices"] if given["device"] != OWN]
    round_.deal_as_told(lambda made: made["contributions"].pop(0))


def no_device_ever_there(round_: Staged) -> None:
    """As if nobody had committed: the deck is dealt as it was sealed."""
    for seal in round_.seals:
        seal |= {"devices": [], "composed": None}
    round_.deal(AS_SEALED)


def a_commitment_for_another_round(round_: Staged) -> None:
    commitment = round_.commitment("p2", OTHER, secret_of(OTHER), number=2)
    _by_all(round_, OTHER, secret_of(OTHER), commitment)


def a_commitment_to_another_seal(round_: Staged) -> None:
    commitment = round_.commitment("p2", OTHER, secret_of(OTHER), root="00" * 32)
    _by_all(round_, OTHER, secret_of(OTHER), commitment)


def the_commitment_of_another_device(round_: Staged) -> None:
    """It copies what another one commits to, and reveals when that one has."""
    _by_all(round_, OTHER, secret_of(OWN), round_.commitment("p1", OWN, secret_of(OWN)))


def a_secret_that_is_short(round_: Staged) -> None:
    _by_all(round_, OTHER, "00", round_.commitment("p2", OTHER, "00"))


def a_secret_in_other_digits(round_: Staged) -> None:
    secret = secret_of(OTHER).upper()
    _by_all(round_, OTHER, secret, round_.commitment("p2", OTHER, secret))


def revealed_while_bets_are_open(round_: Staged) -> None:
    for seal in round_.open:
        for given in seal["devices"]:
            if given["device"] == OTHER:
                given["secret"] = secret_of(OTHER)


def a_device_gone_later(round_: Staged) -> None:
    for seal in list(round_.seals)[-3:]:
        seal["devices"].pop()


# --- forged: the composition itself -------------------------------------------------------------------------


def not_composed(round_: Staged) -> None:
    for seal in round_.seals:
        seal["composed"] = None
    round_.deal(AS_SEALED)


def composed_otherwise_later(round_: Staged) -> None:
    last = list(round_.seals)[-1]["composed"]
    last["withheld"].append(last["contributions"].pop())
    last["independent"] = 1


def composed_before_bets_were_closed(round_: Staged) -> None:
    for seal in round_.seals:
        seal["composed"] = copy.deepcopy(round_.done[-1])


def not_composed_any_more(round_: Staged) -> None:
    list(round_.seals)[-1]["composed"] = None


def more_devices_counted(round_: Staged) -> None:
    for made in round_.done:
        made["independent"] = 7


def more_time_to_reveal(round_: Staged) -> None:
    for seal in round_.seals:
        seal["composition"]["reveal_seconds"] = 60


def more_time_to_reveal_later(round_: Staged) -> None:
    for seal in round_.closed:
        seal["composition"]["reveal_seconds"] = 60


def sealed_by_the_second_rule_later(round_: Staged) -> None:
    for seal in round_.closed:
        for name in ("composition", "devices", "reveal_by", "composed"):
            del seal[name]
        seal["seal"] = 2
    round_.deal(AS_SEALED)


def sealed_by_the_second_rule_since(round_: Staged) -> None:
    """The root is one of the second rule all along, and the screen has seen one of the third."""
    for seal in round_.seals:
        for name in ("composition", "devices", "reveal_by", "composed"):
            del seal[name]
        seal["seal"] = 2
    round_.seal_anew()
    round_.deal(AS_SEALED)


# --- forged: what the screen has kept says otherwise --------------------------------------------------------


def a_device_of_the_house_from_the_beginning(round_: Staged) -> None:
    """In every view, as if it had committed with the others: its secret is chosen when all others are known."""
    seals = [seal for seal in round_.seals if len(seal["devices"]) == 3]
    _added(round_, seals, place=3)


def the_secret_of_another_replaced_from_the_beginning(round_: Staged) -> None:
    secret = secret_of("what the house likes")
    _by_all(round_, OTHER, secret, round_.commitment("p2", OTHER, secret))


def the_device_of_another_never_there(round_: Staged) -> None:
    for seal in round_.seals:
        seal["devices"] = [given for given in seal["devices"] if given["device"] != OTHER]
    round_.deal_as_told(lambda made: made["contributions"].pop())


def own_device_under_the_name_of_another(round_: Staged) -> None:
    """With the player's own secret: by the name that is put before it the house chooses among orders."""
    commitment = round_.commitment("p4", OWN, secret_of(OWN))
    _by_all(round_, OWN, secret_of(OWN), commitment, player="p4")
    round_.document["devices_seen"] = copy.deepcopy(round_.open[-1]["devices"])


def own_secret_taken_and_said_to_be_withheld(round_: Staged) -> None:
    for seal in round_.seals:
        for given in seal["devices"]:
            given["secret"] = "" if given["device"] == OWN else given["secret"]

    def change(made: dict[str, Any]) -> None:
        gone = made["contributions"].pop(0)
        made["withheld"].append({"player": gone["player"], "device": gone["device"]})

    round_.deal_as_told(change)


# --- forged: which views there are --------------------------------------------------------------------------


def no_view_of_open_bets(round_: Staged) -> None:
    _added(round_, round_.closed, place=9)
    steps = round_.document["steps"]
    round_.document["steps"] = [step for step in steps if step["views"]["p1"]["stage"] != "betting"]


def bets_opened_again(round_: Staged) -> None:
    """After the close there is a view of open bets again, in which a device of the house has committed."""
    _added(round_, round_.closed, place=9)
    steps = round_.document["steps"]
    at = next(n for n, step in enumerate(steps) if step["views"]["p1"]["stage"] == "closed")
    closed, again = copy.deepcopy(steps[at]), copy.deepcopy(steps[at])
    closed["views"]["p1"]["sealed"]["devices"].pop()
    again["views"]["p1"] |= {"stage": "betting"}
    again["views"]["p1"]["sealed"]["reveal_by"] = None
    steps[at:at] = [closed, again]


def the_time_to_reveal_while_bets_are_open(round_: Staged) -> None:
    for seal in round_.open:
        seal["reveal_by"] = (CLOSED_AT + REVEAL_SECONDS) * 1_000_000


def the_time_to_reveal_as_text(round_: Staged) -> None:
    for seal in round_.seals:
        seal["reveal_by"] = seal["reveal_by"] and str(seal["reveal_by"])


# --- forged: how the seed makes an order --------------------------------------------------------------------


def _seeded(round_: Staged, contributions: Sequence[dict[str, Any]]) -> bytes:
    said = {"beacon": None, "contributions": contributions, "root": round_.root, "round": 1, "table": "t1"}
    return hashlib.sha256(json.dumps(said, sort_keys=True, separators=(",", ":")).encode()).digest()


def contributions_in_the_order_that_suits(round_: Staged) -> None:
    for made in round_.done:
        made["contributions"].reverse()
    round_.deal(order_of(_seeded(round_, round_.done[-1]["contributions"])))


def more_said_of_a_contribution(round_: Staged) -> None:
    for made in round_.done:
        made["contributions"][0]["note"] = "what the house likes"
    round_.deal(order_of(_seeded(round_, round_.done[-1]["contributions"])))


def the_permutation_turned_round(round_: Staged) -> None:
    order = order_of(_seeded(round_, round_.done[-1]["contributions"]))
    round_.deal([order.index(place) for place in range(len(order))])


def a_withheld_secret_mixed_in(round_: Staged) -> None:
    silent = {"player": "p3", "device": SILENT, "secret": secret_of(SILENT)}
    round_.deal(order_of(_seeded(round_, [*round_.done[-1]["contributions"], silent])))


# --- forged: a beacon ---------------------------------------------------------------------------------------


def a_beacon_that_was_not_announced(round_: Staged) -> None:
    round_.deal_as_told(lambda made: made.update(beacon=signed(BEACON_ROUND)))


def a_beacon_announced_later(round_: Staged) -> None:
    for seal in round_.closed:
        seal["composition"]["beacon"] = announced_beacon()
    round_.deal_as_told(lambda made: made.update(beacon=signed(BEACON_ROUND)))


def the_beacon_left_out(round_: Staged) -> None:
    round_.deal_as_told(lambda made: made.update(beacon=None))


def the_beacon_announced_as_one_that_may_be_left_out(round_: Staged) -> None:
    for seal in round_.seals:
        seal["composition"]["beacon"]["missing"] = "without"
    the_beacon_left_out(round_)


def another_key_announced_later(round_: Staged) -> None:
    for seal in round_.closed:
        seal["composition"]["beacon"]["key"] = STRANGER.public_key().public_bytes_raw().hex()
    round_.deal_as_told(lambda made: made.update(beacon=signed(BEACON_ROUND, STRANGER)))


def signed_by_a_stranger(round_: Staged) -> None:
    round_.deal_as_told(lambda made: made.update(beacon=signed(BEACON_ROUND, STRANGER)))


def a_signature_of_another_round_of_the_beacon(round_: Staged) -> None:
    value = signed(BEACON_ROUND) | {"signature": signed(BEACON_ROUND - 1)["signature"]}
    round_.deal_as_told(lambda made: made.update(beacon=value))


def a_round_of_the_beacon_that_was_known_before(round_: Staged) -> None:
    round_.deal_as_told(lambda made: made.update(beacon=signed(BEACON_ROUND - 10)))


def a_round_of_the_beacon_before_the_reveals_were_over(round_: Staged) -> None:
    """Later than the one announced, and published while a device could still choose."""
    round_.deal_as_told(lambda made: made.update(beacon=signed(BEACON_ROUND - 1)))


def a_later_round_of_the_beacon_that_the_house_liked(round_: Staged) -> None:
    round_.deal_as_told(lambda made: made.update(beacon=signed(BEACON_ROUND + 1)))


def _written_otherwise(round_: Staged, value: dict[str, Any]) -> None:
    """The beacon's value in other words: the same signature, and another seed."""
    for made in round_.done:
        made["beacon"] = value
    given = round_.done[-1]["contributions"]
    said = {"beacon": value, "contributions": given, "root": round_.root, "round": 1, "table": "t1"}
    text = json.dumps(said, sort_keys=True, separators=(",", ":"))
    round_.deal(order_of(hashlib.sha256(text.encode()).digest()))


def the_signature_in_capitals(round_: Staged) -> None:
    value = signed(BEACON_ROUND)
    _written_otherwise(round_, value | {"signature": value["signature"].upper()})


def the_signature_with_spaces(round_: Staged) -> None:
    value = signed(BEACON_ROUND)
    _written_otherwise(round_, value | {"signature": f" {value['signature']}"})


def the_round_of_the_beacon_as_a_fraction(round_: Staged) -> None:
    _written_otherwise(round_, signed(BEACON_ROUND) | {"round": float(BEACON_ROUND)})


def more_said_of_the_beacon(round_: Staged) -> None:
    _written_otherwise(round_, signed(BEACON_ROUND) | {"note": "what the house likes"})


def the_time_to_reveal_never_shown(round_: Staged) -> None:
    """So that any later round of the beacon would do."""
    a_later_round_of_the_beacon_that_the_house_liked(round_)
    for seal in round_.seals:
        seal["reveal_by"] = None


def the_time_to_reveal_moved(round_: Staged) -> None:
    """In the last view before the order was composed, for a later round of the beacon."""
    a_later_round_of_the_beacon_that_the_house_liked(round_)
    [seal for seal in round_.seals if seal["reveal_by"] is not None][-1]["reveal_by"] += PERIOD * 1_000_000


def the_time_to_reveal_long_before(round_: Staged) -> None:
    """So that a round of the beacon would do that was known when bets were closed."""
    for seal in round_.seals:
        seal["reveal_by"] = seal["reveal_by"] and seal["reveal_by"] - 5 * PERIOD * 1_000_000
    round_.deal_as_told(lambda made: made.update(beacon=signed(BEACON_ROUND - 5)))


def signed_by_the_key_for_another_beacon(round_: Staged) -> None:
    value = {"round": BEACON_ROUND, "signature": SIGNER.sign(f"other|{BEACON_ROUND}".encode()).hex()}
    round_.deal_as_told(lambda made: made.update(beacon=value))


_ORDER_OF_THE_CURVE = 2**252 + 27742317777372353535851937790883648493


def the_signature_with_another_number_of_the_same_rest(round_: Staged) -> None:
    """What a careless check takes for a second signature of the same message."""
    signature = bytes.fromhex(signed(BEACON_ROUND)["signature"])
    number = int.from_bytes(signature[32:], "little") + _ORDER_OF_THE_CURVE
    _written_otherwise(
        round_, signed(BEACON_ROUND) | {"signature": (signature[:32] + number.to_bytes(32, "little")).hex()}
    )


def a_beacon_without_a_period(round_: Staged) -> None:
    """Announced from the beginning, so that any of its rounds would do."""
    for seal in round_.seals:
        seal["composition"]["beacon"]["period"] = 0
    round_.seal_anew()
    for seal in round_.seals:
        for given in seal["devices"]:
            secret = secret_of(given["device"])
            given["commitment"] = round_.commitment(given["player"], given["device"], secret)
    round_.deal_as_told()


def the_beacon_listed_and_not_mixed_in(round_: Staged) -> None:
    found = [Contribution(**given) for given in round_.done[-1]["contributions"]]
    round_.deal(composed(found, None, table="t1", number=1, root=round_.root))


def the_beacon_alone_without_a_composition(round_: Staged) -> None:
    not_composed(round_)


_SAVED = "as the screen saves it"
_WITH, _ALONE = "devices and a beacon", "a beacon alone"
_AFTER, _PLAIN = "a round of the beacon after the one announced", "devices"
_FORGERIES: tuple[tuple[str, tuple[Callable[[Staged], None], ...]], ...] = (
    (
        _PLAIN,
        (
            dealt_as_sealed,
            dealt_without_a_contribution_that_is_listed,
            two_places_exchanged,
            composed_for_another_round,
            a_device_neither_contributed_nor_withheld,
            a_contribution_left_out,
            said_to_have_withheld,
            said_to_have_withheld_and_never_shown,
            contributed_and_withheld,
            withheld_twice,
            withheld_by_a_device_that_never_committed,
            counted_twice,
            contributed_without_a_commitment,
            committed_after_bets_were_closed,
            committed_before_all_others_and_seen_later,
            a_second_device_of_one_player,
            a_secret_that_does_not_fit,
            a_secret_other_than_the_one_revealed,
            a_secret_and_its_commitment_changed_later,
            own_secret_replaced_from_the_beginning,
            own_device_replaced_from_the_beginning,
            own_device_never_there,
            no_device_ever_there,
            a_commitment_for_another_round,
            a_commitment_to_another_seal,
            the_commitment_of_another_device,
            a_secret_that_is_short,
            a_secret_in_other_digits,
            revealed_while_bets_are_open,
            a_device_gone_later,
            not_composed,
            composed_otherwise_later,
            composed_before_bets_were_closed,
            not_composed_any_more,
            more_devices_counted,
            more_time_to_reveal,
            more_time_to_reveal_later,
            sealed_by_the_second_rule_later,
            sealed_by_the_second_rule_since,
            a_beacon_that_was_not_announced,
            a_beacon_announced_later,
            no_view_of_open_bets,
            bets_opened_again,
            the_time_to_reveal_while_bets_are_open,
            the_time_to_reveal_as_text,
            contributions_in_the_order_that_suits,
            more_said_of_a_contribution,
            the_permutation_turned_round,
            a_withheld_secret_mixed_in,
        ),
    ),
    (
        _SAVED,
        (
            a_device_of_the_house_from_the_beginning,
            the_secret_of_another_replaced_from_the_beginning,
            the_device_of_another_never_there,
            own_device_under_the_name_of_another,
            own_secret_taken_and_said_to_be_withheld,
        ),
    ),
    (
        _WITH,
        (
            the_beacon_left_out,
            the_beacon_announced_as_one_that_may_be_left_out,
            another_key_announced_later,
            signed_by_a_stranger,
            a_signature_of_another_round_of_the_beacon,
            a_round_of_the_beacon_that_was_known_before,
            a_later_round_of_the_beacon_that_the_house_liked,
            the_signature_in_capitals,
            the_signature_with_spaces,
            the_round_of_the_beacon_as_a_fraction,
            more_said_of_the_beacon,
            the_time_to_reveal_never_shown,
            the_time_to_reveal_moved,
            the_time_to_reveal_long_before,
            signed_by_the_key_for_another_beacon,
            the_signature_with_another_number_of_the_same_rest,
            a_beacon_without_a_period,
            the_beacon_listed_and_not_mixed_in,
        ),
    ),
    (_AFTER, (a_round_of_the_beacon_before_the_reveals_were_over,)),
    (_ALONE, (the_beacon_alone_without_a_composition,)),
)
FORGED_COMPOSITIONS: Mapping[str, tuple[str, Callable[[Staged], None]]] = {
    forge.__name__: (base, forge) for base, forgeries in _FORGERIES for forge in forgeries
}
"""Each forgery with the honest round that it starts from."""


@cache
def template() -> Document:
    """One hand of stud to its end, as its player has it."""
    from support.sealed_rounds import honest_round

    return honest_round("mbs-stud-6", hands=1)


def honest_composition(name: str) -> Document:
    """A round that everybody accepts, as p1 has saved it (table t1, round 1)."""
    return HONEST[name](template()).document


def forged_composition(name: str) -> Document:
    """A round that everybody rejects: `root_seen`, `seal_seen` and `contributed` are what p1's screen has kept."""
    base, forge = FORGED_COMPOSITIONS[name]
    found = HONEST[base](template())
    before = copy.deepcopy(found.document)
    forge(found)
    assert found.document != before, name
    return found.document
