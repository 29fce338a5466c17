"""Outages of nodes: what `sacctmgr -P show event` and `scontrol show reservation` print.

An event whose state has DRAIN, and neither DOWN nor FAIL, drains its nodes; one with DOWN, FAIL or a node that does not
answer takes them down. One without an end lasts to the end. Only reservations with the flag MAINT are outages: others
hold nodes for some users, and are named as ignored. Times are read as they are written, as those of `sacct -P` are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, datetime

from shadowtime.engine.workload.slurm.cluster import NONE, Outage
from shadowtime.engine.workload.slurm.site.conf import shown
from shadowtime.engine.workload.slurm.site.nodes import Nodes
from shadowtime.engine.workload.slurm.site.text import Notes, Place, names_at, table_of
from shadowtime.engine.workload.words import count

EVENTS = "sacctmgr -P show event"
DOWN = ("DOWN", "FAIL", "ERROR", "NOT_RESP", "NO_RESPOND", "POWER", "REBOOT")
TIME = "a time such as 2026-11-22T12:42:39"


def read_events(file: str, content: bytes, nodes: Nodes, cluster: str, notes: Notes) -> Iterator[Outage]:
    """Yield the outages among the events of a site."""
    unknown: list[str] = []
    for row in table_of(file, content, ("nodename", "timestart", "timeend", "state"), EVENTS):
        listed, state = row.get("nodename"), row.get("state").upper()
        if not listed or (cluster and row.get("cluster") not in ("", cluster)):
            continue
        names = names_at(row.place, "NodeName", listed)
        known = tuple(sorted({nodes.number[name] for name in names if name in nodes.number}))
        unknown += [name for name in names if name not in nodes.number]
        is_down = any(word in state for word in DOWN)
        if not is_down and "DRAIN" not in state:
            notes.ignore(f"State={state[:40]}", f"node {names[0]}")
        elif known:
            start, end = _instant(row.place, "TimeStart", row.get("timestart")), row.get("timeend")
            until = NONE if end in ("", "Unknown") else _instant(row.place, "TimeEnd", end)
            kind = "down" if is_down else "drain"
            yield Outage(known, start, _after(row.place, start, until), kind, row.get("reason"))
    if unknown:
        different = list(dict.fromkeys(unknown))
        some = f"{count(len(different), 'node')} that slurm.conf does not name"
        notes.assume(f"Events of {some} are left out; the first is {different[0]}.")


def read_reservations(file: str, content: bytes, nodes: Nodes, notes: Notes) -> Iterator[Outage]:
    """Yield the windows of maintenance among the reservations of a site."""
    if content.strip().lower().startswith(b"no reservations"):
        return
    for place, name, options in shown(file, content, "reservationname"):
        if "MAINT" not in options.get("flags", "").upper().split(","):
            notes.ignore("Reservation without MAINT", name)
            continue
        listed = options.get("nodes", "")
        if listed.upper() == "ALL":
            held = tuple(range(len(nodes.names)))
        else:
            held = tuple(nodes.numbers(place, f"the reservation {name}", names_at(place, "Nodes", listed)))
        start = _instant(place, "StartTime", options.get("starttime", ""))
        end = _instant(place, "EndTime", options.get("endtime", ""))
        yield Outage(held, start, _after(place, start, end), "maintenance", name)


def _instant(place: Place, name: str, text: str) -> float:
    """Return an instant [s since 1970]; a time as written counts as UTC."""
    try:
        moment = datetime.fromisoformat(text)
        found = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        raise place.wrong(name, text, TIME) from None
    return found if math.isfinite(found) else 0.0


def _after(place: Place, start: float, end: float) -> float:
    if end < start:
        raise place.refusal("it ends before it begins")
    return end
