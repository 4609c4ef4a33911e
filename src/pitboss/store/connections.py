"""How Pitboss connects to its database: the address taken apart, and how long a connection waits.

Every connection is made from here: those of the pool, the straight line, the listener's. What the address
says is stronger than what Pitboss would say; so are the variables of PostgreSQL's own client.
"""

from __future__ import annotations

import math
import os
import re
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, text

from pitboss.errors import BadInput, shortened
from pitboss.store.waits import Waits

if TYPE_CHECKING:
    import psycopg

ADDRESS_REMEDY = "write postgresql://user:password@host/name or sqlite:///file"
OPTION_REMEDY = "settings of the server go into options, such as ?options=-c%20lock_timeout%3D3s"
MOST_SECONDS = 86_400
MIGRATION_LOCK_SECONDS = 60
"""How long an upgrade of the store waits for the processes that still work on it."""

_POSTGRES = re.compile(r"postgres(ql)?(\+\w+)?://")
_SERVER_SETTINGS = {
    "lock_timeout": "lock",
    "statement_timeout": "statement",
    "idle_in_transaction_session_timeout": "transaction",
}
"""Settings of the server, and the patience that each stands for."""
_AS_WRITTEN = "%/:,+@[]"
"""Signs that stand in a value of a query as they are; `%` because it may be encoded already."""
_ITS_OWN_VARIABLE = {"connect_timeout": "PGCONNECT_TIMEOUT", "application_name": "PGAPPNAME"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Seconds that a connection waits before it gives up; 0 waits for ever.

    `lock`: for what another process holds. `statement`: for one statement to end. `transaction`: for the next
    statement of a transaction, after which the database ends it and what it holds is free. `connect`: for a
    connection. `silence`: for a sign of life from the other end of the network.
    """

    lock: float = 2
    statement: float = 10
    transaction: float = 5
    connect: float = 5
    silence: float = 10


SERVING = Patience()
"""Of a process that serves: while it waits, all its tables wait."""
COMMANDING = Patience(lock=20, statement=120)
"""Of a command: only the person who gave it waits."""
SETTINGS = {field.name: f"PITBOSS_{field.name.upper()}_SECONDS" for field in fields(Patience)}
"""The variable of the environment that sets each patience, for processes that serve and for commands."""


def patience_set(usual: Patience) -> Patience:
    """The patience that the environment sets, else the usual one. Raises `BadInput`."""
    found = {name: os.environ.get(variable) for name, variable in SETTINGS.items()}
    return replace(usual, **{name: seconds(said, SETTINGS[name]) for name, said in found.items() if said})


def seconds(said: str, place: str) -> float:
    """A number of seconds as people write it. Raises `BadInput`."""
    try:
        found = float(said)
    except ValueError:
        found = math.nan
    if not 0 <= found <= MOST_SECONDS:
        remedy = f"write a number from 0, which waits for ever, to {MOST_SECONDS}"
        raise BadInput(place, f"'{shortened(said)}' is not a number of seconds", remedy)
    return found


def is_postgres(url: str) -> bool:
    """Whether an address names a PostgreSQL server, or several."""
    return _POSTGRES.match(url) is not None


def arguments(url: str, patience: Patience) -> dict[str, Any]:
    """What PostgreSQL's driver connects with. Raises `BadInput` for an address that it cannot read."""
    given = _read_address(url)
    own = " ".join(
        f"-c {name}={math.ceil(1000 * getattr(patience, which))}" for name, which in _SERVER_SETTINGS.items()
    )
    options = (own, os.environ.get("PGOPTIONS", ""), given.get("options", ""))  # the last one is in force
    usual = {"application_name": "pitboss", **_signs_of_life(patience)}
    usual = {
        name: value for name, value in usual.items() if not os.environ.get(_ITS_OWN_VARIABLE.get(name, ""))
    }
    return {**usual, **given, "options": " ".join(filter(None, options))}


def _signs_of_life(patience: Patience) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if patience.connect:
        found["connect_timeout"] = max(2, math.ceil(patience.connect))  # the driver takes no less
    if patience.silence:
        found["tcp_user_timeout"] = math.ceil(1000 * patience.silence)
        found["keepalives_idle"] = max(1, math.ceil(0.4 * patience.silence))
        found["keepalives_interval"] = max(1, math.ceil(0.2 * patience.silence))
        found["keepalives_count"] = 3
    return found


def _read_address(url: str) -> dict[str, Any]:
    """An address as PostgreSQL's own library reads it: several hosts, options, certificates and all."""
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    try:
        found = conninfo_to_dict(_POSTGRES.sub("postgresql://", _as_libpq_reads_it(url), count=1))
    except (ProgrammingError, ValueError) as error:
        said = " ".join(str(error).split())
        if "query parameter" in said:  # other errors quote the address, and with it the password
            raise BadInput("--database", said, OPTION_REMEDY) from error
        raise BadInput("--database", "not the address of a database", ADDRESS_REMEDY) from error
    ports = str(found.get("port", "")).split(",")
    if not all(port.isdecimal() or not port for port in ports):
        raise BadInput("--database", "not the address of a database", ADDRESS_REMEDY)
    return dict(found)


def _as_libpq_reads_it(url: str) -> str:
    """A query as people write it (`?options=-c lock_timeout=3s`) with its values as PostgreSQL wants them.

    Hosts that stand one by one (`?host=a:5432&host=b:5433`) become one list.
    """
    address, _, asked = url.partition("?")
    query = [part.partition("=")[::2] for part in asked.split("&") if part]
    if not query:
        return address
    hosts = [unquote(value) for name, value in query if name == "host"]
    if len(hosts) > 1:
        pairs = [
            host.rpartition(":") if host.rpartition(":")[2].isdecimal() else (host, "", "") for host in hosts
        ]
        query = [(name, value) for name, value in query if name not in ("host", "port")]
        query += [("host", ",".join(host for host, _, _ in pairs))]
        if any(port for _, _, port in pairs):
            query += [("port", ",".join(port or "5432" for _, _, port in pairs))]
    return f"{address}?" + "&".join(f"{name}={quote(value, safe=_AS_WRITTEN)}" for name, value in query)


class Connections:
    """How the connections of one engine are made, and what they wait for."""

    def __init__(
        self, patience: Patience, arguments: dict[str, Any] | None = None, *, serving: bool = False
    ) -> None:
        self.patience = patience
        self.arguments = arguments or {}
        self.serving = serving
        self.waits = Waits(patience.lock)

    def connect(self, *, purpose: str = "") -> psycopg.Connection[Any]:
        """A connection to PostgreSQL outside the pool, each statement for itself. Raises `psycopg.Error`."""
        import psycopg

        more = dict(self.arguments)
        if purpose:
            more["application_name"] = f"{more.get('application_name', 'pitboss')}-{purpose}"
        return psycopg.connect(autocommit=True, **more)

    def is_set(self, name: str) -> bool:
        """Whether the address itself sets a setting of the server, or a variable of PostgreSQL's does."""
        pattern = rf"(?<![\w-]){name.replace('_', '[_-]')}="
        return len(re.findall(pattern, self.arguments.get("options", "").replace("--", " "))) > 1


_OF_ENGINES: WeakKeyDictionary[Any, Connections] = WeakKeyDictionary()


def keep_connections(engine: Engine, found: Connections) -> None:
    """Remember how the connections of an engine are made."""
    _OF_ENGINES[engine.dialect] = found


def connections_of(engine: Engine) -> Connections:
    """How the connections of an engine are made, also of one derived from it."""
    return _OF_ENGINES[engine.dialect]


def take_time(connection: Connection, *, lock_seconds: float | None = None) -> None:
    """Let a transaction take the time it needs, unless the address sets a limit: exports, backups, upgrades.

    It is the first thing done in the transaction. In a process that serves, it is single statements that have
    a limit all the same: its other readers wait for them. SQLite has no such limits.
    """
    if connection.dialect.name != "postgresql":
        return
    known = connections_of(connection.engine)
    wanted = {"idle_in_transaction_session_timeout": 0.0}
    if not known.serving:
        wanted["statement_timeout"] = 0.0
    if lock_seconds is not None:
        wanted["lock_timeout"] = lock_seconds
    for name, wait in wanted.items():
        if not known.is_set(name):
            connection.execute(text(f"SET LOCAL {name} = {math.ceil(1000 * wait)}"))


def wait_at_most(connection: Connection, seconds: float) -> None:
    """Let the rest of a transaction wait so long for each lock of PostgreSQL."""
    connection.execute(text(f"SET LOCAL lock_timeout = {math.ceil(1000 * seconds)}"))


def patience_in_force(connection: Connection) -> dict[str, str]:
    """How long a connection waits for what, as the database itself has it, in words."""
    known = connections_of(connection.engine)
    if connection.dialect.name != "postgresql":
        return {"locks": _waits(known.patience.lock)}
    names = {"locks": "lock_timeout", "statements": "statement_timeout"}
    names["idle transactions"] = "idle_in_transaction_session_timeout"
    found = {
        what: connection.execute(text(f"SELECT setting FROM pg_settings WHERE name = '{name}'")).scalar()
        for what, name in names.items()
    }
    shown = {what: _waits(int(str(setting)) / 1000) for what, setting in found.items()}
    silence = int(known.arguments.get("tcp_user_timeout", 0)) / 1000
    connect = float(known.arguments.get("connect_timeout") or os.environ.get("PGCONNECT_TIMEOUT") or 0)
    return {**shown, "connecting": _waits(connect), "silence": _waits(silence)}


def _waits(seconds: float) -> str:
    return f"{seconds:g} s" if seconds else "for ever"
