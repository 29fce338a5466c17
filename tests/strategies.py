"""Hypothesis strategies that several rooms share: small workloads, logs as text, and what can go wrong with both."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from hypothesis import strategies as st

from shadowtime.engine.workload.job import Workload, job_table

NASTY = ("nan", "NaN", "inf", "-inf", "1e308", "1e999", "-5", "-1", "-0", "0", "1e", "0x10", "1_0", "--", ";", "{",
         "+7", "7.", ".5", "0.5", "1e3", "99999999999999999999", "2147483648",
         "\u0663", "\x0b", "\x1c", "\r")  # fmt: skip
"""Words that a number field should not hold, or may hold only in this spelling."""
ODD = ("null", "true", "-1", "0", "0.5", "1e308", "1" + 400 * "0", "2147483648", "[]", "{}")
"""JSON texts that a field should not hold."""


def spoil(data: st.DataObject, document: Any, *words: str) -> None:
    """Replace one to three parts of a JSON document by one of ODD or of `words`."""
    for _ in range(data.draw(st.integers(1, 3))):
        node = document
        while keys := list(node) if isinstance(node, dict) else list(range(len(node))):
            key = data.draw(st.sampled_from(keys))
            if not isinstance(node[key], dict | list) or data.draw(st.integers(0, 4)) == 0:
                node[key] = json.loads(data.draw(st.sampled_from(ODD + words)))
                break
            node = node[key]


@st.composite
def rigid_workloads(draw, max_jobs: int = 12, max_processors: int = 8, max_time: int = 40, estimates: bool = True):
    """Small rigid workloads of whole seconds on a machine that fits every job; ties in time are common.

    With `estimates`, requested times are missing, exact, above or below the runtime.
    """
    processors = draw(st.integers(1, max_processors))
    n = draw(st.integers(1, max_jobs))

    def column(low: int, high: int) -> np.ndarray:
        return np.array(draw(st.lists(st.integers(low, high), min_size=n, max_size=n)), dtype="f8")

    runtime = column(1, max_time)
    requested = np.full(n, np.nan)
    if estimates:
        wish = column(0, 2 * max_time)
        requested = np.where(wish > 0, wish, np.nan)
    jobs = job_table(np.sort(column(0, max_time)), runtime, column(1, processors), requested=requested)
    return Workload(
        kind="rigid",
        name="drawn",
        jobs=jobs,
        machine={"processors": processors},
        has_estimates=bool(np.isfinite(requested).any()),
        source={"digest": "0" * 64, "case": None},
    )


@st.composite
def swf_logs(draw) -> bytes:
    """A short log that any reader takes: comments, blank lines, unknown fields, ties and disorder."""
    lines = []
    for number in range(draw(st.integers(1, 12))):
        kind = draw(st.sampled_from(("job", "job", "job", "job", "comment", "blank")))
        if kind == "comment":
            lines.append(draw(st.sampled_from(("; MaxProcs: 16", ";", "; Note: 1 2 3", " ; MaxNodes: 4"))))
        elif kind == "blank":
            lines.append(draw(st.sampled_from(("", " ", "\t"))))
        else:
            fields = ["-1"] * 18
            fields[0] = str(draw(st.integers(1, number + 1)) if draw(st.booleans()) else number + 1)
            fields[10] = str(draw(st.integers(-1, 5)))
            fields[1] = str(draw(st.integers(0, 50)))
            fields[3] = draw(st.sampled_from(("10", "0", "-1", "2.50", "7")))
            fields[4] = draw(st.sampled_from(("4", "-1", "1")))
            fields[7] = draw(st.sampled_from(("8", "-1", "2.00", "0")))
            fields[8] = draw(st.sampled_from(("60", "-1", "0", "33.5")))
            fields[11] = str(draw(st.integers(-1, 3)))
            lines.append(draw(st.sampled_from((" ", "  ", "\t"))).join(fields))
    return draw(st.sampled_from(("\n", "\r\n"))).join(lines).encode() + draw(st.sampled_from((b"", b"\n")))


@st.composite
def mutated(draw, original: bytes) -> bytes:
    """`original` after up to three accidents: flipped bytes, lost or doubled pieces, nasty words, an early end."""
    text = bytearray(original)
    for _ in range(draw(st.integers(1, 3))):
        if not text:
            break
        at = draw(st.integers(0, len(text) - 1))
        to = min(len(text), at + draw(st.integers(1, 30)))
        accident = draw(st.sampled_from(("flip", "lose", "double", "word", "replace", "end")))
        if accident == "flip":
            text[at] ^= draw(st.integers(1, 255))
        elif accident == "lose":
            del text[at:to]
        elif accident == "double":
            text[at:at] = text[at:to]
        elif accident == "word":
            text[at:at] = f" {draw(st.sampled_from(NASTY))} ".encode()
        elif accident == "replace":
            words = bytes(text).split(b" ")
            words[draw(st.integers(0, len(words) - 1))] = draw(st.sampled_from(NASTY)).encode()
            text = bytearray(b" ".join(words))
        else:
            del text[at:]
    return bytes(text)


@st.composite
def monotonic_times(draw, most_jobs: int = 8, most_processors: int = 6) -> np.ndarray:
    """Times of moldable jobs, n x m: never growing with the processors, their work never falling; ties are common."""
    m, n = draw(st.integers(1, most_processors)), draw(st.integers(1, most_jobs))
    rows = []
    for _ in range(n):
        time = float(draw(st.integers(1, 12)))
        row = [time]
        for k in range(2, m + 1):
            time *= 1.0 - draw(st.sampled_from((0.0, 0.25, 0.5, 0.9, 1.0))) / k
            row.append(time)
        rows.append(row)
    return np.array(rows)


@st.composite
def times_with_minimum(draw, most_jobs: int = 12, most_processors: int = 8):
    """Times of `monotonic_times`, infinite below a minimum of each job; some jobs are rigid, some have no minimum."""
    p = draw(monotonic_times(most_jobs=most_jobs, most_processors=most_processors))
    for row in p:
        row[: draw(st.integers(1, len(row))) - 1] = np.inf
    return p
