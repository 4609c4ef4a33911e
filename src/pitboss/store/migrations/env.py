"""Run by Alembic, on the connection that `upgrade` hands over."""

from alembic import context

from pitboss.store.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata)
with context.begin_transaction():
    context.run_migrations()
