"""`pitboss floor`: a floor from the command line, everything that a script needs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pitboss.cli import completing
from pitboss.cli.asking import add_commands
from pitboss.cli.floor_shows import (
    TableName,
    dispute_command,
    link_command,
    show_command,
    table_command,
    working,
)
from pitboss.cli.grammar import Commands, Group
from pitboss.cli.output import console, print_json
from pitboss.cli.place import AsJson, Data, Database, where
from pitboss.cli.reconcile import reconcile_command

if TYPE_CHECKING:
    from pitboss.bootstrap import OpenFloor
    from pitboss.floor.people import Asker
    from pitboss.floor.requests import CreateFloor
    from pitboss.floor.service import Answer, Floor

REFUSED = 1


class FloorCommands(Group):
    """The commands of the floor, made from its requests when one of them is looked for, and not before."""

    def _load(self) -> None:
        if not self.commands:
            self.commands.update(typer.main.get_group(_commands()).commands)

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of all commands."""
        self._load()
        return list(self.commands)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """One command by its name, or None."""
        self._load()
        return super().get_command(ctx, cmd_name)


def register(app: typer.Typer) -> None:
    floor = Commands(cls=FloorCommands, help=HELP)
    floor.callback(help=HELP)(_nothing_before)
    app.add_typer(floor, name="floor")


HELP = """Create a floor, open and close its tables, act at them: everything a script needs.

Examples: pitboss floor show --data floor; pitboss floor simulate --tables 3 --hours 0.05 --seed 7
"""


def _nothing_before() -> None:
    """Typer makes a group of what has a callback."""


def _commands() -> typer.Typer:
    floor = Commands()
    add_commands(floor, ask)
    floor.command("propose-rulebook")(propose_command)
    floor.command("act")(act_command)
    floor.command("tick", short_help="Take silence for absence where time is over.")(tick_command)
    floor.command("show")(show_command)
    floor.command("table")(table_command)
    floor.command("link")(link_command)
    floor.command("dispute")(dispute_command)
    floor.command("checkpoint")(checkpoint_command)
    floor.command("reconcile")(reconcile_command)
    floor.command("forget-answers", short_help="Forget answers to requests of long ago.")(
        forget_answers_command
    )
    floor.command("simulate")(simulate_command)
    return floor


def asker_of(text: str) -> Asker:
    """Who asks: `console`, a person's name, or `player/NAME`."""
    from pitboss.floor.people import CONSOLE, player, staff

    if text == "console":
        return CONSOLE
    return player(text.removeprefix("player/")) if text.startswith("player/") else staff(text)


def ask(
    build: Callable[[], Any], *, by: str, key: str, as_json: bool, data: str | None, database: str | None
) -> None:
    """Ask one thing of the floor and tell the answer; a refusal leaves with 1."""
    from pitboss.floor.requests import CreateFloor, RemovePerson

    request = build()
    if isinstance(request, CreateFloor):  # what cannot be created leaves nothing behind
        _check_new(request, by)
    with working(data, database, create=isinstance(request, CreateFloor)) as work:
        known_asker(work.floor, by)
        answer = work.floor.do(asker_of(by), request, key=key)
        if answer.ok and isinstance(request, RemovePerson):
            _end_account(work, request.person)
        _tell([answer], as_json=as_json)


def _end_account(work: OpenFloor, person: str) -> None:
    """End password and sessions of a person who was removed; servers that run hear of it."""
    from pitboss.store.identities import Identities

    if person in work.floor.desk.registry(work.store, fresh=True).people:
        return  # removed before, by the same key, and added again since
    Identities(work.store.engine).remove("staff", person)


def _check_new(request: CreateFloor, by: str) -> None:
    from pitboss.errors import BadInput
    from pitboss.floor.house import check_floor

    check_floor(request)
    if by != "console":
        raise BadInput("--by", "a floor is created at the console", "leave --by out")


def known_asker(floor: Floor, by: str) -> None:
    """Raises `BadInput` for an asker that the floor does not know."""
    from pitboss.errors import BadInput, near_miss

    people, players = floor.registry.people, floor.registry.players
    if by.startswith("player/"):
        name = by.removeprefix("player/")
        if name not in players:
            raise BadInput("--by", f"no player is called '{name}'", near_miss(name, list(players)[:20]))
    elif by != "console" and by not in people:
        raise BadInput("--by", f"nobody here is called '{by}'", near_miss(by, people))


def _tell(answers: list[Answer], *, as_json: bool, quiet: bool = False) -> None:
    from pitboss.cli.output import say_error

    if as_json:
        bodies = [dict(answer.body) for answer in answers]
        print_json(bodies[0] if len(bodies) == 1 else bodies)
    for answer in answers:
        if not answer.ok:
            clauses = answer.body["refusal"]["clauses"]
            cited = f" [{', '.join(clauses)}]" if clauses else ""
            say_error(f"refused ({answer.code}): {answer.message}{cited}")
        elif not as_json:
            rest = {name: value for name, value in answer.body.items() if name not in ("ok", "versions")}
            told = "; ".join(f"{name} {value}" for name, value in rest.items())
            if answer.repeated:
                told = f"before{'; ' + told if told else ''}"
            elif quiet and not told:
                continue
            console().print(f"done{': ' + told if told else ''}", markup=False)
    if not all(answer.ok for answer in answers):
        raise typer.Exit(REFUSED)


By = Annotated[
    str,
    typer.Option(
        "--by", help="Who asks: a person, or a player as player/NAME.", autocompletion=completing.everybody
    ),
]
Key = Annotated[str, typer.Option("--key", help="The same key again gets the first answer.")]


def propose_command(
    rulebook: Annotated[
        str,
        typer.Argument(
            metavar="RULEBOOK", help="An id, or a path to one's own.", autocompletion=completing.rulebooks
        ),
    ],
    reading: Annotated[
        list[str] | None,
        typer.Option(
            "--reading", metavar="R-X=a", help="A reading to choose.", autocompletion=completing.readings
        ),
    ] = None,
    by: By = "console",
    key: Key = "",
    as_json: AsJson = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Lay a rulebook before those who approve it. It is in force when two persons have approved its hash.

    Example: pitboss floor propose-rulebook mbs-stud-6 --by gina --data floor
    """
    from pitboss.floor.requests import ProposeRulebook
    from pitboss.rulebooks.load import parse_choices, written_out

    book_id, document = written_out(rulebook)
    request = ProposeRulebook(id=book_id, readings=parse_choices(reading or []), document=document)
    ask(lambda: request, by=by, key=key, as_json=as_json, data=data, database=database)


def act_command(
    table: TableName,
    steps: Annotated[
        list[str], typer.Argument(metavar="STEP", help="Steps of a scenario, such as 'dealer: open bets'.")
    ],
    by: Annotated[
        str,
        typer.Option(
            "--by",
            help="The person who acts. A player's own step needs none: 'p1@2: wager ante 25'.",
            autocompletion=completing.people,
        ),
    ] = "",
    expect: Annotated[
        int | None, typer.Option("--expect", help="The version you have seen; another one refuses the step.")
    ] = None,
    approved_by: Annotated[
        str,
        typer.Option(
            "--approved-by",
            help="The second person who signs a report or a ruling that takes one.",
            autocompletion=completing.people,
        ),
    ] = "",
    key: Key = "",
    as_json: AsJson = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Act at a table: the steps of a scenario, one after the other, until one is refused.

    Example: pitboss floor act t1 "dealer: open bets" "dealer: for p1@1 wager ante 25" --by dora --data floor
    """
    with working(data, database) as work:
        if by:
            known_asker(work.floor, by)
        answers: list[Answer] = []
        work.floor.gaming_table(table)
        seen = work.floor.version(table)
        for number, step in enumerate(steps):
            own = f"{key}/{number}" if key and len(steps) > 1 else key
            answers.append(
                _act(work.floor, table, step, by=by, expect=expect, key=own, approved_by=approved_by)
            )
            expect = None
            if not answers[-1].ok:
                break
        if not as_json:
            _narrate(work.floor, table, seen)
        _tell(answers, as_json=as_json, quiet=True)


def _narrate(floor: Floor, table: str, after: int) -> None:
    """What happened at the table since a version, as everybody may hear it."""
    from pitboss.cli.floor_views import print_result
    from pitboss.floor.codec import decode
    from pitboss.play.codec import EVENT_NAMES
    from pitboss.play.narrate import narrate_citing

    state = floor.table(table).state
    for recorded in floor.store.read(f"table/{table}", after=after):
        if recorded.name in EVENT_NAMES:
            event = decode(recorded)
            sentence = narrate_citing(state, event)
            if sentence:
                console().print(sentence, markup=False)
            print_result(console(), event)


def _act(
    floor: Floor, table: str, step: str, *, by: str, expect: int | None, key: str, approved_by: str
) -> Answer:
    from dataclasses import replace

    from pitboss.errors import BadInput
    from pitboss.floor.people import player
    from pitboss.floor.requests import Act
    from pitboss.floor.service import Answer
    from pitboss.play.commands import Report, Rule
    from pitboss.play.refusal import Refusal, refusal_json
    from pitboss.play.steps import parse_step

    state = floor.table(table).state
    command = parse_step(step, state.terms, list(state.racks), place=f"'{step}'")
    if isinstance(command, Refusal):
        return Answer({"ok": False, "refusal": refusal_json(command)})
    if approved_by and isinstance(command, Report | Rule):
        command = replace(command, approved_by=approved_by)
    who = step.partition(":")[0].strip()
    if not by and "@" not in who:
        raise BadInput("--by", f"nobody says who the {who} is", "name the person, such as --by dora")
    asker = asker_of(by) if by else player(who.partition("@")[0])
    return floor.do(asker, Act(table=table, command=command, expect=expect), key=key)


def tick_command(
    table: TableName,
    as_json: AsJson = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Answer for players at a virtual table whose decision time is over: silence is absence.

    Example: pitboss floor tick t1 --data floor
    """
    with working(data, database) as work:
        answers = work.floor.tick(table)
        if answers:
            _tell(answers, as_json=as_json)
        elif as_json:
            print_json([])
        else:
            console().print("nobody's time is over", markup=False)


def checkpoint_command(as_json: AsJson = False, data: Data = None, database: Database = None) -> None:
    """Sign the heads of all streams, so that a log cut off at its end is found too.

    Example: pitboss floor checkpoint --data floor
    """
    from pitboss.bootstrap import checkpoint_key
    from pitboss.errors import BadInput
    from pitboss.store.keeping import make_checkpoint

    key = checkpoint_key(where(data, database), create=False)
    if key is None:
        raise BadInput("--data", "the key to sign with is not here", "run it where the floor was created")
    with working(data, database) as work:
        number = make_checkpoint(work.store, key, work.floor.now())
    if as_json:
        print_json({"checkpoint": number})
    else:
        console().print(f"checkpoint {number} signed", markup=False)


def forget_answers_command(
    older_than: Annotated[
        int, typer.Option("--older-than", metavar="DAYS", help="How old they are at least, in days.")
    ] = 30,
    as_json: AsJson = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Forget the answers that were kept for requests long ago. The record says of what time they were.

    A server does this by itself once a day (pitboss serve --keep-answers).

    Example: pitboss floor forget-answers --older-than 30 --data floor
    """
    from pitboss.errors import BadInput
    from pitboss.floor.people import CONSOLE
    from pitboss.floor.registry import LEAST_KEPT_DAYS, MOST_KEPT_DAYS

    if not LEAST_KEPT_DAYS <= older_than <= MOST_KEPT_DAYS:
        days = f"write {LEAST_KEPT_DAYS} to {MOST_KEPT_DAYS} days"
        raise BadInput("--older-than", f"answers of {older_than} days ago are not forgotten", days)
    count = 0
    with working(data, database) as work:
        while (answer := work.forget_answers(CONSOLE, days=older_than)) is not None:
            if not answer.ok:
                _tell([answer], as_json=as_json)
            count += answer.body["forgotten"]
    if as_json:
        print_json({"forgotten": count})
    else:
        console().print(f"{count} answer{'' if count == 1 else 's'} forgotten", markup=False)


def simulate_command(
    tables: Annotated[int, typer.Option("--tables", min=1, max=999, help="How many tables.")] = 5,
    hours: Annotated[float, typer.Option("--hours", help="How long a day.")] = 1.0,
    seed: Annotated[int, typer.Option("--seed", help="The same seed plays the same day.")] = 1,
    seats: Annotated[int, typer.Option("--seats", min=1, max=6, help="Players at each table.")] = 4,
    strategy: Annotated[
        str,
        typer.Option(
            "--strategy", help="How bots decide: simple or optimal.", autocompletion=completing.strategies
        ),
    ] = "simple",
    irregularities: Annotated[
        int, typer.Option("--irregularities", min=0, max=1000, help="In a thousand steps of play.")
    ] = 4,
    hits: Annotated[int, typer.Option("--hits", min=0, max=1000, help="In a thousand rounds.")] = 10,
    books: Annotated[
        list[str] | None,
        typer.Option(
            "--book",
            metavar="ID|PATH",
            help="A rulebook to play, by id or path; repeat it for more. Tables take turns.",
            autocompletion=completing.rulebooks,
        ),
    ] = None,
    practice: Annotated[
        int, typer.Option("--practice", min=0, max=999, help="How many of the tables play for practice.")
    ] = 0,
    as_json: AsJson = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Play a whole day with bots, irregularities and hits, at full speed. Without --data nothing is kept.

    Cards are of the seed, and some packs are stacked for hits: such a floor is for trying things out.

    Examples: pitboss floor simulate --tables 3 --hours 0.05 --seed 7;
    pitboss floor simulate --book mbs-stud-6 --book rws-thp-2 --tables 2 --hours 0.05
    """
    from pitboss.cli.simulated_day import MOST_HOURS, print_day, simulate_day
    from pitboss.errors import BadInput, check_seed

    check_seed(seed, "--seed")
    if not 0 <= hours <= MOST_HOURS:  # neither is what is no number at all
        raise BadInput("--hours", f"{hours:g} is no length of a day", f"write 0 to {MOST_HOURS}, such as 0.5")
    told = simulate_day(
        tables=tables,
        hours=hours,
        seed=seed,
        seats=seats,
        strategy=strategy,
        irregularities=irregularities,
        hits=hits,
        place=None if data is None and database is None else where(data, database),
        books=books or (),
        practice=practice,
    )
    if as_json:
        print_json(told)
    else:
        print_day(console(), told)
