"""`pitboss rules remedy`: what a book says about an irregularity, or about it at a table under way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitboss.cli import completing
from pitboss.cli.output import console, print_json, read_text

if TYPE_CHECKING:
    from rich.console import Console

    from pitboss.play.advice import Advice
    from pitboss.rulebooks import Plan
    from pitboss.rulebooks.book import RemedyRule
    from pitboss.rulebooks.trouble import Irregularity
    from pitboss.rulebooks.vocabulary import Position

_WRONG_COUNT = "wrong-count"


def remedy_command(
    rulebook: Annotated[
        str,
        typer.Argument(
            metavar="RULEBOOK",
            help="An id, or a path to a rulebook of your own.",
            autocompletion=completing.rulebooks,
        ),
    ],
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="KIND",
            help="What has happened: misdeal, 'wrong-count 2', absent ...",
            autocompletion=completing.irregularities,
        ),
    ],
    at: Annotated[
        str | None,
        typer.Option("--at", metavar="SCENARIO.json", help="At the table this script leads to."),
    ] = None,
    position: Annotated[
        list[int] | None, typer.Option("--position", help="A hand it is about; may be given again.")
    ] = None,
    count: Annotated[int, typer.Option("--count", help="Cards exposed in this incident.")] = 1,
    reading: Annotated[
        list[str] | None,
        typer.Option(
            "--reading", metavar="R-X=a", help="Choose a reading.", autocompletion=completing.readings
        ),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON document.")] = False,
) -> None:
    """Say what the book does about an irregularity: conditions, remedy, who decides, clauses.

    Example: pitboss rules remedy rws-thp-2 misdeal
    """
    from pitboss.errors import BadInput
    from pitboss.rulebooks import load_plan
    from pitboss.rulebooks.conduct import CONDUCT
    from pitboss.rulebooks.load import parse_choices

    kind, named = _kind_and_hand(words)
    if count < 1:
        raise BadInput("--count", f"{count} cards exposed", "write 1 or more")
    plan = load_plan(rulebook, parse_choices(reading or []))
    if kind in CONDUCT:
        _conduct(plan, kind, as_json=as_json)
        return
    kinds = _kinds(kind)
    if at is not None:
        _at_table(plan, kinds, at, (*named, *(position or ())), count, as_json=as_json)
        return
    if as_json:
        from pitboss.play.advice import row_json

        rows = [row_json(row) for found in kinds for row in plan.remedies[found]]
        print_json({"rulebook": plan.id, "kind": kind, "rows": rows})
        return
    out = console()
    for found in kinds:
        _head(out, plan, found)
        for row in plan.remedies[found]:
            _print_row(out, plan, row, _when(row))
    _print_clauses(out, plan, [row for found in kinds for row in plan.remedies[found]])


def _kind_and_hand(words: list[str]) -> tuple[str, tuple[int, ...]]:
    """A kind as one word, also as scripts write it: `wrong-count 2` is about the hand at position 2."""
    from pitboss.errors import is_number

    parts = [part for word in words for part in word.split()]
    if parts[:1] == [_WRONG_COUNT] and len(parts) == 2 and is_number(parts[1]):
        return f"{_WRONG_COUNT}-position", (int(parts[1]),)
    return "-".join(parts), ()


def _kinds(name: str) -> list[Irregularity]:
    """The kinds a name stands for; `wrong-count` stands for three."""
    from pitboss.errors import BadInput, near_miss
    from pitboss.rulebooks.conduct import CONDUCT
    from pitboss.rulebooks.trouble import Irregularity

    found = [kind for kind in Irregularity if name in (kind.value, _WRONG_COUNT) and kind.startswith(name)]
    if not found:
        raise BadInput("", f"no irregularity is called '{name}'", near_miss(name, (*Irregularity, *CONDUCT)))
    return found


def _head(out: Console, plan: Plan, kind: Irregularity) -> None:
    from pitboss.play.report_steps import KINDS
    from pitboss.rulebooks.trouble import Condition
    from pitboss.rulebooks.vocabulary import meaning

    out.print(f"[bold]{plan.id}: {kind.replace('-', ' ')}[/bold]  {meaning(kind)}")
    name = _WRONG_COUNT if kind.startswith(_WRONG_COUNT) else kind.value
    judged = any(Condition.RECONSTRUCTABLE in row.when for row in plan.remedies[kind])
    finding = " [reconstructable=yes/no]" if judged else ""
    seats = " [seats=N,N]" if any(row.affected for row in plan.remedies[kind]) else ""
    out.print(f"  in a script: report {KINDS[name]}{finding}{seats}", markup=False)


def _when(row: RemedyRule) -> str:
    from pitboss.rulebooks.vocabulary import meaning

    return "; ".join(meaning(word) for word in row.when) or "at any time"


def _title(plan: Plan, position: Position) -> str:
    return f"{plan.book.authorities.titles[position]} or above"


def _print_row(out: Console, plan: Plan, row: RemedyRule, when: str) -> None:
    """One case: when, what, who, by which clauses."""
    from pitboss.play.ruling import who_may_order
    from pitboss.rulebooks.trouble import Mode
    from pitboss.rulebooks.vocabulary import meaning

    out.print(f"\n  When {when}:", markup=False)
    done = meaning(row.remedy) if row.mode is not Mode.SUSPENDED else meaning(row.mode)
    _line(out, "then", done)
    if row.finding is not None:
        _line(out, "found by", _title(plan, row.finding))
    if row.decides is not None:
        _line(out, "ruled by", f"{_title(plan, row.decides)}: {', '.join(row.rulings)}")
    if row.choice_after:
        _line(out, "then", f"after {' or '.join(row.choice_after)} the players choose to stay or to leave")
    if row.withdrawal is not None:
        _line(out, "others", f"{_title(plan, row.withdrawal.position)} may permit them to withdraw")
    for ruling in row.orders:
        power = who_may_order(plan, ruling, row.kind)
        _line(out, "may follow", f"{ruling}, by {_title(plan, power.position)} ({', '.join(power.clauses)})")
    cited = [*row.clauses, *(row.withdrawal.clauses if row.withdrawal is not None else ())]
    _line(out, "clauses", ", ".join(cited))
    if row.note:
        _line(out, "note", row.note)


def _line(out: Console, name: str, text: str) -> None:
    from rich.text import Text

    from pitboss.cli.tables import print_named

    print_named(out, Text(name, style="dim"), Text(text), width=21, gap=1, right=True)


def _print_clauses(out: Console, plan: Plan, rows: list[RemedyRule]) -> None:
    from pitboss.rulebooks import ClauseRef

    numbers = dict.fromkeys(
        number
        for row in rows
        for number in (*row.clauses, *row.choice_clauses, *(row.withdrawal.clauses if row.withdrawal else ()))
    )
    out.print("\n[bold]Clauses[/bold]")
    for number in numbers:
        _line(out, number, plan.register[ClauseRef(number)].gist)


def _conduct(plan: Plan, kind: str, *, as_json: bool) -> None:
    from pitboss.rulebooks import ClauseRef
    from pitboss.rulebooks.conduct import CONDUCT, GLOSSES

    rows = list(CONDUCT[kind](plan))
    if as_json:
        answers = [{"when": row.when, "then": row.then, "clauses": list(row.clauses)} for row in rows]
        print_json({"rulebook": plan.id, "kind": kind, "rows": answers})
        return
    out = console()
    out.print(f"[bold]{plan.id}: {kind.replace('-', ' ')}[/bold]  {GLOSSES[kind]}")
    if not rows:
        out.print("  This game knows no such wager.")
    for row in rows:
        out.print(f"\n  When {row.when}:", markup=False)
        _line(out, "then", row.then)
        _line(out, "clauses", ", ".join(row.clauses))
    out.print("\n[bold]Clauses[/bold]")
    for number in dict.fromkeys(number for row in rows for number in row.clauses):
        _line(out, number, plan.register[ClauseRef(number)].gist)


# --- at a table -----------------------------------------------------------------------------------------


def _at_table(
    plan: Plan, kinds: list[Irregularity], at: str, positions: tuple[int, ...], count: int, *, as_json: bool
) -> None:
    from pitboss.errors import BadInput
    from pitboss.play.advice import advise
    from pitboss.play.refusal import Refusal
    from pitboss.play.scenario import play_scenario, read_scenario

    state = play_scenario(read_scenario(read_text(at), name=at)).state
    if state.plan.id != plan.id:
        raise BadInput(at, f"this table plays {state.plan.id}", f"ask about that book, not {plan.id}")
    answers = []
    for kind in kinds:
        found = advise(state, kind, positions=positions, count=count)
        if isinstance(found, Refusal):
            raise BadInput(at, found.message.rstrip("."), _remedy(found, kind, positions))
        answers.append(found)
    if as_json:
        from pitboss.play.advice import advice_view

        print_json({"rulebook": plan.id, "advice": [advice_view(advice) for advice in answers]})
        return
    out = console()
    for advice in answers:
        _head(out, plan, advice.kind)
        _print_advice(out, plan, advice)
    _print_clauses(out, plan, [branch.row for advice in answers for branch in advice.branches])


def _remedy(refusal: Any, kind: Irregularity, positions: tuple[int, ...]) -> str:
    if refusal.code == "suspended":
        return "rule on that first"
    if positions:
        return "name hands that are in the round"
    return f"give the hand of the {kind.replace('-', ' ')} with --position N"


def _print_advice(out: Console, plan: Plan, advice: Advice) -> None:
    from pitboss.rulebooks.vocabulary import meaning

    if advice.known:
        out.print("  At this table: " + "; ".join(meaning(word) for word in advice.known) + ".", markup=False)
    for branch in advice.branches:
        found = " or ".join(meaning(word) for word in branch.findings)
        _print_row(out, plan, branch.row, found or "it is reported now")
        for way in branch.ways:
            if way.racks or branch.row.decides is not None:
                _line(out, way.what, _money(way.racks))


def _money(racks: Any) -> str:
    from pitboss.money import format_cents

    if not racks:
        return "no chips move now"
    return ", ".join(
        f"{player} gets {format_cents(amount)} back"
        if amount > 0
        else f"{player} gives {format_cents(-amount)} back"
        for player, amount in racks.items()
    )
