"""What people are shown of a book, with the clauses that it cites: rules, tables as they open, disputes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from pitboss.floor import requests as q
from pitboss.floor.openings import opening_view
from pitboss.floor.overview import dispute_views
from pitboss.floor.terms import terms_view
from pitboss.rulebooks import load_plan
from pitboss.rulebooks.brief import brief
from pitboss.rulebooks.conduct import CONDUCT
from support.floor import FLOAT, House


def rules(book: str) -> str:
    """The rules in plain words, topic by topic, and what is said about conduct."""
    plan = load_plan(book)
    lines = [f"{topic.name}: {topic.text} [{', '.join(topic.clauses)}]" for topic in brief(plan)]
    for kind, rows in CONDUCT.items():
        lines += [f"{kind}: {row.when}: {row.then} [{', '.join(row.clauses)}]" for row in rows(plan)]
    return _text(lines)


def openings(book: str) -> str:
    """Layouts and equipment that a table may be opened with; each item that is missing is refused."""
    plan = load_plan(book)
    view = opening_view(plan)
    lines = [
        f"layout {row['layout']} [{', '.join(row['drawn'])}] {row['positions']} [{', '.join(row['clauses'])}]"
        for row in view["layouts"]
    ]
    house = House()
    house.ok("gina", q.AddTable(table="t1"))
    for procedure in view["procedures"]:
        for item in view["equipment"]:
            seen = [other["item"] for other in view["equipment"] if other != item]
            answer = house.ask(
                "mara",
                q.OpenTable(
                    table="t1",
                    rulebook=house.book(book),
                    count=FLOAT,
                    cards="physical",
                    procedure=procedure,
                    checklist=tuple(seen),
                ),
            )
            if answer.ok:
                house.ok("mara", q.CloseTable(table="t1", count=FLOAT, drop=0))  # type: ignore[arg-type]
            said = "opens" if answer.ok else f"{answer.code} [{', '.join(answer.body['refusal']['clauses'])}]"
            lines.append(f"{procedure} without {item['item']}: {said}")
    return _text(lines)


def tables(book: str) -> str:
    """The terms of a table of each procedure: its wagers, and the steps of the dealer."""
    plan = load_plan(book)
    house, lines = House(), []
    for number, procedure in enumerate(plan.procedures, 1):
        house.table(book, f"t{number}", players=(), procedure=procedure.name)
        terms = terms_view(house.floor.table(f"t{number}"))
        if number == 1:
            lines += [f"{row['wager']} [{', '.join(row['clauses'])}]" for row in terms["wagers"]]
            lines += [
                f"{row['decision']}: {row['bet']} [{', '.join(row['clauses'])}], "
                f"{row['otherwise']} [{', '.join(row['otherwise_clauses'])}]"
                for row in terms["decisions"]
            ]
        lines.append(procedure.name)
        lines += [f"  {step['words']} [{', '.join(step['clauses'])}]" for step in terms["steps"]]
    return _text(lines)


def disputes(book: str) -> str:
    """A dispute on every basis, from the first word to the complaint: what each step of it cites."""
    house = House()
    plan = load_plan(book)
    house.table(book)
    house.steps("dealer: open bets", "p1@1: wager ante 25")
    bases = ["referred"] if plan.book.disputes is None else list(plan.book.disputes.bases)
    lines: list[str] = []
    for basis in bases:
        number = house.ok("p1", q.OpenDispute(table="t1", round_number=1, about="the ante"))["dispute"]
        minutes = dispute_views(house.floor, house.store, number)[0]["minutes"]
        lines.append(f"{basis}: time frame {minutes}")
        for request in _dispute(number, basis):
            for who in ("ines", "mara", "gina", "ada"):  # the first of them who may
                answer = house.ask(who, request)
                if answer.code != "no-authority":
                    break
            if not answer.ok:
                cited = ", ".join(answer.body["refusal"]["clauses"])
                lines.append(f"{basis}: {type(request).__name__} of {who}: {answer.code} [{cited}]")
            if answer.code == "basis-not-on-file":
                view = dispute_views(house.floor, house.store, number)[0]
                lines.append(f"{basis}: missing {', '.join(view['missing'][basis])}")
                _file(house, number)
                house.ok(who, request)
        for event in house.store.read(f"dispute/{number}"):
            data = json.loads(event.data)
            if "clauses" in data:
                to = data.get("referred_to") or data.get("to") or ""
                lines.append(f"{basis}: {event.name} {to} [{', '.join(data['clauses'])}]")
    return _text(lines)


def _dispute(number: int, basis: str) -> Iterator[q.Request]:
    yield q.EscalateDispute(dispute=number)
    yield q.GiveTimeFrame(dispute=number)
    decided: dict[str, Any] = {"dispute": number, "decision": "as recorded", "basis": basis}
    yield q.DecideDispute(in_favour_of="house", complaint_explained=True, **decided)
    yield q.FileComplaint(dispute=number, text="no")
    yield q.FileComplaint(dispute=number, text="no", assisted_by="dora")
    yield q.AnswerComplaint(dispute=number, answer="it stands")


def _file(house: House, number: int) -> None:
    for who, account_of in (("p1", "player"), ("dora", "house"), ("eye", ""), ("saul", "")):
        house.ok(who, q.NoteDispute(dispute=number, text="so it was", account_of=account_of))


def _text(lines: Iterable[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


SECTIONS: dict[str, Callable[[str], str]] = {
    "openings": openings,
    "tables": tables,
    "disputes": disputes,
    "rules": rules,
}
"""The sections of `tests/cases/<book>.shown.txt`."""
