"""Which column of a table says what: chosen after `#` in the file's name, else proposed from names and values.

`jobs.csv#submit=Submitted at,runtime=Duration:minutes,user=` chooses the columns of the submission and the runtime, and
that no column names the user; fields that are not mentioned are proposed. `%2C`, `%3D`, `%3A`, `%23`, `%2F` and `%25`
stand for `, = : # / %` in names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import unquote

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.sites.tables.fields import (
    COUNT,
    DAY_FIRST,
    DURATION,
    FIELDS,
    INSTANT,
    MEMORY,
    MONTH_FIRST,
    TEXT,
    UNITS,
    plain,
    split_unit,
    unit_of,
)
from shadowtime.engine.workload.sites.tables.single import fitting_unit, is_number, order_of, suits

LAST = 1000
"""Place of the first column without any value yet: after all that have fitting ones."""
ORDERS = (DAY_FIRST, MONTH_FIRST)
RESERVED = "%,=:#/"
RULES = {INSTANT: "date or number", DURATION: "time", COUNT: "number"}
"""What the values of a column are, by the kind of its field."""


@dataclass(frozen=True)
class Column:
    """A column of the file, and the unit of its values; "" where they have none."""

    name: str
    unit: str = ""


PM100 = {
    "submit": Column("submit_time"), "start": Column("start_time"), "end": Column("end_time"),
    "runtime": Column("run_time", "seconds"), "requested": Column("time_limit", "minutes"),
    "size": Column("num_cores_alloc"), "id": Column("job_id"), "user": Column("user_id"),
    "account": Column("group_id"), "partition": Column("partition"), "outcome": Column("job_state"),
    "nodes": Column("nodes"), "gpus": Column("num_gpus_alloc"),
}  # fmt: skip
"""Columns of job_table.parquet, by documentation/job_features.md of francescoantici/PM100-data."""
PUBLISHED = (PM100,)
"""Published tables whose columns are known."""
Mapped = Mapping[str, Column]
"""The column of each field that is read."""
Sample = Mapping[str, Sequence[str]]
"""First values of each column that are not empty, by name of the column, in the order of the file."""


def parse(case: str | None, columns: Sequence[str]) -> dict[str, Column | None]:
    """Return the chosen column of each field that a text mentions; None where no column is to be read.

    Raises
    ------
    InvalidWorkload
        If the text names no field, or a column that is not there.
    """
    chosen: dict[str, Column | None] = {}
    for part in (case or "").split(","):
        if not part.strip():
            continue
        name, mark, value = part.partition("=")
        if not mark or name.strip() not in FIELDS:
            raise InvalidWorkload(
                f"{part.strip()[:60]!r} chooses no column; write #submit=NAME,... with the fields {', '.join(FIELDS)}."
            )
        chosen[name.strip()] = _column(name.strip(), value, columns) if value.strip() else None
    return chosen


def _column(field: str, text: str, columns: Sequence[str]) -> Column:
    whole = unquote(text).strip()
    name, _, word = text.rpartition(":")
    unit = unit_of(unquote(word).strip(), FIELDS[field].kind)
    for sought, its_unit in ((whole, ""), (unquote(name).strip(), unit)):
        if found := _find(sought, columns):
            return Column(found, its_unit)
        if unit == "" and sought == whole and name and (known := _find(unquote(name).strip(), columns)):
            units = ", ".join(UNITS[FIELDS[field].kind]) or "none"
            raise InvalidWorkload(f"{unquote(word)[:40]!r} is no unit of {known!r}; units are {units}.")
    raise InvalidWorkload(f"there is no column {whole[:60]!r} among {listed(columns)}.")


def _find(sought: str, columns: Sequence[str]) -> str:
    """Return the column of this name, whatever its capitals; "" if there is none."""
    if sought in columns:
        return sought
    return next((name for name in columns if sought and name.lower() == sought.lower()), "")


def write(chosen: Mapping[str, Column | None]) -> str:
    """Return the text that `parse` reads."""
    return ",".join(f"{field}={_written(column)}" for field, column in chosen.items())


def _written(column: Column | None) -> str:
    if column is None:
        return ""
    name = "".join(f"%{ord(sign):02X}" if sign in RESERVED else sign for sign in column.name)
    return f"{name}:{column.unit}" if column.unit else name


def proposed(sample: Sample, chosen: Mapping[str, Column | None] | None = None) -> dict[str, Column]:
    """Return the column of each field: as chosen, else the first whose name and values fit, with its unit."""
    known: Mapping[str, Column] = next(
        (one for one in PUBLISHED if all(column.name in sample for column in one.values())), {}
    )
    chosen = {**known, **(chosen or {})}
    taken = {column.name for column in chosen.values() if column}
    found: dict[str, Column] = {}
    for field in FIELDS.values():
        if field.name in chosen:
            column = chosen[field.name]
        else:
            column = _proposal(field.name, {name: values for name, values in sample.items() if name not in taken})
        if column is not None:
            taken.add(column.name)
            found[field.name] = Column(column.name, column.unit or _unit(field.name, column.name, sample))
    ordered = [name for name in found if found[name].unit in ORDERS and not is_settled(name, chosen)]
    stated = {found[name].unit for name in found if is_settled(name, chosen)} & set(ORDERS)
    order = stated.pop() if len(stated) == 1 else order_of([sample[found[name].name] for name in ordered])
    return {name: Column(column.name, order) if name in ordered else column for name, column in found.items()}


def is_settled(field: str, chosen: Mapping[str, Column | None]) -> bool:
    """Return whether the unit of a field was chosen, not proposed."""
    column = chosen.get(field)
    return column is not None and bool(column.unit)


def _proposal(field: str, sample: Sample) -> Column | None:
    kind = FIELDS[field].kind
    fitting: dict[int, str] = {}
    for name, values in sample.items():
        stem, _ = split_unit(name, kind)
        known = FIELDS[field].columns
        place = next((known.index(word) for word in (stem, plain(name)) if word in known), None)
        if place is not None and suits(field, kind, values):
            fitting.setdefault(place, name)
        elif place is not None and not values:
            fitting.setdefault(LAST + place, name)
    return Column(fitting[min(fitting)]) if fitting else None


def _unit(field: str, name: str, sample: Sample) -> str:
    """Return the unit of a column of which none was chosen: that in its name, else the one that its values suggest."""
    kind, values = FIELDS[field].kind, sample.get(name, ())
    if kind in (TEXT, COUNT):
        return ""
    stated = split_unit(name, kind)[1] or ("minutes" if plain(name) == "timelimitraw" else "")
    if stated and (kind == MEMORY or 2 * sum(map(is_number, values)) >= len(values)):
        return stated
    return fitting_unit(kind, values)


def check(found: Mapped, columns: Sequence[str], sample: Sample) -> None:
    """Raise InvalidWorkload if the columns do not say when, how wide and how long jobs were, or if one of them holds
    nothing that can be read as what it was chosen for."""
    for name, column in found.items():
        kind, values = FIELDS[name].kind, sample.get(column.name, ())
        if kind in RULES and values and not any(suits(name, kind, [value]) for value in values):
            raise InvalidWorkload(
                f"its column {column.name[:60]!r} was to be the {FIELDS[name].words}, but the first lines hold no "
                f"{RULES[kind]} there; the first value is {values[0][:40]!r}."
            )
    for what, fields, has in (
        ("the submission", "submit", "submit" in found),
        ("the processors", "size", "size" in found),
        ("the runtime", "runtime", "runtime" in found or ("end" in found and ({"start", "wait"} & set(found)))),
    ):
        if not has:
            kind, named = FIELDS[fields].kind, FIELDS[fields].columns
            for name, values in sample.items():
                if values and plain(name) in named and not suits(fields, kind, values):
                    rule = {"submit": "date or number", "size": "number"}.get(fields, "time")
                    raise InvalidWorkload(
                        f"its column {name[:60]!r} would be {what}, but most values are no {rule}; "
                        f"the first is {values[0][:40]!r}."
                    )
            value = next((name for name in columns if suits("submit", INSTANT, [name])), "")
            if value and not found:
                raise InvalidWorkload(
                    f"its first line holds values such as {value[:40]!r} instead of the names of its columns; add a "
                    "line with the names (sacct prints it without -n)."
                )
            also = " (or a start and an end)" if fields == "runtime" else ""
            raise InvalidWorkload(f"it has no column for {what}{also} among {listed(columns)}; add #{fields}=NAME.")


def listed(columns: Sequence[str]) -> str:
    """Return the names of columns, of many the first ones."""
    names = ", ".join(name[:40] for name in columns[:30])
    return names if len(columns) <= 30 else f"{names} and {len(columns) - 30:,} more"


def sentence(found: Mapped, columns: Sequence[str]) -> str:
    """Return which column was read as what."""
    parts = []
    for field, column in found.items():
        unit = f" ({column.unit})" if column.unit else ""
        parts.append(f"{FIELDS[field].words} from {column.name[:60]}{unit}")
    rest = [name for name in columns if name not in {column.name for column in found.values()}]
    return f"Read: {', '.join(parts)}." + (f" Not read: {listed(rest)}." if rest else "")
