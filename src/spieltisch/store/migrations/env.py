"""Entry point of Alembic; the connection, with its open transaction, comes from `store.migrate`."""

from alembic import context

from spieltisch.store.schema import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
