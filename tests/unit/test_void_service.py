"""Voids over the wire: the second person's own word, and who is shown the deck of a void round, and when."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pitboss.client import NotAllowed
from pitboss.client.problems import ClientError
from pitboss.play import commands as c
from pitboss.rulebooks.trouble import Irregularity, Ruling
from pitboss.rulebooks.vocabulary import Position
from support.floor import House
from support.service import PASSWORD, Served, raw, served

BY = c.Staff(Position.DEALER)
BETS = ("dealer: open bets", "p1@1: wager ante 25", "p2@2: wager ante 25", "dealer: close bets")
VIEWERS = ("p1", "p2", "p3", "p4", "dora", "saul", "mara", "eye", "")
PATHS = (
    *("/api/tables/t1", "/api/tables/t1/rounds", "/api/tables/t1/rounds/1", "/api/tables/t1/rounds/2"),
    *("/api/tables/t1/rounds/1?as=p1", "/api/tables/t1/rounds/1?as=surveillance", "/api/voids"),
    *("/api/reports/day", "/api/floor"),
)


def a_round_in_play(house: House) -> None:
    house.table("mbs-stud-6", players=("p1", "p2", "p3", "p4"))
    house.steps(BETS[0], "p4@4: wager ante 25", "p4@4: withdraw ante", *BETS[1:], "dealer: deal")


def salts_of(service: Served, number: int) -> tuple[set[str], set[str]]:
    """The salts of the cards that were drawn in a round, and of those that were not."""
    locked = service.house.store.deck("t1", number)
    assert locked is not None
    deck = service.house.floor.desk.decks.unlock(locked, table="t1", number=number)
    drawn = len(service.house.floor.table("t1").drawn)
    salts = [card.salt.hex() for card in deck]
    return set(salts[:drawn]), set(salts[drawn:])


def shown(service: Served, who: str) -> str:
    """Everything that somebody can read, as one text."""
    if not who:
        return json.dumps([raw(service, "GET", path)[1] for path in PATHS])
    found = []
    with service.signed_in(who) as ask:
        for path in PATHS:
            with suppress(ClientError):
                found.append(json.dumps(ask(ask.client.call("GET", path))))
    assert len(found) >= 2
    return "\n".join(found)


def deck_of(service: Served, who: str, path: str = "/api/tables/t1/rounds/1") -> Any:
    with service.signed_in(who) as ask:
        return ask(ask.client.call("GET", path)).get("void_deck")


def test_the_deck_is_shown_to_its_players_alone_and_only_when_the_void_is_final(tmp_path: Path) -> None:
    with served(tmp_path / "floor", a_round_in_play) as service:
        house = service.house
        _, hidden = salts_of(service, 1)

        def sees(who: str, salts: set[str]) -> int:
            text = shown(service, who)
            return sum(salt in text for salt in salts)

        house.steps("pit-manager: report disruption", "assistant-director: rule void signed saul")
        assert [sees(who, hidden) for who in VIEWERS] == [0] * len(VIEWERS)
        assert deck_of(service, "p1") == {"status": "kept", "openings": []}
        house.steps(*BETS, "dealer: deal")
        _, hidden_next = salts_of(service, 2)
        for who in VIEWERS:
            assert sees(who, hidden) == (len(hidden) if who in ("p1", "p2") else 0), who
            assert sees(who, hidden_next) == 0, who
        opened = deck_of(service, "p2")
        assert opened["status"] == "opened"
        assert len(opened["openings"]) == 52
        assert deck_of(service, "mara") is None
        assert deck_of(service, "eye", "/api/tables/t1/rounds/1?as=p1") is None
        assert deck_of(service, "p1", "/api/tables/t1/rounds/2") is None
        assert deck_of(service, "p4") is None, "they had taken their stake back"
        with pytest.raises(NotAllowed):
            deck_of(service, "p3")


def test_the_second_person_gives_their_own_word_for_a_void(tmp_path: Path) -> None:
    with served(tmp_path / "floor", a_round_in_play) as service:
        service.house.steps("pit-manager: report disruption")
        ruling = c.Rule(by=BY, ruling=Ruling.VOID, approved_by="saul")
        with service.signed_in("ada") as ask:
            with pytest.raises(NotAllowed, match="second person"):
                ask(ask.client.act("t1", c.Rule(by=BY, ruling=Ruling.VOID)))
            with pytest.raises(NotAllowed, match="own word"):
                ask(ask.client.act("t1", ruling))
            word = ask(ask.client.countersign_act("saul", PASSWORD, "t1", ruling))
            ask(ask.client.act("t1", ruling, countersign=word))
        assert service.house.floor.table("t1").state.stage == "void"


def test_the_screens_are_told_what_takes_a_second_signature(tmp_path: Path) -> None:
    with served(tmp_path / "floor", a_round_in_play) as service, service.signed_in("mara") as ask:
        path = "/api/tables/t1/irregularities"
        foreign = ask(ask.client.call("GET", f"{path}/foreign-card"))
        assert [branch["row"]["second-signature"] for branch in foreign["branches"]] == [True]
        ask(ask.client.act("t1", c.Report(by=BY, kind=Irregularity.DISRUPTION)))
        rows = ask(ask.client.call("GET", "/api/tables/t1/rulings"))["rulings"]
        signed = {row["ruling"]: row["second_signature"] for row in rows}
        assert signed == {"void": True, "continue": False}
