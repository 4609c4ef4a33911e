"""The dealer school: what each trainee has scored, and the problem he has before him."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables of scores and of open exercises."""
    op.create_table(
        "school_scores",
        sa.Column("kind", sa.String, primary_key=True),
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("rulebook", sa.String, primary_key=True),
        sa.Column("data", sa.Text, nullable=False),
        sa.Column("changed_at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "school_exercises",
        sa.Column("id", sa.String(64), primary_key=True),
        sa.Column("kind", sa.String, nullable=False),
        sa.Column("name", sa.String, nullable=False),
        sa.Column("rulebook", sa.String, nullable=False),
        sa.Column("topic", sa.String, nullable=False),
        sa.Column("seed", sa.BigInteger, nullable=False),
        sa.Column("comes_back", sa.Boolean, nullable=False),
        sa.Column("asked_at", sa.BigInteger, nullable=False),
    )
    op.create_index("school_exercises_of", "school_exercises", ["kind", "name", "rulebook"])
