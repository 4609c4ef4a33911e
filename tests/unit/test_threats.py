"""Who wants what of a floor, and what stops each: the threats of SECURITY.md, one after the other."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from pitboss.bootstrap import Settings, at_work, checkpoint_key, deck_key, open_store
from pitboss.cli.main import run
from pitboss.client import BadField, NotAllowed, Refused
from pitboss.errors import StoreError
from pitboss.floor import requests as q
from pitboss.floor.people import CONSOLE
from pitboss.floor.sealing import DeckBox
from pitboss.floor.searching import Wanted, found_rounds
from pitboss.money import Cents
from pitboss.play import commands as c
from pitboss.play.table import Stage
from pitboss.rulebooks import book_ids
from pitboss.rulebooks.trouble import Irregularity
from pitboss.rulebooks.vocabulary import Position
from pitboss.server.identity import Identity
from pitboss.store.identities import Identities
from pitboss.store.keeping import export_all
from pitboss.verification import verify
from support.floor import House
from support.service import PASSWORD, QUICK, Served, give_passwords, served, stud_on_a_link
from support.tampering import seal_again
from verify_export import verify_export

DEALER = c.Staff(Position.DEALER)


@pytest.fixture
def house() -> House:
    house = House()
    house.link()
    house.table("mbs-stud-6", link="mega")
    return house


def dealt(house: House, table: str = "t1", *, jackpot: bool = True) -> None:
    steps = ["dealer: open bets", "p1@1: wager ante 25", "p2@2: wager ante 25"]
    steps += ["p1@1: wager jackpot 5"] if jackpot else []
    house.steps(*steps, "dealer: close bets", "dealer: deal", "p1@1: view", table=table)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("threats") / "floor", stud_on_a_link) as found:
        yield found


# --- somebody who wants to see a card -------------------------------------------------------------------


def test_no_search_of_rounds_tells_a_card(house: House) -> None:
    """A card's code, or a piece of the record, is no player and no clause."""
    dealt(house)
    known = [card.code for row in house.floor.table("t1").state.known.values() for card in row]
    assert len(known) > 10
    pieces = [*known, f'{known[0]}","{known[1]}', "dealer", f'dealer","count":5,"cards":["{known[-1]}']
    for text in pieces:
        for wanted in (Wanted(tables=["t1"], player=text), Wanted(tables=["t1"], clause=text)):
            assert found_rounds(house.store, wanted, most=10) == ([], False), text
    assert len(found_rounds(house.store, Wanted(tables=["t1"], player="p1"), most=10)[0]) == 1


def test_nobody_gets_a_players_password_while_he_has_chips_in_play(service: Served) -> None:
    form = {"kind": "player", "name": "p1", "password": "another password"}
    service.house.steps("dealer: open bets", "p1@1: wager ante 25")
    with service.signed_in("saul") as ask:
        with pytest.raises(NotAllowed, match="chips in a round") as found:
            ask(ask.client.call("POST", "/api/accounts/password", form))
        assert found.value.code == "in-play"
        service.house.steps("p1@1: withdraw ante", "p2@2: wager ante 25", "dealer: close bets")
        service.house.steps("pit-supervisor: report disruption", "assistant-director: rule void")
        ask(ask.client.call("POST", "/api/accounts/password", form))
        ask(ask.client.call("POST", "/api/accounts/password", form | {"password": PASSWORD}))
    noted = [record for record in service.house.store.read("floor") if record.name == "account-noted.v1"]
    assert [json.loads(record.data)["by"] for record in noted] == ["staff/saul", "staff/saul"]


# --- a dealer who wants to void a loss ------------------------------------------------------------------


KINDS = {
    **{kind: kind.value for kind in Irregularity},
    Irregularity.WRONG_COUNT_COMMUNITY: "wrong-count community",
    Irregularity.WRONG_COUNT_DEALER: "wrong-count dealer",
    Irregularity.WRONG_COUNT_POSITION: "wrong-count 1",
    Irregularity.EXPOSED: "exposed 3",
    Irregularity.COUNT_DOUBT: "count-doubt 51",
    Irregularity.CONFIDENTIALITY: "confidentiality 1",
    Irregularity.MULTIPLE_HANDS: "multiple-hands 1,2",
    Irregularity.EXTRA_VIEW: "extra-view 1 intentional=no",
    Irregularity.UNCOVERED: "uncovered the lamp fell on the layout",
}
"""Every irregularity, as somebody reports it."""
YES, NO = " reconstructable=yes", " reconstructable=no"


@pytest.mark.parametrize("book", book_ids())
def test_a_dealer_gets_nobodys_stake_back_by_a_report(book: str) -> None:
    """At a virtual table a report alone ends no round and no hand, and lets nobody withdraw who has seen his cards."""
    house = House()
    called_the_pit, refuted = set(), set()
    reports = [kind + finding for kind in KINDS.values() for finding in ("", YES, NO)]
    for number, report in enumerate(reports, 1):
        table = house.table(book, f"t{number}")
        dealt(house, table, jackpot=False)
        before = house.floor.table(table).state
        answer = house.step(f"dealer: report {report}", table)
        if answer.code == "seal-holds":
            refuted.add(report.split()[0])
            assert house.floor.table(table).state == before
            assert house.step(f"assistant-director: report {report}", table).code == "seal-holds"
            continue
        if answer.code == "for-the-pit":
            called_the_pit.add(report.split()[0])
            assert house.floor.table(table).state == before
            alone = house.step(f"pit-supervisor: report {report}", table)
            assert alone.ok or alone.code == "second-person"
            assert alone.ok or house.step(f"pit-supervisor: report {report} signed mara", table).ok
            continue
        for step in ("p1@1: option withdraw", "p1@1: withdraw ante"):
            assert not house.step(step, table).ok, (report, step)
        state = house.floor.table(table).state
        assert state.racks == before.racks, report
        assert state.stage not in (Stage.VOID, Stage.SETTLED), report
    assert {"missing-card", "extra-card", "foreign-card", "misdeal", "count-doubt"} <= refuted
    if book.startswith("mbs"):
        assert "power-failure" in called_the_pit


def test_a_dealer_decides_nothing_for_a_player_who_is_signed_in(service: Served) -> None:
    service.house.steps("dealer: open bets")
    with service.signed_in("p1"), service.signed_in("dora") as ask:

        def refused(command: c.Command) -> str:
            with pytest.raises(NotAllowed) as found:
                ask(ask.client.act("t1", command))
            return found.value.code

        for_p1 = c.Staff(Position.DEALER, for_player="p1")
        bet = c.PlaceWager(by=for_p1, position=1, wager="ante", amount=Cents(2500))
        assert refused(bet) == "he-acts-himself"
        service.house.steps("p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
        assert refused(c.Fold(by=for_p1, position=1)) == "he-acts-himself"
        assert refused(c.MarkAbsent(by=DEALER, position=1)) == "he-acts-himself"
        service.clock.at = type(service.clock.at)(service.clock.at + 31_000_000)
        ask(ask.client.act("t1", c.MarkAbsent(by=DEALER, position=1)))
    service.house.steps("dealer: settle")


# --- a manager who wants to touch the meter -------------------------------------------------------------


def test_nobody_makes_himself_a_second_person(house: House) -> None:
    """Whoever may countersign, and Surveillance, has position and password from the console."""
    for person in ("gina", "ada"):
        for request in (
            q.AddPerson(person="sham", position="shift-manager"),
            q.AddPerson(person="spy", position="surveillance"),
            q.MovePerson(person="gus", position="dealer"),
            q.MovePerson(person="mara", position="shift-manager"),
            q.RemovePerson(person="eye"),
            q.RemovePerson(person="gus"),
        ):
            assert house.refused(person, request) == "by-console", request
    house.ok("gina", q.AddPerson(person="new", position="pit-manager"))
    house.ok(CONSOLE, q.MovePerson(person="new", position="shift-manager"))


def test_nobody_sets_the_password_of_a_second_person(service: Served) -> None:
    with service.signed_in("ada") as ask:
        for name in ("gus", "eye"):
            form = {"kind": "staff", "name": name, "password": "another password"}
            with pytest.raises(NotAllowed) as found:
                ask(ask.client.call("POST", "/api/accounts/password", form))
            assert found.value.code == "by-console"


def test_a_word_is_good_for_what_it_was_given_for(service: Served) -> None:
    small = q.Transfer(
        link="mega", source="meter", target="reserve", amount=Cents(100), reason="x", approved_by="gus"
    )
    large = q.Transfer(
        link="mega", source="meter", target="reserve", amount=Cents(100_000), reason="x", approved_by="gus"
    )
    with service.signed_in("gina") as ask:
        word = ask(ask.client.countersign("gus", PASSWORD, small))
        with pytest.raises(NotAllowed, match="own word"):
            ask(ask.client.do(large, countersign=word))
        ask(ask.client.do(small, countersign=word))


def test_who_entered_the_cards_does_not_verify_the_hand() -> None:
    house = House()
    house.link()
    house.table("mbs-stud-6", link="mega", cards="physical")
    house.steps("dealer: open bets", "p1@1: wager ante 25", "p1@1: wager jackpot 5", "dealer: close bets")
    house.steps("dealer: deal", "p1@1: bet bet")
    for card in ("Ts", "Js", "Qs", "Ks", "As"):
        house.steps(f"pit-manager: card 1 {card}")
    for card in ("2c", "3d", "4s", "Jc", "Kd"):
        house.steps(f"dealer: card dealer {card}")
    house.steps("dealer: reveal dealer", "dealer: settle")
    assert house.refused("mara", q.VerifyClaim(link="mega", claim=1)) == "own-claim"
    assert house.refused("dora", q.VerifyClaim(link="mega", claim=1)) == "no-authority"
    house.ok("milo", q.VerifyClaim(link="mega", claim=1))


def test_p16_a_jackpot_whose_ledger_differs_stays_out_of_order(tmp_path: Path) -> None:
    where = Settings(tmp_path / "floor")
    with at_work(where, create=True) as work:
        house = House(work.store)
        house.link()
        house.table("mbs-stud-6", link="mega")
    database = sqlite3.connect(where.data / "floor.db")
    database.execute("UPDATE balances SET amount = amount + 1 WHERE account LIKE '%/meter/mega'")
    database.commit()
    database.close()
    with at_work(where) as work:
        house.store, house.floor = work.store, work.floor
        assert house.floor.link("mega").out_of_order
        assert house.refused("mara", q.RestoreLink(link="mega")) == "self-check-failed"


# --- an outsider ----------------------------------------------------------------------------------------


def test_a_head_without_an_end_is_not_read(service: Served) -> None:
    import socket
    from urllib.parse import urlsplit

    found = urlsplit(service.url)
    with socket.create_connection((found.hostname, found.port), timeout=10) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: ")
        with pytest.raises(ConnectionError):  # it hangs up long before all of it has come
            line.sendall(bytes(256 * 2**20))


@pytest.mark.parametrize("host", ["127.0.0.1:463999999999999", "127.0.0.1:-1", "[::1", "a:b", "x:0"])
def test_a_host_that_is_none_is_told_so(service: Served, host: str) -> None:
    """Found by fuzzing: a port of many digits was a server error."""
    import http.client
    from urllib.parse import urlsplit

    found = urlsplit(service.url)
    for path in ("/api/lobby", "/api/live", "/"):
        line = http.client.HTTPConnection(str(found.hostname), found.port, timeout=10)
        line.putrequest("GET", path, skip_host=True)
        line.putheader("Host", host)
        line.endheaders()
        answer = line.getresponse()
        assert (answer.status, json.loads(answer.read())["code"]) == (400, "bad-host")
        line.close()


def test_nobody_is_believed_about_the_address_he_comes_from(tmp_path: Path) -> None:
    import urllib.error
    import urllib.request

    statuses = []
    with served(tmp_path / "floor", stud_on_a_link, sign_ins_a_minute=5) as service:
        for number in range(12):
            body = json.dumps({"kind": "player", "name": "nobody", "password": "x" * 9}).encode()
            headers = {"Content-Type": "application/json", "X-Forwarded-For": f"10.0.0.{number}"}
            asked = urllib.request.Request(f"{service.url}/api/sign-in", body, headers)
            try:
                urllib.request.urlopen(asked)
            except urllib.error.HTTPError as refused:
                statuses.append(refused.code)
                refused.close()
    assert 429 in statuses


def test_a_wager_after_no_more_bets_is_refused(house: House) -> None:
    house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets")
    meter = house.floor.link("mega").meter
    late = ("p1@1: wager ante 25", "p1@1: wager jackpot 5", "p2@2: wager ante 25", "p1@1: withdraw ante")
    for stage in ("closed", "dealt", "chosen", "revealed"):
        for step in late:
            before = dict(house.store.heads())
            answer = house.step(step)
            assert (answer.ok, answer.code) == (False, "late"), (stage, step, answer.body)
            assert answer.body["refusal"]["clauses"]
            assert dict(house.store.heads()) == before
        if stage == "closed":
            house.steps("dealer: deal")
        elif stage == "dealt":
            house.steps("p1@1: view", "p1@1: bet bet")
        elif stage == "chosen":
            house.steps("dealer: reveal dealer")
    assert house.floor.link("mega").meter == meter
    house.steps("dealer: settle")
    house.everything_adds_up()


def test_a_player_does_not_bury_the_house_in_disputes(house: House) -> None:
    house.stud()
    house.steps("dealer: settle")
    for number in range(10):
        house.ok("p1", q.OpenDispute(table="t1", round_number=1, about=f"no. {number}"))
    assert house.refused("p1", q.OpenDispute(table="t1", round_number=1, about="x")) == "too-many-disputes"
    house.ok("p2", q.OpenDispute(table="t1", round_number=1, about="x"))


# --- a stolen or changed file ---------------------------------------------------------------------------


@pytest.fixture
def on_disk(tmp_path: Path) -> Settings:
    where = Settings(tmp_path / "floor")
    with at_work(where, create=True) as work:
        house = House(work.store)
        house.link()
        house.table("mbs-stud-6", link="mega")
        house.stud()
        house.steps("dealer: settle")
    return where


def test_files_of_a_floor_are_their_owners_alone(on_disk: Settings, tmp_path: Path) -> None:
    backup = tmp_path / "kept.backup"
    assert run(["backup", str(backup), "--data", str(on_disk.data)]) == 0
    for file in (*on_disk.data.iterdir(), backup):
        if file.is_file() and not file.name.endswith(".lock"):
            assert not stat.S_IMODE(os.stat(file).st_mode) & 0o077, file
    assert not stat.S_IMODE(os.stat(on_disk.data).st_mode) & 0o077


def test_exports_are_their_owners_alone(on_disk: Settings, tmp_path: Path) -> None:
    """The cards of rounds in play are in them; a file that was everybody's is not written over as it was."""
    folder, lines, table = tmp_path / "record", tmp_path / "events.jsonl", tmp_path / "rounds.csv"
    table.touch(mode=0o644)
    where = ("--data", str(on_disk.data))
    before = os.umask(0o022)
    try:
        for _ in range(2):  # written over, too
            assert run(["export", "all", "-o", str(folder), *where]) == 0
            assert run(["export", "events", "-o", str(lines), *where]) == 0
            assert run(["export", "rounds", "-o", str(table), *where]) == 0
    finally:
        os.umask(before)
    assert stat.S_IMODE(os.stat(folder).st_mode) == 0o700
    files = [*folder.iterdir(), lines, table]
    assert {file.name for file in files} > {"events.jsonl", "checkpoints.jsonl", "checkpoint-key.txt"}
    for file in files:
        assert stat.S_IMODE(os.stat(file).st_mode) == 0o600, file
        assert file.stat().st_size or file.name == "decks.jsonl", file  # no round is in play


def test_a_backup_stolen_in_mid_round_opens_nothing_that_is_locked(tmp_path: Path) -> None:
    """No key, no session and no password are in it; what is left of the deck is ciphertext.

    Cards that are dealt lie in it in plain text, as SECURITY.md says: the engine decides by them.
    """
    where, kept = Settings(tmp_path / "floor"), tmp_path / "kept.backup"
    with at_work(where, create=True) as work:
        house = House(work.store)
        house.floor.desk.decks = work.floor.desk.decks  # the key of the folder, as a server has it
        house.table("mbs-stud-6")
        identity = Identity(Identities(work.store.engine), house.clock, hasher=QUICK)
        give_passwords(identity, house)
        begun = identity.sign_in("player", "p1", PASSWORD)
        house.steps("dealer: open bets", "p1@1: wager ante 25", "dealer: close bets", "dealer: deal")
        assert run(["backup", str(kept), "--data", str(where.data)]) == 0
        locked = work.store.deck("t1", 1)
        assert locked is not None
        deck = house.floor.desk.decks.unlock(locked, table="t1", number=1)
        drawn = house.floor.table("t1").drawn
        hashes = [account.password for account in Identities(work.store.engine).accounts()]
    stolen = kept.read_bytes()
    signing = checkpoint_key(where, create=False)
    assert signing is not None
    sealing = deck_key(where, create=False)
    pem = (where.data / "checkpoint.pem").read_bytes()
    body = b"".join(pem.splitlines()[1:-1])
    token = begun.token
    for secret in (
        sealing,
        sealing.hex().encode(),
        signing.private_bytes_raw(),
        signing.private_bytes_raw().hex().encode(),
        body,
        token.encode(),
        hashlib.sha256(token.encode()).hexdigest().encode(),
        begun.session.csrf.encode(),
        PASSWORD.encode(),
    ):
        assert len(secret) > 10
        assert secret not in stolen
    assert hashes
    assert all(hashed.startswith("$argon2id$") for hashed in hashes)
    assert locked in stolen, "the deck of the round in play is in it"
    with pytest.raises(StoreError, match="does not open"):
        DeckBox(bytes(32)).unlock(locked, table="t1", number=1)
    shown = {opening.index for opening in drawn}
    undealt = [sealed for sealed in deck if sealed.index not in shown]
    assert len(undealt) > 30
    for sealed in undealt:
        assert sealed.salt not in stolen
        assert sealed.salt.hex().encode() not in stolen
    assert all(opening.salt.encode() in stolen for opening in drawn), "and dealt cards can be read in it"


@pytest.mark.parametrize("event", ["cards-dealt.v1", "cards-drawn.v1", "deck-sealed.v2"])
def test_a_card_changed_since_the_last_signature_is_found_by_its_seal(on_disk: Settings, event: str) -> None:
    """Even where every hash after it was made anew, and no checkpoint speaks of it."""
    database = sqlite3.connect(on_disk.data / "floor.db")
    database.row_factory = sqlite3.Row
    database.execute("DELETE FROM checkpoints")
    row = database.execute("SELECT rowid, data FROM events WHERE name = ? LIMIT 1", (event,)).fetchone()
    data = json.loads(row["data"])
    if event == "deck-sealed.v2":
        data["root"] = hashlib.sha256(b"another deck").hexdigest()
    elif event == "cards-drawn.v1":
        data["openings"][0]["card"], data["openings"][1]["card"] = "2h", "3h"
    else:
        data["cards"][0], data["cards"][1] = data["cards"][1], data["cards"][0]
    text = json.dumps(data, separators=(",", ":"))
    database.execute("UPDATE events SET data = ? WHERE rowid = ?", (text, row["rowid"]))
    seal_again(database, "table/t1")
    database.commit()
    database.close()
    assert any("table/t1" in str(problem) for problem in verify(on_disk).problems)


def test_a_backup_that_is_none_is_not_restored(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty, endless = tmp_path / "empty.backup", tmp_path / "endless.backup"
    empty.touch()
    assert run(["restore", str(empty), "--data", str(tmp_path / "a")]) == 2
    database = sqlite3.connect(endless)
    database.execute(
        "CREATE VIEW events AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
        "SELECT 'table/t' AS stream, x AS version, 1 AS at, '' AS actor, '' AS name, '' AS data, '' AS hash FROM n"
    )
    database.commit()
    database.close()
    assert run(["restore", str(endless), "--data", str(tmp_path / "b")]) == 2
    assert "Traceback" not in capsys.readouterr().err


# --- hostile input --------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["dealer: absent ²", "dealer: card ² As", f"dealer: absent {'9' * 5000}"])
def test_numbers_that_are_none(step: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.json"
    script = {"rulebook": "mbs-stud-6", "players": {"p1": "100"}, "steps": ["dealer: open bets", step]}
    file.write_text(json.dumps(script))
    assert run(["run", str(file)]) == 2
    assert len(capsys.readouterr().err) < 1000


def test_half_a_character_is_no_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.json"
    file.write_text('{"rulebook": "mbs-stud-6", "players": {"\\ud800": "100"}, "steps": []}')
    assert run(["run", str(file), "--json"]) == 2
    assert "half a character" in capsys.readouterr().err


@pytest.mark.parametrize(
    "text",
    ["x = " + "[" * 3000, "x = " + "9" * 5000, 'extends = "mbs-stud-6"\n' + ".".join("a" * 2000) + " = 1"],
)
def test_rulebooks_too_deep_or_too_long(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "book.toml"
    file.write_text(text)
    assert run(["rules", "validate", str(file)]) in (1, 2)
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("heads", ["junk", "[]", '{"floor":5}', "[" * 3000])
def test_checkpoints_that_cannot_be_read(on_disk: Settings, heads: str) -> None:
    database = sqlite3.connect(on_disk.data / "floor.db")
    database.execute("UPDATE checkpoints SET heads = ?", (heads,))
    database.execute("UPDATE snapshots SET data = 'junk'")
    database.commit()
    database.close()
    assert any("checkpoint 1" in str(problem) for problem in verify(on_disk).problems)


def test_half_a_character_in_a_rulebook_is_told(service: Served) -> None:
    from pitboss.rulebooks.load import written_out

    book_id, document = written_out("mbs-stud-6")
    spoilt = json.loads(document)
    spoilt["identity"]["title"] = "x\ud800"
    asked = q.ProposeRulebook(id=book_id, document=json.dumps(spoilt))
    with service.signed_in("gina") as ask, pytest.raises((BadField, Refused)):
        ask(ask.client.do(asked))


def test_a_name_made_of_bytes_is_exported_and_found(on_disk: Settings, tmp_path: Path) -> None:
    """SQLite takes anything in any column; the export must not end at it, and no verifier be content with it."""
    database = sqlite3.connect(on_disk.data / "floor.db")
    database.execute("UPDATE events SET actor = x'ff00' WHERE stream = 'table/t1' AND version = 2")
    database.commit()
    database.close()
    folder = tmp_path / "export"
    store = open_store(on_disk)
    counts = export_all(store, folder, None)
    store.close()
    assert len((folder / "events.jsonl").read_text().splitlines()) == counts["events"] > 10
    assert any("table/t1" in str(problem) for problem in verify(on_disk).problems)
    assert any("table/t1" in problem for problem in verify_export(folder))


def test_a_dispute_without_a_number_is_named_and_stops_nobody(
    on_disk: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    database = sqlite3.connect(on_disk.data / "floor.db")
    for table in ("streams", "events"):
        database.execute(f"UPDATE {table} SET stream = 'dispute/x' WHERE stream = 'table/t1'")
    database.commit()
    database.close()
    assert any("dispute/x" in str(problem) for problem in verify(on_disk).problems)
    assert run(["verify", "--data", str(on_disk.data)]) == 1
    assert "Traceback" not in capsys.readouterr().err
