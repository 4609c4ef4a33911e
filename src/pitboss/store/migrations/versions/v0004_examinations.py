"""Examinations of the dealer school: who sat which, and what was answered."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables of sittings and of their answers."""
    op.create_table(
        "school_sittings",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("rulebook", sa.String, nullable=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("title", sa.String, nullable=False),
        sa.Column("readings", sa.Text, nullable=False),
        sa.Column("number", sa.BigInteger, nullable=False),
        sa.Column("problems", sa.Integer, nullable=False),
        sa.Column("only_kind", sa.String, nullable=False),
        sa.Column("level", sa.Integer),
        sa.Column("began_at", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.BigInteger),
        sa.Column("answered", sa.Integer, nullable=False),
        sa.Column("right_answers", sa.Integer),
    )
    op.create_index("school_sittings_of", "school_sittings", ["kind", "name"])
    op.create_index(
        "school_sittings_open",
        "school_sittings",
        ["kind", "name"],
        unique=True,
        sqlite_where=sa.text("ended_at IS NULL"),
        postgresql_where=sa.text("ended_at IS NULL"),
    )
    op.create_table(
        "school_answers",
        sa.Column("sitting", sa.String(64), primary_key=True),
        sa.Column("place", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("topic", sa.String, nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("answered_at", sa.BigInteger),
    )
