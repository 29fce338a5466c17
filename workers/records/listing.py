"""Find and page runs, workloads and sweeps."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, bindparam, false, func, or_, select, tuple_

from shadowtime.engine.errors import QuestionError
from shadowtime.workers.errors import NotFound
from shadowtime.workers.records.database import rows
from shadowtime.workers.store.base import Page

ID = re.compile(r"[0-9a-f]{16}|[0-9a-f]{64}", re.ASCII)

NO_TEXT = re.compile("[\0\ud800-\udfff]")
"""Characters that a text of a database cannot have."""

Where = Sequence[ColumnElement[bool]]


def find(connection: Connection, table: Table, what: str, reference: Any) -> str:
    """Return the digest of a full or short id.

    Parameters
    ----------
    what
        "run", "workload" or "sweep".

    Raises
    ------
    NotFound
        For any text that names no row, calling the thing `what`.
    """
    if not isinstance(reference, str) or not ID.fullmatch(reference):
        raise NotFound(what, reference)
    found = connection.execute(_first_digest(table), {"first": reference, "after": f"{reference}g"}).scalar()
    if found is None:
        raise NotFound(what, reference)
    return str(found)


@cache
def _first_digest(table: Table) -> Any:
    digest = table.c.digest
    where = (digest >= bindparam("first"), digest < bindparam("after"))
    return select(digest).where(*where).order_by(digest).limit(1)


def equal(column: Any, text: str) -> ColumnElement[bool]:
    """Return the condition that a column has this text: it is false for a text that no database holds."""
    return false() if NO_TEXT.search(text) else column == text


def unsearched(column: Any) -> ColumnElement[Any]:
    """Return a column in a form for which a database uses no index: the list is read in its order, and the condition is
    checked row by row.

    By an index SQLite would read all rows with a common value, and sort them.
    """
    return column.concat("")


def words_in(column: Any, text: str) -> list[ColumnElement[bool]]:
    """Return conditions: each word of `text` is part of the column, which holds small letters. Of a full id it is
    the short one that is looked for."""
    words = text.lower().replace("\0", " ").split()  # PostgreSQL refuses NUL in a text
    words = [word[:16] if ID.fullmatch(word) else word for word in words]
    return [column.contains(word, autoescape=True) for word in words]


def owned(column: Any, owners: Sequence[str] | None) -> list[ColumnElement[bool]]:
    """Return conditions for public rows and the private ones of `owners`; None: all."""
    return [] if owners is None else [or_(column.is_(None), column.in_(list(owners)))]


def page(
    connection: Connection,
    table: Table,
    where: Where,
    keys: Sequence[str],
    limit: int,
    after: str | None,
    read: Callable[[Mapping[str, Any]], Any],
    *,
    ascending: bool = False,
) -> Page:
    """Return up to `limit` rows as `read` gives them, by the `keys`, greatest first unless `ascending`.

    The last of the keys makes the order total. `after` is an earlier page's `next`: the position after which to
    continue, which holds when rows come and go.

    Raises
    ------
    QuestionError
        When `after` is no position in this order.
    """
    columns = [table.c[key] for key in keys]
    conditions = list(where)
    if place := _place(after, columns):
        behind = tuple_(*columns) > tuple_(*place) if ascending else tuple_(*columns) < tuple_(*place)
        conditions.append(behind)
    order = [column.asc() if ascending else column.desc() for column in columns]
    found = rows(connection, select(table).where(*conditions).order_by(*order).limit(limit + 1))
    following = json.dumps([found[limit - 1][key] for key in keys]) if len(found) > limit else None
    return Page([read(row) for row in found[:limit]], following)


def _place(after: str | None, columns: Sequence[Any]) -> list[Any] | None:
    """Return the values of the keys that `after` names; None where the page begins at the start."""
    if not after:
        return None
    try:
        place = json.loads(after)
    except (ValueError, RecursionError):
        place = None
    kinds = [column.type.python_type for column in columns]
    if not isinstance(place, list) or len(place) != len(kinds) or not all(map(_is_value, place, kinds)):
        raise QuestionError(f"after = {after[:40]!r}, but it must be the `next` of an earlier page in the same order.")
    return place


def _is_value(value: Any, kind: type) -> bool:
    """Return whether a column of this kind can be compared with the value, in SQLite and in PostgreSQL."""
    if kind is str:
        return isinstance(value, str) and NO_TEXT.search(value) is None
    return type(value) in (int, kind) and abs(value) < 2**63


def count(connection: Connection, table: Table, where: Where) -> int:
    """Return the number of rows for which all conditions hold."""
    return int(connection.execute(select(func.count()).select_from(table).where(*where)).scalar_one())
