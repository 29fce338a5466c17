"""Alembic's entry: migrations run in the transaction that the caller has begun."""

from alembic import context

from shadowtime.workers.records.schema import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
