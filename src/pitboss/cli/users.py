"""`pitboss users`: who may sign in."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli import completing
from pitboss.cli.grammar import Commands
from pitboss.cli.output import console, print_json
from pitboss.cli.place import AsJson, Data, Database, where_served

if TYPE_CHECKING:
    from pitboss.floor.registry import Registry
    from pitboss.server.identity import Identity

Note = Callable[[str, str, str], None]
SHORT_ID = 16
"""So much of a session's id names it, here and in the API."""
Name = Annotated[
    str,
    typer.Argument(
        metavar="NAME",
        help="A person of the house, or player/NAME.",
        autocompletion=completing.everybody,
    ),
]


def register(app: typer.Typer) -> None:
    users = Commands(
        help="""Who may sign in: passwords, locks, sessions.

        Examples: pitboss users list --data floor; pitboss users password dora --data floor < secret.txt
        """
    )
    users.command("list")(list_command)
    users.command("password")(password_command)
    users.command("unlock")(unlock_command)
    users.command("sessions")(sessions_command)
    users.command("sign-out")(sign_out_command)
    users.command("remove")(remove_command)
    app.add_typer(users, name="users")


@contextmanager
def _identity(data: str | None, database: str | None) -> Iterator[tuple[Identity, Registry, Note]]:
    """Sign-in on a floor, who there is, and how to note in the record what was done to an account."""
    place = where_served(data, database)
    from pitboss.bootstrap import open_store
    from pitboss.floor import requests as q
    from pitboss.floor.clock import SecureCards, SystemClock
    from pitboss.floor.people import SYSTEM
    from pitboss.floor.service import Floor
    from pitboss.server.identity import Identity
    from pitboss.store.identities import Identities
    from pitboss.store.journal import Journal

    store = open_store(place)
    journal = Journal(place.data)
    try:
        floor = Floor(store, clock=SystemClock(), cards=SecureCards(), deck_key=bytes(32))
        floor.acknowledge = journal.acknowledge

        def note(kind: str, name: str, what: str) -> None:
            floor.do(SYSTEM, q.NoteAccount(kind=kind, name=name, what=what, by="console"))

        yield Identity(Identities(store.engine), SystemClock()), floor.registry, note
    finally:
        journal.close()
        store.close()


def _who(name: str, registry: Registry) -> tuple[str, str]:
    """Kind and name. Raises `BadInput` for somebody the house does not know."""
    from pitboss.errors import BadInput, near_miss

    kind, slash, bare = name.partition("/")
    kind, bare = (kind, bare) if slash else ("staff", name)
    known = {"staff": list(registry.people), "player": list(registry.players)}
    if kind not in known:
        raise BadInput("NAME", f"nobody is a '{kind}'", "write NAME for staff, or player/NAME")
    if bare not in known[kind]:
        if kind == "staff" and bare in known["player"]:
            raise BadInput("NAME", f"'{bare}' is a player", f"write player/{bare}")
        names = known[kind] if kind == "staff" else [f"player/{player}" for player in known[kind]]
        raise BadInput("NAME", f"nobody here is called '{name}'", near_miss(name, names))
    return kind, bare


def list_command(as_json: AsJson = False, data: Data = None, database: Database = None) -> None:
    """Everybody who may sign in, and who is signed in now.

    Example: pitboss users list --data floor
    """
    from pitboss.floor.clock import SystemClock
    from pitboss.floor.overview import at_text

    with _identity(data, database) as (identity, registry, _):
        accounts = identity.identities.accounts()
        sessions = [row for row in identity.identities.signed_in() if row.purpose == "session"]
    now = SystemClock().now()
    told = [
        {
            "kind": account.kind,
            "name": account.name,
            "position": registry.people.get(account.name, "") if account.kind == "staff" else "",
            "failures": account.failures,
            "locked_until": at_text(account.locked_until) if account.locked_until > now else None,
            "sessions": sum((row.kind, row.name) == (account.kind, account.name) for row in sessions),
        }
        for account in accounts
    ]
    if as_json:
        print_json({"users": told})
        return
    out = console()
    if not told:
        out.print("nobody can sign in yet: 'pitboss users password NAME' gives a password", markup=False)
    for user in told:
        shown = user["name"] if user["kind"] == "staff" else f"player/{user['name']}"
        locked = f", locked until {user['locked_until']}" if user["locked_until"] else ""
        out.print(
            f"{shown:<32} {user['position']:<20} {user['sessions']} signed in{locked}",
            markup=False,
        )


def password_command(name: Name, data: Data = None, database: Database = None) -> None:
    """Give a person a password, read from the terminal or from standard input; their sessions end.

    Players use at least 8 characters, staff 10, shift managers, those above them and surveillance 12.
    Passwords that are easy to guess are refused.

    Example: pitboss users password dora --data floor < secret.txt
    """
    import getpass

    with _identity(data, database) as (identity, registry, note):
        kind, bare = _who(name, registry)
        typed = sys.stdin.isatty()
        password = getpass.getpass("password: ") if typed else sys.stdin.readline().rstrip("\n")
        position = registry.people.get(bare, "") if kind == "staff" else ""
        identity.set_password(kind, bare, password, position=position, house=registry.name)
        note(kind, bare, "password")
    console().print(f"{name} can sign in", markup=False)


def unlock_command(name: Name, data: Data = None, database: Database = None) -> None:
    """Let somebody try again who failed too often.

    Example: pitboss users unlock dora --data floor
    """
    with _identity(data, database) as (identity, registry, note):
        identity.identities.unlock(*_who(name, registry))
        note(*_who(name, registry), "unlocking")
    console().print(f"{name} may try again", markup=False)


def sessions_command(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME",
            help="A person of the house, or player/NAME; left out, everyone.",
            autocompletion=completing.everybody,
        ),
    ] = "",
    as_json: AsJson = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """List open sessions: whose, since when, when last used, and until when.

    Examples: pitboss users sessions --data floor; pitboss users sessions dora --data floor
    """
    from pitboss.floor.clock import SystemClock
    from pitboss.floor.overview import at_text

    with _identity(data, database) as (identity, registry, _):
        whose = _who(name, registry) if name else None
        rows = [
            row
            for row in identity.identities.signed_in()
            if row.purpose == "session" and whose in (None, (row.kind, row.name))
        ]
    now = SystemClock().now()
    found = [
        {
            "session": row.id[:SHORT_ID],
            "kind": row.kind,
            "name": row.name,
            "begun_at": at_text(row.begun_at),
            "active_at": at_text(row.active_at),
            "ends_at": at_text(row.ends_at),
        }
        for row in rows
        if row.ends_at > now
    ]
    if as_json:
        print_json({"sessions": found})
        return
    out = console()
    if not found:
        out.print("no open sessions", markup=False)
    for one in found:
        shown = one["name"] if one["kind"] == "staff" else f"player/{one['name']}"
        times = f"since {one['begun_at']}, last used {one['active_at']}"
        out.print(f"{one['session']}  {shown:<32} {times}", markup=False, highlight=False)


def sign_out_command(
    name: Name,
    session: Annotated[
        str, typer.Option("--session", help="Only this session, by its id from 'pitboss users sessions'.")
    ] = "",
    data: Data = None,
    database: Database = None,
) -> None:
    """End every session of a person, or one of them.

    Example: pitboss users sign-out dora --data floor
    """
    from pitboss.errors import BadInput, near_miss

    with _identity(data, database) as (identity, registry, _):
        kind, bare = _who(name, registry)
        if session:
            theirs = {one.short_id: one.id for one in identity.sessions(kind, bare)}
            if session not in theirs:
                raise BadInput("--session", f"no open session '{session}'", near_miss(session, theirs))
            identity.end(theirs[session])
        else:
            identity.identities.end_all(kind, bare)
    console().print(f"{name} is signed out{f' of {session}' if session else ''}", markup=False)


def remove_command(name: Name, data: Data = None, database: Database = None) -> None:
    """Take somebody's password away; his place on the floor stays.

    Example: pitboss users remove dora --data floor
    """
    from pitboss.errors import BadInput

    with _identity(data, database) as (identity, registry, note):
        kind, bare = _who(name, registry)
        if not identity.identities.remove(kind, bare):
            raise BadInput("NAME", f"{name} has no password", "'pitboss users list' shows who has")
        note(kind, bare, "removal")
    console().print(f"{name} cannot sign in any more", markup=False)
