"""`pitboss rules`: list, show, clause, diff, remedy, coverage, validate, new."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitboss.cli import completing
from pitboss.cli.coverage import coverage_command
from pitboss.cli.grammar import Commands
from pitboss.cli.output import console, print_json
from pitboss.cli.remedy import remedy_command

if TYPE_CHECKING:
    from rich.console import Console

    from pitboss.rulebooks import Plan

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]
Rulebook = Annotated[
    str,
    typer.Argument(
        metavar="RULEBOOK",
        help="An id, or a path to a rulebook of your own.",
        autocompletion=completing.rulebooks,
    ),
]
Readings = Annotated[
    list[str] | None,
    typer.Option(
        "--reading",
        metavar="R-X=a",
        help="Choose a reading; may be given again.",
        autocompletion=completing.readings,
    ),
]


def register(app: typer.Typer) -> None:
    rules = Commands(
        help="""Rulebooks: list, show, compare, check, start one.

        Examples: pitboss rules list; pitboss rules show mbs-thb-9; pitboss rules diff mbs-thb-9 rws-thp-2
        """
    )
    rules.command("list")(list_command)
    rules.command("show")(show_command)
    rules.command("clause")(clause_command)
    rules.command("diff")(diff_command)
    rules.command("remedy")(remedy_command)
    rules.command("coverage")(coverage_command)
    rules.command("validate")(validate_command)
    rules.command("new")(new_command)
    app.add_typer(rules, name="rules")


def list_command(as_json: Json = False) -> None:
    """List the rulebooks that come with Pitboss.

    Example: pitboss rules list
    """
    if as_json:
        print_json([_identity(plan) for plan in _all_plans()])
    else:
        print_list(console())


def _all_plans() -> list[Plan]:
    from pitboss.rulebooks import book_ids, load_plan

    return [load_plan(book_id) for book_id in book_ids()]


def _identity(plan: Plan) -> dict[str, Any]:
    identity = plan.book.identity
    return {
        "id": identity.id,
        "title": identity.title,
        "operator": identity.operator,
        "version": identity.version,
        "applies_from": identity.applies_from.isoformat(),
        "clauses": len(plan.register),
        "procedures": [procedure.name for procedure in plan.procedures],
        "digest": plan.digest,
    }


def print_list(out: Console) -> None:
    """The rulebooks as a table: who runs which game, by which edition, from when."""
    from rich.table import Table

    from pitboss.cli.tables import print_table

    table = Table(box=None, pad_edge=False)
    flowing = {"game": 12, "operator": 11, "applies from": 10}
    for name in ("id", "game", "operator", "version", "applies from", "clauses"):
        table.add_column(name, ratio=1 if name in flowing else None, min_width=flowing.get(name))
    for plan in _all_plans():
        i = plan.book.identity
        table.add_row(i.id, i.title, i.operator, i.version, str(i.applies_from), str(len(plan.register)))
    print_table(out, table)


def _load(rulebook: str, readings: list[str] | None) -> Plan:
    from pitboss.rulebooks import load_plan
    from pitboss.rulebooks.load import parse_choices

    return load_plan(rulebook, parse_choices(readings or []), place="--reading")


def show_command(rulebook: Rulebook, reading: Readings = None, as_json: Json = False) -> None:
    """Show a rulebook in brief: table, betting, deal, settlement, pays, jackpot, readings.

    Example: pitboss rules show mbs-3cp-2023
    """
    from pitboss.rulebooks.brief import brief

    plan = _load(rulebook, reading)
    topics = brief(plan)
    if as_json:
        document = _identity(plan)
        document["topics"] = [_topic(topic) for topic in topics]
        document["readings"] = {
            label: {
                "question": r.question,
                "letter": plan.readings.get(label),
                "default": r.default,
                "holds": r.holds,
            }
            for label, r in plan.book.readings.items()
        }
        print_json(document)
        return
    out = console()
    identity = plan.book.identity
    out.print(f"[bold]{identity.title}[/bold]  {identity.operator}")
    out.print(
        f"{identity.id}, version {identity.version}, from {identity.applies_from}, sha256 {plan.digest[:16]}…"
    )
    chapter = ""
    for topic in topics:
        if topic.chapter != chapter:
            chapter = topic.chapter
            out.print(f"\n[bold]{chapter}[/bold]")
        _print_row(out, topic.name, topic.text, topic.clauses)
    out.print("\n[bold]Readings[/bold]  (letters are switches: --reading R-X=a)")
    for label, entry in plan.book.readings.items():
        letter = plan.readings.get(label)
        text = f"{entry.question}: " + (f"({letter}) {entry.options[letter].says}" if letter else entry.holds)
        if letter:
            others = "; ".join(f"({o}) {option.says}" for o, option in entry.options.items() if o != letter)
            text += f" Else: {others}" if others else ""
        _print_row(out, label, text, entry.clauses)


def _print_row(out: Console, name: str, text: str, clauses: tuple[str, ...]) -> None:
    from rich.text import Text

    from pitboss.cli.tables import print_named

    cited = Text(f"  [{', '.join(clauses)}]" if clauses else "", style="dim")
    print_named(out, Text(name), Text.assemble(text, cited), width=32)


def _topic(topic: Any) -> dict[str, Any]:
    return {"chapter": topic.chapter, "name": topic.name, "text": topic.text, "clauses": list(topic.clauses)}


def clause_command(
    rulebook: Rulebook,
    number: Annotated[
        str,
        typer.Argument(
            metavar="NUMBER", help="The clause, such as 3.10.2.", autocompletion=completing.clauses
        ),
    ],
    as_json: Json = False,
) -> None:
    """Show one clause: its kind and gist, the readings about it, and where the rulebook's data cite it.

    Example: pitboss rules clause mbs-thb-9 3.10.3
    """
    from pitboss.errors import BadInput, near_miss
    from pitboss.rulebooks import ClauseRef
    from pitboss.rulebooks.references import citations

    plan = _load(rulebook, None)
    clause = plan.register.get(ClauseRef(number))
    if clause is None:
        raise BadInput(
            "", f"{plan.id} has no clause '{number}'", near_miss(number, _neighbours(plan, number))
        )
    readings = [label for label, entry in plan.book.readings.items() if number in entry.clauses]
    cited = [path for path, ref in citations(plan.book) if ref == number and not path.startswith("readings.")]
    below = [ref for ref in plan.register if ref.startswith((f"{number}.", f"{number}/"))]
    if as_json:
        print_json(
            {
                "rulebook": plan.id,
                "clause": number,
                "kind": clause.kind,
                "gist": clause.gist,
                "readings": readings,
                "cited_at": cited,
                "below": below,
            }
        )
        return
    out = console()
    out.print(f"[bold]{plan.id} {number}[/bold]  {clause.kind}")
    out.print(clause.gist, markup=False)
    for label in readings:
        out.print(f"  reading {label}: {plan.book.readings[label].question}", markup=False)
    for path in cited:
        out.print(f"  cited by {path}", markup=False)
    for ref in below:
        out.print(f"  {ref}  {plan.register[ref].gist}", markup=False)


def _neighbours(plan: Plan, number: str) -> list[str]:
    """The clauses worth suggesting: those of the same section, else the sections."""
    section = number.split(".", 1)[0]
    near = [str(ref) for ref in plan.register if ref.split(".", 1)[0] == section]
    return near or [str(ref) for ref in plan.register if "." not in ref]


def diff_command(
    first: Rulebook,
    second: Rulebook,
    everything: Annotated[bool, typer.Option("--all", help="Also what the two have in common.")] = False,
    as_json: Json = False,
) -> None:
    """Put two rulebooks side by side in terms of play and money.

    Example: pitboss rules diff mbs-thb-9 rws-thp-2
    """
    from pitboss.rulebooks.diff import compare_books

    one, other = _load(first, None), _load(second, None)
    rows = [row for row in compare_books(one, other) if everything or row.differs]
    if as_json:
        print_json(
            {
                "rulebooks": [one.id, other.id],
                "rows": [
                    {
                        "chapter": row.chapter,
                        "name": row.name,
                        "differs": row.differs,
                        one.id + " (1)" if one.id == other.id else one.id: _side(row.first),
                        other.id + " (2)" if one.id == other.id else other.id: _side(row.second),
                    }
                    for row in rows
                ],
            }
        )
        return
    _print_diff(one, other, rows)


def _side(topic: Any) -> dict[str, Any] | None:
    return None if topic is None else {"text": topic.text, "clauses": list(topic.clauses)}


def _print_diff(one: Plan, other: Plan, rows: list[Any]) -> None:
    from rich.table import Table
    from rich.text import Text

    from pitboss.cli.tables import print_table

    out = console()
    if not rows:
        out.print(f"{one.id} and {other.id} say the same.")
        return
    table = Table(show_lines=True)
    table.add_column("", ratio=1)
    for plan in (one, other):
        table.add_column(plan.id, ratio=1)
    chapter = ""
    for row in rows:
        if row.chapter != chapter:
            chapter = row.chapter
            table.add_row(Text(chapter, style="bold"), "", "")
        cells = [
            Text("—")
            if side is None
            else Text.assemble(
                side.text, Text(f"  [{', '.join(side.clauses)}]" if side.clauses else "", style="dim")
            )
            for side in (row.first, row.second)
        ]
        table.add_row(row.name, *cells)
    print_table(out, table)


def validate_command(
    rulebook: Annotated[
        str,
        typer.Argument(
            metavar="PATH", help="A rulebook folder or file, or an id.", autocompletion=completing.rulebooks
        ),
    ],
    as_json: Json = False,
) -> None:
    """Check a rulebook and report every defect with its place. Exits 1 if there are any.

    Example: pitboss rules validate ./my-poker
    """
    from pitboss.rulebooks import read_document, validate

    document = read_document(rulebook)
    defects = validate(document)
    if as_json:
        print_json(
            {
                "rulebook": rulebook,
                "defects": [{"place": d.place, "problem": d.problem, "remedy": d.remedy} for d in defects],
            }
        )
    else:
        out = console()
        for defect in defects:
            out.print(str(defect), markup=False, soft_wrap=True)
        count = len(defects)
        out.print(
            f"{rulebook}: " + ("no defects" if not count else f"{count} defect{'s' if count > 1 else ''}"),
            markup=False,
        )
    if defects:
        raise typer.Exit(1)


def new_command(
    name: Annotated[
        str, typer.Argument(metavar="NAME", help="The new rulebook's id; becomes a folder here.")
    ],
    base: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="RULEBOOK",
            help="The rulebook to start from.",
            autocompletion=completing.rulebooks,
        ),
    ],
) -> None:
    """Start a rulebook of your own as a copy of another.

    Example: pitboss rules new my-poker --from mbs-3cp-2023
    """
    from pitboss.rulebooks.scaffold import start_rulebook

    folder = start_rulebook(Path(name), base)
    out = console()
    out.print(f"{folder}/ is a copy of {base} with an identity of its own.", markup=False)
    out.print(f"Change its .toml files, then: pitboss rules validate {folder}", markup=False)
    out.print(f"It works wherever an id does: pitboss rules diff {base} {folder}", markup=False)
