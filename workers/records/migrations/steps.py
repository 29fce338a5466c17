"""What the migrations of the schema are written in. Shipped migrations depend on it: add to it, but change nothing."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op
from sqlalchemy.schema import SchemaItem

TEXT, WHOLE, LARGE, REAL, TRUTH = sa.Text(), sa.Integer(), sa.BigInteger(), sa.Float(), sa.Boolean()
WORD, TIME = sa.String(length=64), sa.String(length=32)


def number() -> sa.Column[int]:
    """Return the column of a row's number, which the database gives."""
    kind = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
    return sa.Column("id", kind, autoincrement=True, nullable=False)


def filled(kind: Any, names: str) -> list[sa.Column[Any]]:
    """Return columns that every row fills; `names` with blanks between."""
    return [sa.Column(name, kind, nullable=False) for name in names.split()]


def optional(kind: Any, names: str) -> list[sa.Column[Any]]:
    """Return columns that may be null; `names` with blanks between."""
    return [sa.Column(name, kind, nullable=True) for name in names.split()]


def reference(table: str, column: str, target: str, *, cascade: bool = False) -> sa.ForeignKeyConstraint:
    """Return the constraint that `column` names a row of another table, with which it is deleted if `cascade`."""
    return sa.ForeignKeyConstraint(
        [column], [target], name=op.f(f"{table}_{column}"), ondelete="CASCADE" if cascade else None
    )


def create(table: str, key: str, *items: SchemaItem) -> None:
    """Create a table whose primary key is the columns `key`, with blanks between."""
    op.create_table(table, *items, sa.PrimaryKeyConstraint(*key.split(), name=op.f(f"{table}_key")))
