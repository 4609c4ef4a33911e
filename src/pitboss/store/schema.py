"""The tables of the store. A change here is a migration in `migrations/versions`."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    SmallInteger,
    String,
    Table,
    Text,
    text,
)

metadata = MetaData()

streams = Table(
    "streams",
    metadata,
    Column("stream", String, primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("hash", String(64), nullable=False),
)

events = Table(
    "events",
    metadata,
    Column("stream", String, primary_key=True),
    Column("version", BigInteger, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("actor", String, nullable=False),
    Column("name", String, nullable=False),
    Column("data", Text, nullable=False),
    Column("hash", String(64), nullable=False),
)

postings = Table(
    "postings",
    metadata,
    Column("stream", String, primary_key=True),
    Column("version", BigInteger, primary_key=True, autoincrement=False),
    Column("line", SmallInteger, primary_key=True, autoincrement=False),
    Column("account", String, nullable=False),
    Column("amount", BigInteger, nullable=False),
)

balances = Table(
    "balances",
    metadata,
    Column("account", String, primary_key=True),
    Column("amount", BigInteger, nullable=False),
)

commands = Table(
    "commands",
    metadata,
    Column("key", String, primary_key=True),
    Column("at", BigInteger, nullable=False),
    Column("fingerprint", String(64), nullable=False),
    Column("answer", Text, nullable=False),
)
Index("commands_at", commands.c.at)
"""Old answers are found by their time; new ones always come at its end."""

snapshots = Table(
    "snapshots",
    metadata,
    Column("stream", String, primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("data", Text, nullable=False),
)

rounds = Table(
    "rounds",
    metadata,
    Column("table_id", String, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("first_version", BigInteger, nullable=False),
    Column("last_version", BigInteger, nullable=False),
    Column("opened_at", BigInteger, nullable=False),
    Column("dealt_at", BigInteger),
    Column("ended_at", BigInteger),
    Column("status", String, nullable=False),
    Column("rulebook", String, nullable=False),
    Column("link", String, nullable=False),
    Column("jackpot", Boolean, nullable=False),
)
Index(
    "open_rounds",
    rounds.c.link,
    sqlite_where=text("ended_at IS NULL"),
    postgresql_where=text("ended_at IS NULL"),
)

decks = Table(
    "decks",
    metadata,
    Column("table_id", String, primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("sealed", LargeBinary, nullable=False),
)

checkpoints = Table(
    "checkpoints",
    metadata,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    Column("heads", Text, nullable=False),
    Column("signature", Text, nullable=False),
)

accounts = Table(
    "accounts",
    metadata,
    Column("kind", String, primary_key=True),
    Column("name", String, primary_key=True),
    Column("password", String, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("locked_until", BigInteger, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
)

sign_ins = Table(
    "sign_ins",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("kind", String, nullable=False),
    Column("name", String, nullable=False),
    Column("purpose", String, nullable=False),
    Column("csrf", String, nullable=False),
    Column("begun_at", BigInteger, nullable=False),
    Column("active_at", BigInteger, nullable=False),
    Column("ends_at", BigInteger, nullable=False),
    Column("locked", Boolean, nullable=False),
)
Index("sign_ins_of", sign_ins.c.kind, sign_ins.c.name)

school_scores = Table(
    "school_scores",
    metadata,
    Column("kind", String, primary_key=True),
    Column("name", String, primary_key=True),
    Column("rulebook", String, primary_key=True),
    Column("data", Text, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
)

school_exercises = Table(
    "school_exercises",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("kind", String, nullable=False),
    Column("name", String, nullable=False),
    Column("rulebook", String, nullable=False),
    Column("topic", String, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("comes_back", Boolean, nullable=False),
    Column("asked_at", BigInteger, nullable=False),
)
Index("school_exercises_of", school_exercises.c.kind, school_exercises.c.name, school_exercises.c.rulebook)

school_sittings = Table(
    "school_sittings",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("kind", String, nullable=False),
    Column("name", String, nullable=False),
    Column("rulebook", String, nullable=False),
    Column("game", String, nullable=False),
    Column("title", String, nullable=False),
    Column("readings", Text, nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("problems", Integer, nullable=False),
    Column("only_kind", String, nullable=False),
    Column("level", Integer),
    Column("began_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
    Column("answered", Integer, nullable=False),
    Column("right_answers", Integer),
)
Index("school_sittings_of", school_sittings.c.kind, school_sittings.c.name)
Index(
    "school_sittings_open",
    school_sittings.c.kind,
    school_sittings.c.name,
    unique=True,
    sqlite_where=text("ended_at IS NULL"),
    postgresql_where=text("ended_at IS NULL"),
)

school_answers = Table(
    "school_answers",
    metadata,
    Column("sitting", String(64), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    Column("topic", String, nullable=False),
    Column("seed", BigInteger, nullable=False),
    Column("data", Text, nullable=False),
    Column("answered_at", BigInteger),
)

sessions = Table(
    "sessions",
    metadata,
    Column("id", String, primary_key=True),
    Column("started_at", BigInteger, nullable=False),
    Column("purpose", String, nullable=False),
)

leases = Table(
    "leases",
    metadata,
    Column("name", String, primary_key=True),
    Column("holder", String, nullable=False),
    Column("fence", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
)
