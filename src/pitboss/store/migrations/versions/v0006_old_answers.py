"""Answers that are kept for requests are found by their time, so that old ones can be forgotten."""

from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the index of answers by their time."""
    op.create_index("commands_at", "commands", ["at"])
