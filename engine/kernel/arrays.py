"""Steps on arrays that several policies share."""

from __future__ import annotations

from shadowtime.engine.kernel.cache import inner


@inner
def insert_sorted(values, count, value):
    """Insert `value` into the first `count` values, which ascend, after equal ones. O(count); O(1) at the end."""
    at = count
    while at > 0 and values[at - 1] > value:
        values[at] = values[at - 1]
        at -= 1
    values[at] = value


@inner
def list_once(values, m, row, i):
    """Append `i` to the first `m.changed` values, unless its row says that it is `changed` already. O(1)."""
    if row.changed == 0:
        row.changed = 1
        values[m.changed] = i
        m.changed += 1


@inner
def shift(rows, first, last, by):
    """Move the rows from `first` to before `last` down by `by` places. O(last - first)."""
    for y in range(first, last):
        rows[y - by] = rows[y]
