"""Rounds of sealed decks that are made void, and what both verifiers say of them."""

from __future__ import annotations

from typing import Any

from pitboss.cards import DECK
from pitboss.floor.codec import decode
from pitboss.floor.sealing import shuffle
from pitboss.floor.verifying import check_streams, check_whole
from pitboss.floor.views import floor_view
from pitboss.floor.void_matters import ABOUT_CARDS
from pitboss.play.views import Role, Viewer
from pitboss.rulebooks.trouble import Irregularity
from support.floor import House
from support.record import ledger_of, log_of
from verify_export import audit

SAID = {
    **{kind: kind.value for kind in ABOUT_CARDS},
    Irregularity.WRONG_COUNT_COMMUNITY: "wrong-count community",
    Irregularity.WRONG_COUNT_DEALER: "wrong-count dealer",
    Irregularity.WRONG_COUNT_POSITION: "wrong-count 1",
    Irregularity.COUNT_DOUBT: "count-doubt 51",
}
BETS = ("dealer: open bets", "p1@1: wager ante 25", "p2@2: wager ante 25", "dealer: close bets")


def dealt(book: str = "mbs-stud-6") -> House:
    house = House()
    house.table(book)
    house.steps(*BETS, "dealer: deal")
    return house


def to_the_end(house: House) -> None:
    """Both hands bet what has to be bet, or check, until the round is settled."""
    for _ in range(40):
        state = house.floor.table("t1").state
        if state.stage.is_over:
            return
        view = floor_view(house.floor.table("t1"), None, Viewer(Role.DEALER))
        for position, player in ((1, "p1"), (2, "p2")):
            mine = floor_view(house.floor.table("t1"), None, Viewer(Role.PLAYER, player))["choices"]
            acts = [row["act"] for row in mine if row["act"]["do"] in ("bet", "check", "continue")]
            if acts:
                choice = next((act for act in acts if act["do"] == "check"), acts[0])
                house.steps(f"{player}@{position}: {choice['do']} {choice.get('wager', '')}".rstrip())
        view = floor_view(house.floor.table("t1"), None, Viewer(Role.DEALER))
        for row in view["choices"]:
            act = row["act"]
            if act["do"] in ("reveal", "settle"):
                house.steps(f"dealer: {act['do']} {act.get('place', '')}".rstrip())
    raise AssertionError("the round does not end")


def events(house: House, kind: type, table: str = "t1") -> list[Any]:
    found = [decode(record) for record in house.store.read(f"table/{table}")]
    return [event for event in found if isinstance(event, kind)]


def of_each_verifier(house: House) -> tuple[list[str], list[str]]:
    """What each verifier says of a floor in memory."""
    desk, store = house.opened().desk, house.store
    checked = check_streams(desk, store, store.heads(), wanted={})
    check_whole(desk, store, checked, box=desk.decks)
    found = audit(log_of(store), ledger_of(store))
    decks = set(store.decks()) ^ found.decks
    return [str(problem) for problem in checked.problems], [*found.problems, *map(str, decks)]


def problems(house: House) -> list[str]:
    """What both of them say."""
    ours, theirs = of_each_verifier(house)
    return [*ours, *theirs]


def void(house: House) -> None:
    house.steps("pit-manager: report disruption", "assistant-director: rule void signed saul")


def deleted(house: House) -> None:
    house.store._decks.clear()  # type: ignore[attr-defined]


def scrambled(house: House) -> None:
    for place, text in house.store._decks.items():  # type: ignore[attr-defined]
        house.store._decks[place] = text[:-1] + bytes([text[-1] ^ 1])  # type: ignore[attr-defined]


def replaced(house: House) -> None:
    """Another deck under the right key, as an insider with key and store would put one in."""
    desk = house.floor.desk
    for table, number in house.store.decks():
        whole = shuffle(desk.cards, DECK)
        locked = desk.decks.lock(whole, table=table, number=number, nonce=desk.cards.salt())
        house.store._decks[(table, number)] = locked  # type: ignore[attr-defined]
