"""The first store: streams, events, postings, balances, commands, snapshots, rounds, decks."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables of the first version, as they were then."""
    op.create_table(
        "streams",
        sa.Column("stream", sa.String, primary_key=True),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("stream", sa.String, primary_key=True),
        sa.Column("version", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("actor", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
    )
    op.create_table(
        "postings",
        sa.Column("stream", sa.String, primary_key=True),
        sa.Column("version", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("line", sa.SmallInteger, primary_key=True, autoincrement=False),
        sa.Column("account", sa.String, nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "balances",
        sa.Column("account", sa.String, primary_key=True),
        sa.Column("amount", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "commands",
        sa.Column("key", sa.String, primary_key=True),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
    )
    op.create_table(
        "snapshots",
        sa.Column("stream", sa.String, primary_key=True),
        sa.Column("version", sa.BigInteger, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
    )
    op.create_table(
        "rounds",
        sa.Column("table_id", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("first_version", sa.BigInteger, nullable=False),
        sa.Column("last_version", sa.BigInteger, nullable=False),
        sa.Column("opened_at", sa.BigInteger, nullable=False),
        sa.Column("dealt_at", sa.BigInteger),
        sa.Column("ended_at", sa.BigInteger),
        sa.Column("status", sa.String, nullable=False),
        sa.Column("rulebook", sa.String, nullable=False),
        sa.Column("link", sa.String, nullable=False),
        sa.Column("jackpot", sa.Boolean, nullable=False),
    )
    op.create_index(
        "open_rounds",
        "rounds",
        ["link"],
        sqlite_where=sa.text("ended_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    op.create_table(
        "decks",
        sa.Column("table_id", sa.String, primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("sealed", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "checkpoints",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("heads", sa.Text, nullable=False),
        sa.Column("signature", sa.Text, nullable=False),
    )
    op.create_table(
        "sessions",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("started_at", sa.BigInteger, nullable=False),
        sa.Column("purpose", sa.String, nullable=False),
    )
