"""One registry of requests and acts: HTTP schema, command line and browser say of a field what it says."""

from __future__ import annotations

import typing
from typing import Any

import msgspec
import pytest
import typer
from litestar import Litestar
from typer.main import get_command

from pitboss.cards import parse_card
from pitboss.cli.asking import add_commands, build, command_name
from pitboss.errors import BadInput
from pitboss.fields import SECOND_PERSON, Form, fields_of
from pitboss.floor import requests as q
from pitboss.forms import ACTS, REQUESTS, ActForm, read_act, second_person_of, write_act, write_request
from pitboss.money import Cents
from pitboss.play import commands as c
from pitboss.rulebooks.trouble import ExposedBy, Irregularity, Ruling
from pitboss.rulebooks.vocabulary import Position
from pitboss.server.app import openapi_config, route_handlers

FORMS = [*REQUESTS.values(), *ACTS.values()]
DEALER = c.Staff(Position.DEALER)


@pytest.fixture(scope="module")
def schemas() -> Any:
    app = Litestar(route_handlers=route_handlers(), openapi_config=openapi_config())
    return app.openapi_schema.to_schema()["components"]["schemas"]


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_every_field_says_what_it_is_for_and_the_http_schema_says_the_same(schemas: Any, form: Form) -> None:
    schema = schemas[form.kind.__name__]
    for field in form.fields:
        assert field.kind.help.endswith("."), field.name
        shape = schema["properties"][field.written]
        said = {part.get("description") for part in (shape, *shape.get("oneOf", ()))}
        assert field.kind.help in said, field.name
        assert (field.written in schema["required"]) == field.required


def test_the_command_line_has_every_request_with_its_fields_and_their_help() -> None:
    app = typer.Typer()
    add_commands(app, lambda build, **more: None)
    commands = get_command(app).commands  # type: ignore[attr-defined]
    kinds = [form.kind for form in REQUESTS.values() if form.kind is not q.ProposeRulebook]
    assert set(commands) == {command_name(kind) for kind in kinds}
    for kind in kinds:
        params = {param.name: param for param in commands[command_name(kind)].params}
        for field in fields_of(kind):
            assert params[field.name].help == field.kind.help, (kind, field.name)
            assert params[field.name].required == field.required


def test_what_only_the_floor_knows_is_written_nowhere() -> None:
    for form in ACTS.values():
        names = {field.name for field in form.fields}
        assert not names & {"by", "cards", "gaming_day", "jackpot", "fixed", "seated", "of_link"}, form.name
    assert set(typing.get_args(q.Request)) - {form.kind for form in REQUESTS.values()} == set(q.WITHOUT_FORM)


def test_a_request_is_the_same_by_http_and_by_the_command_line() -> None:
    count = {2500: 40, 500: 100}
    asked = q.OpenTable(
        table="t1",
        rulebook="mbs-stud-6",
        count=count,
        limits={"ante": (Cents(2500), Cents(100_000))},
        positions=6,
        checklist=("shuffler", "shoe"),
        practice=True,
    )
    name, body = write_request(asked)
    assert body["count"] == {"25.00": 40, "5.00": 100}
    form = REQUESTS[name]
    assert form.read(msgspec.json.decode(msgspec.json.encode(body), type=form.struct)) == asked
    written = {
        "table": "t1",
        "rulebook": "mbs-stud-6",
        "count": "25=40,5=100",
        "limits": "ante=25:1000",
        "positions": 6,
        "checklist": "shuffler,shoe",
        "practice": True,
    }
    assert build(q.OpenTable, written) == asked


@pytest.mark.parametrize(
    "command",
    [
        c.Report(by=DEALER, kind=Irregularity.EXPOSED, seats=(1,), exposed_by=ExposedBy.PLAYER),
        c.EnterCard(by=DEALER, place="3", card=parse_card("As")),
        c.Rule(by=DEALER, ruling=Ruling.VOID, approved_by="gina"),
        c.PlaceWager(by=c.Staff(Position.DEALER, for_player="p1"), position=1, wager="ante", amount=Cents(5)),
    ],
    ids=lambda command: type(command).__name__,
)
def test_an_act_is_read_as_it_was_written(command: Any) -> None:
    sent = msgspec.json.encode(write_act(command))
    found = msgspec.json.decode(sent, type=ActForm)
    assert read_act(found, lambda player: c.Staff(Position.DEALER, for_player=player)) == command
    assert b"null" not in sent, "what is left out is not sent"


def test_who_signs_for_a_request_is_the_field_that_says_so() -> None:
    signed = {form.name for form in FORMS if form.second_person is not None}
    assert signed >= {"fill", "credit", "transfer", "open-link", "enter-unnoticed", "rule", "report"}
    assert {form.second_person.kind.name for form in FORMS if form.second_person} == {SECOND_PERSON}
    fill = q.Fill(table="t1", count={2500: 1}, witness="")
    assert second_person_of(fill) == "", "nobody is named who should be"
    unnoticed = q.EnterUnnoticed(table="t1", position=1, player="p1", wager="ante", amount=Cents(5))
    assert second_person_of(unnoticed) is None, "before the first card is dealt"
    rule = c.Rule(by=DEALER, ruling=Ruling.VOID, approved_by="gina")
    assert second_person_of(q.Act(table="t1", command=rule)) == "gina"
    assert second_person_of(q.AddTable(table="t1")) is None


@pytest.mark.parametrize(
    ("kind", "written", "wrong"),
    [
        (q.Fill, {"table": "t1", "count": "25", "witness": "gina"}, "'25' is no count"),
        (q.SetLimits, {"table": "t1", "limits": "ante=25"}, "'ante=25' are no limits"),
        (q.DetermineOrder, {"link": "mega", "claims": "1,x"}, "'x' is no number"),
        (q.BuyIn, {"table": "t1", "player": "p1", "amount": "25.001"}, "'25.001' is not an amount"),
    ],
)
def test_what_is_not_one_is_refused_with_its_field(kind: Any, written: dict[str, Any], wrong: str) -> None:
    with pytest.raises(BadInput, match=wrong) as found:
        build(kind, written)
    assert found.value.place in written
