"""Read and write sites as two tables for spreadsheets, separated by comma, semicolon or tab.

    machine,class,cluster          a1,u2,west
    job_class,resource,mean,sd,count    matvec,a1,79.6,2.1,12

A machine of several clusters has several rows, a machine of none an empty cell. The tables do not contain the times
from which machines are available, outages, and what `description` adds. A name that begins like a formula has a leading
apostrophe, see `engine.output.cells`.
"""

from __future__ import annotations

import csv
import io
from typing import Any

from shadowtime.engine.errors import InvalidPlatform
from shadowtime.engine.families.classed.site.json_objects import document, site_of
from shadowtime.engine.families.classed.site.site import Site
from shadowtime.engine.output.cells import meant, plain

MACHINES = ("machine", "class", "cluster")
EXPERIENCE = ("job_class", "resource", "mean", "sd", "count")
MOST_ROWS = 1_000_000


def sheets(site: Site) -> dict[str, str]:
    """Return the tables `machines` and `experience` of a site, as CSV."""
    written = document(site)
    homes = {name: [c["name"] for c in written["clusters"] if name in c["machines"]] for name in site.machines}
    machines = [
        {"machine": m["name"], "class": m["class"], "cluster": cluster}
        for m in written["machines"]
        for cluster in homes[m["name"]] or [""]
    ]
    return {"machines": _text(MACHINES, machines), "experience": _text(EXPERIENCE, written["experience"])}


def site_of_sheets(machines: str, experience: str) -> Site:
    """Return the site of two tables; job classes are those of the experience, in its order.

    Raises
    ------
    InvalidPlatform, InvalidWorkload
        If a row breaks a rule; the message names both.
    """
    classes: dict[str, str] = {}
    clusters: dict[str, list[str]] = {}
    for i, row in enumerate(_rows(machines, ("machine",), "machines"), 2):
        name, kind = row["machine"], row.get("class") or "machine"
        if classes.setdefault(name, kind) != kind:
            raise InvalidPlatform(f"machines, row {i:,}: {name[:40]} is of class {classes[name][:40]} above")
        cluster = row.get("cluster")
        if cluster:
            if name in clusters.setdefault(cluster, []):
                raise InvalidPlatform(f"machines, row {i:,}: {name[:40]} is in cluster {cluster[:40]} already")
            clusters[cluster].append(name)
    rows: list[dict[str, Any]] = []
    for i, row in enumerate(_rows(experience, ("job_class", "resource", "mean"), "experience"), 2):
        numbers = {key: _number(row[key], key, i) for key in ("mean", "sd", "count") if row.get(key)}
        if "mean" in numbers:  # an empty cell: not allowed
            rows.append({"job_class": row["job_class"], "resource": row["resource"], **numbers})
    return site_of(
        {
            "machines": [{"name": name, "class": kind} for name, kind in classes.items()],
            "clusters": [{"name": name, "machines": members} for name, members in clusters.items()],
            "job_classes": list(dict.fromkeys(row["job_class"] for row in rows)),
            "experience": rows,
        }
    )


def _rows(text: str, needed: tuple[str, ...], what: str) -> list[dict[str, str]]:
    """Return the rows of a table with a header; cells are stripped, empty lines left out, missing cells empty."""
    lines = [line for line in text.removeprefix("\ufeff").splitlines() if line.strip(" \t,;")]
    if not lines:
        raise InvalidPlatform(f"the table of {what} is empty")
    if len(lines) > MOST_ROWS:
        raise InvalidPlatform(f"the table of {what} has {len(lines):,} rows; {MOST_ROWS:,} is the most")
    mark = max("\t;,", key=lines[0].count)
    head = [name.strip().lower() for name in next(csv.reader([lines[0]], delimiter=mark))]
    missing = [name for name in needed if name not in head]
    if missing:
        raise InvalidPlatform(f"the table of {what} has no column {missing[0]}; its first row names the columns")
    cells, empty = csv.reader(lines[1:], delimiter=mark), dict.fromkeys(head, "")
    try:
        return [{**empty, **dict(zip(head, (meant(cell.strip()) for cell in row), strict=False))} for row in cells]
    except csv.Error as error:
        raise InvalidPlatform(f"the table of {what} was not read: {error}") from None


def _number(text: str, key: str, row: int) -> float | int:
    try:
        number = float(text)
        return int(number) if key == "count" and number.is_integer() else number
    except (ValueError, OverflowError):
        raise InvalidPlatform(f"experience, row {row:,}: {key} is {text[:40]!r}, which is no number") from None


def _text(head: tuple[str, ...], rows: list[dict[str, Any]]) -> str:
    stream = io.StringIO()
    writer = csv.DictWriter(stream, head, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: plain(cell) if isinstance(cell, str) else cell for key, cell in row.items()} for row in rows)
    return stream.getvalue()
