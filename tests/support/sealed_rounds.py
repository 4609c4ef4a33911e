"""Rounds of sealed decks, honest and forged, and who must tell them apart.

A forgery is a round as a house might hand it to a player afterwards, made up against the root that the player's
screen has kept (`root_seen`). The command, the script of docs/fair-shuffle.md and the browser must each reject
every one of them, and accept the honest rounds of every game.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pitboss.cli.main import run
from pitboss.floor.recall import recall, recalled, viewers_of
from pitboss.play.dealing import outstanding
from pitboss.play.views import FACE_DOWN
from support.floor import House
from support.sent import as_sent

DOCS = Path(__file__).parent.parent.parent / "docs" / "fair-shuffle.md"
Document = dict[str, Any]


def by_command(file: Path) -> bool:
    return run(["verify-round", str(file)]) == 0


def code_of_the_page() -> str:
    """The script of docs/fair-shuffle.md."""
    code = re.search(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    assert len([line for line in code[1].splitlines() if line]) <= 106
    return code[1]


def by_the_page(file: Path, before: str = "") -> bool:
    """What the script says of a round; `before` is run first in its process."""
    command = [sys.executable, "-c", before + code_of_the_page(), str(file)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    sys.stdout.write(done.stdout)
    assert "Traceback" not in done.stderr, done.stderr
    return done.returncode == 0


CHECKS = (by_command, by_the_page)


def holds(check: Callable[[Path], bool], document: Any, folder: Path) -> bool:
    """What a check says of a document in a file."""
    file = folder / "round.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    return check(file)


# --- honest rounds -----------------------------------------------------------------------------------------


def a_round(house: House, *, hands: int = 2, table: str = "t1") -> None:
    """A round of one hand or two to its end; p2 folds what he may fold."""
    everybody = range(1, hands + 1)
    house.steps("dealer: open bets", *(f"p{n}@{n}: wager ante 25" for n in everybody), table=table)
    house.steps("dealer: close bets", "dealer: deal", *(f"p{n}@{n}: view" for n in everybody), table=table)
    play_on(house, table)


def play_on(house: House, table: str = "t1") -> None:
    """Decide, reveal and settle until the round is over."""
    for _ in range(40):
        state = house.floor.table(table).state
        if state.stage.is_over:
            return
        decision = outstanding(state)
        if decision is not None:
            house.step("p2@2: fold", table)
            if house.step(f"p1@1: bet {decision.bet}", table).ok or house.step("p1@1: check", table).ok:
                continue
        places = ("flop", "turn", "river", "community", "dealer")
        if not any(house.step(f"dealer: reveal {place}", table).ok for place in places):
            house.step("dealer: settle", table)
    raise AssertionError("the round does not end")


def saved(house: House, who: str, table: str = "t1") -> Document:
    """The last round as somebody's screen saves it, with the root that it saw when bets were opened."""
    number = house.floor.table(table).state.round_number
    steps = recall(house.floor, house.store, table, number)
    document = as_sent(recalled(table, number, steps, {who: viewers_of(steps)[who]}, told=False))
    seal = next(view["sealed"] for view in views_of(document) if "sealed" in view)
    return document | {"root_seen": seal["root"], "seal_seen": seal["seal"]}


def honest_round(book: str, *, hands: int = 2, **opening: Any) -> Document:
    """A round of a game as its first player has it."""
    house = House()
    house.table(book, **opening)
    a_round(house, hands=hands)
    return saved(house, "p1")


def views_of(document: Document) -> Iterator[dict[str, Any]]:
    return (view for step in document["steps"] for view in step["views"].values())


def by_the_first_rule(document: Document) -> None:
    """The same round as versions had it that knew the first rule only."""
    for view in filter(_sealed, views_of(document)):
        seal = view["sealed"]
        seal["root"] = hashlib.sha256(base64.b64decode(seal["commitments"])).hexdigest()
        for name in ("seal", "hands", "composition", "devices", "reveal_by", "composed"):
            seal.pop(name, None)
        document["root_seen"] = seal["root"]
    del document["seal_seen"]


# --- forged rounds: each of one hand of stud, five cards to it and five to the dealer ------------------------


def _sealed(view: dict[str, Any]) -> bool:
    return "sealed" in view


def _dealt(view: dict[str, Any]) -> bool:
    return bool(view.get("sealed", {}).get("places"))


def _revealed(view: dict[str, Any]) -> bool:
    return bool(view["dealer"]) and FACE_DOWN not in view["dealer"]


def _announced(view: dict[str, Any]) -> bytes:
    said = {
        name: view["sealed"][name] for name in ("composition", "dealing", "hands") if name in view["sealed"]
    }
    said |= {name: view[name] for name in ("round", "table")}
    return json.dumps(said, sort_keys=True, separators=(",", ":")).encode()


def one_card_five_times(document: Document) -> None:
    for view in filter(_revealed, views_of(document)):
        view["dealer"] = [view["positions"]["1"]["cards"][0]] * 5


def one_card_five_times_and_fewer_openings(document: Document) -> None:
    one_card_five_times(document)
    for view in filter(_revealed, views_of(document)):
        lying = {*view["dealer"], *(card for box in view["positions"].values() for card in box["cards"])}
        openings = view["sealed"]["openings"]
        view["sealed"]["openings"] = [opening for opening in openings if opening["card"] in lying]


def hands_exchanged(document: Document) -> None:
    for view in filter(_revealed, views_of(document)):
        own = view["positions"]["1"]
        view["dealer"], own["cards"] = own["cards"], view["dealer"]


def hands_exchanged_with_their_places(document: Document) -> None:
    hands_exchanged(document)
    for view in filter(_sealed, views_of(document)):
        places = view["sealed"]["places"]
        if "1" in places and "dealer" in places:
            places["1"], places["dealer"] = places["dealer"], places["1"]


def the_dealer_dealt_first(document: Document) -> None:
    """The hands exchanged, and the order that was announced too, in every view, as if it had been so."""
    last = list(views_of(document))[-1]
    openings = {opening["index"]: opening for opening in last["sealed"]["openings"]}
    document["steps"] = [
        step
        for step in document["steps"]
        if len(step["views"]["p1"].get("sealed", {}).get("places", {})) != 1  # as the cards are dealt
    ]
    for view in filter(_sealed, views_of(document)):
        seal = view["sealed"]
        seal["dealing"] = [{"to": "dealer", "cards": 5}, {"to": "positions", "cards": 5}]
        if not _dealt(view):
            continue
        places = seal["places"] = {"dealer": [0, 1, 2, 3, 4], "1": [5, 6, 7, 8, 9]}
        shown = []
        for row, cards in (("dealer", view["dealer"]), ("1", view["positions"]["1"]["cards"])):
            for at, card in enumerate(cards):
                if card != FACE_DOWN:
                    cards[at] = openings[places[row][at]]["card"]
                    shown.append(openings[places[row][at]])
        seal["openings"] = shown


def another_order_announced_later(document: Document) -> None:
    seal = list(views_of(document))[-1]["sealed"]
    seal["dealing"] = [*seal["dealing"], {"to": "dealer", "cards": 1}]


def other_wagers_dealt_for(document: Document) -> None:
    for view in filter(_sealed, views_of(document)):
        view["sealed"]["hands"] = [*view["sealed"]["hands"], "jackpot"]


def a_hand_left_out(document: Document) -> None:
    """Position 2 has bet, and its cards went to the dealer."""
    for view in views_of(document):
        if "1" in view["positions"]:
            view["positions"]["2"] = view["positions"]["1"] | {"cards": []}


def a_hand_that_had_not_bet(document: Document) -> None:
    for view in views_of(document):
        if not _dealt(view):
            view["positions"] = {}


def a_hand_that_had_bet_on_the_jackpot_only(document: Document) -> None:
    for view in views_of(document):
        for box in view["positions"].values():
            box["stakes"] = {"jackpot": "5.00"}


def no_view_before_the_deal(document: Document) -> None:
    document["steps"] = [step for step in document["steps"] if _dealt(step["views"]["p1"])]


def of_another_table(document: Document) -> None:
    for view in views_of(document):
        view["table"] = "t2"


def of_another_round(document: Document) -> None:
    for view in views_of(document):
        view["round"] = 2


def passed_off_as_the_first_rule(document: Document) -> None:
    the_dealer_dealt_first(document)
    for view in filter(_sealed, views_of(document)):
        view["sealed"]["seal"] = 1


def passed_off_as_the_first_rule_with_longer_commitments(document: Document) -> None:
    """What was announced stands behind the commitments, so that their hash is the root that was seen."""
    padded = next(
        base64.b64decode(view["sealed"]["commitments"]) + _announced(view)
        for view in filter(_sealed, views_of(document))
    )
    passed_off_as_the_first_rule(document)
    for view in filter(_sealed, views_of(document)):
        view["sealed"]["commitments"] = base64.b64encode(padded).decode()
        assert hashlib.sha256(padded).hexdigest() == document["root_seen"]


def sealed_by_the_first_rule_since(document: Document) -> None:
    """The root is one of the first rule all along, and the screen was told that it is one of the second."""
    by_the_first_rule(document)
    document["seal_seen"] = 2


def of_a_rule_that_there_is_not(document: Document) -> None:
    for view in filter(_sealed, views_of(document)):
        view["sealed"]["seal"] = 4


def _sealed_with(document: Document, card: str) -> None:
    """The dealer's first card was another one from the beginning: the root that was seen is that of this deck."""
    place, salt = 5, bytes(16)
    for view in filter(_sealed, views_of(document)):
        seal = view["sealed"]
        hashes = bytearray(base64.b64decode(seal["commitments"]))
        hashes[32 * place : 32 * place + 32] = hashlib.sha256(salt + f"|{place}|{card}".encode()).digest()
        seal["commitments"] = base64.b64encode(bytes(hashes)).decode()
        seal["root"] = hashlib.sha256(bytes(hashes) + _announced(view)).hexdigest()
        for opening in seal["openings"]:
            if opening["index"] == place:
                opening |= {"card": card, "salt": salt.hex()}
        if view["dealer"] and view["dealer"][0] != FACE_DOWN:
            view["dealer"][0] = card
        document["root_seen"] = seal["root"]


def a_card_sealed_twice(document: Document) -> None:
    _sealed_with(document, list(views_of(document))[-1]["positions"]["1"]["cards"][0])


def a_card_that_is_none(document: Document) -> None:
    _sealed_with(document, "1x")


def no_seal_later(document: Document) -> None:
    for view in filter(_revealed, views_of(document)):
        del view["sealed"]
        view["dealer"] = ["As", "Ah", "Ac", "Ad", "Ks"]


def no_seal_on_the_last(document: Document) -> None:
    del list(views_of(document))[-1]["sealed"]


def more_drawn(document: Document) -> None:
    for view in filter(_dealt, views_of(document)):
        view["sealed"]["drawn"] = 52


def endlessly_many_drawn(document: Document) -> None:
    for view in filter(_sealed, views_of(document)):
        view["sealed"]["drawn"] = 10**9


def a_place_twice(document: Document) -> None:
    for view in filter(_sealed, views_of(document)):
        places = view["sealed"]["places"]
        if "dealer" in places:
            places["dealer"][0] = places["1"][0]


def a_card_hidden_in_the_record(document: Document) -> None:
    for view in filter(_revealed, views_of(document)):
        view["dealer"] = view["dealer"][:4]


def another_root(document: Document) -> None:
    document["root_seen"] = "00" * 32


FORGERIES: Mapping[str, Callable[[Document], None]] = {
    forge.__name__: forge
    for forge in (
        one_card_five_times,
        one_card_five_times_and_fewer_openings,
        hands_exchanged,
        hands_exchanged_with_their_places,
        the_dealer_dealt_first,
        another_order_announced_later,
        other_wagers_dealt_for,
        a_hand_left_out,
        a_hand_that_had_not_bet,
        a_hand_that_had_bet_on_the_jackpot_only,
        no_view_before_the_deal,
        of_another_table,
        of_another_round,
        passed_off_as_the_first_rule,
        passed_off_as_the_first_rule_with_longer_commitments,
        sealed_by_the_first_rule_since,
        of_a_rule_that_there_is_not,
        a_card_sealed_twice,
        a_card_that_is_none,
        no_seal_later,
        no_seal_on_the_last,
        more_drawn,
        endlessly_many_drawn,
        a_place_twice,
        a_card_hidden_in_the_record,
        another_root,
    )
}
