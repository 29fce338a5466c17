"""What a workload looks like before anything ran, in the words of the pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shadowtime.dashboard.look import words
from shadowtime.engine.registry import look_up_family
from shadowtime.engine.workload.job import Clock

WEEK = 604_800


def dates(preview: Mapping[str, Any], clock: Mapping[str, Any] | None) -> str:
    """`23 Sep 1996 – 29 Aug 1997`; without dates, how long the submissions go on."""
    facts = preview["facts"]
    if clock is None:
        return f"{words.duration(facts['span'])} of submissions"
    known = Clock(**clock)
    first, last = (
        words.instant(facts[name], known, year=True, to="day").partition(" ")[2]
        for name in ("first_submit", "last_submit")
    )
    return f"{first} – {last}" if first != last else first


def load(preview: Mapping[str, Any]) -> str:
    """`load 0.69 on 100 processors`."""
    facts = preview["facts"]
    if facts["offered_load"] is None or not facts["lanes"]:
        return ""
    return f"load {words.number(float(facts['offered_load']))} on {words.count(facts['lanes'], unit(preview))}"


def unit(preview: Mapping[str, Any]) -> str:
    """What the machine is counted in."""
    return look_up_family(preview["kind"]).machine


def origin(preview: Mapping[str, Any]) -> str:
    """`First job at 599,850 s: times stay as written`."""
    return f"First job at {preview['facts']['first_submit']:,.0f}{words.GAP}s: times stay as written"


def generated(preview: Mapping[str, Any]) -> str:
    """`24 % serial jobs, 4.6 d long`: what a seed makes, in a line."""
    facts = preview["facts"]
    sized = look_up_family(preview["kind"]).is_sized
    first = (
        f"{round(100 * facts['serial_share'])}{words.GAP}% serial jobs" if sized else words.count(facts["jobs"], "job")
    )
    parts = [first, f"{words.duration(facts['span'])} long" if facts["span"] else "all submitted at once"]
    return ", ".join([*parts, *([load(preview)] if facts["offered_load"] is not None else [])])


def weeks(preview: Mapping[str, Any]) -> tuple[int, int]:
    """First and last week in which jobs are submitted, counted from 0 and the workload's own second 0."""
    facts = preview["facts"]
    return int(facts["first_submit"] // WEEK), int(facts["last_submit"] // WEEK)


def sizes(preview: Mapping[str, Any]) -> list[tuple[str, str]]:
    """How large the jobs are, where they are of a size."""
    facts, family = preview["facts"], look_up_family(preview["kind"])
    if not family.size_is_stated:
        return []
    largest = ("Largest job", words.count(facts["largest_job"], family.size))
    return [("Serial jobs", words.percent(facts["serial_share"])), largest] if family.is_sized else [largest]


def facts_of(preview: Mapping[str, Any], clock: Mapping[str, Any] | None) -> list[tuple[str, str]]:
    """Names and values for a page of facts."""
    facts = preview["facts"]
    found = [
        ("Kind", preview["kind"].replace("_", "-")),
        ("Jobs", f"{facts['jobs']:,}"),
        ("Submitted", dates(preview, clock)),
        ("Machine", words.count(facts["lanes"], unit(preview)) if facts["lanes"] else "not stated"),
        ("Offered load", words.number(facts["offered_load"]) if facts["offered_load"] is not None else "unknown"),
        *sizes(preview),
        ("Longest job", words.duration(facts["longest_runtime"])),
        ("Users", f"{facts['users']:,}" if facts["users"] else "unknown"),
        ("Estimates", "in the log" if facts["estimates"] else "none: the runtime is taken"),
    ]
    return [*found, ("Too large", words.count(facts["rejected"], "job"))] if facts["rejected"] else found
