"""Events of Google's traces of 2019, by the fields and numbers of clusterdata_trace_format_v3.proto.

No excerpt of these tables is public outside BigQuery: the lines here are written by that description.
"""

from __future__ import annotations

import json

import numpy as np
import pytest

from shadowtime.engine.workload.sites.google2019 import EVENTS
from tests.engine.workload.logs import check_refusal, read_text

HEADER = "time,type,collection_id,priority,instance_index,collection_type,machine_id,resource_request.cpus"
JOB, OTHER = 375_000_000_000, 375_000_000_001
EVICTED = [
    (10, 0, JOB, 0, 0, 0.0125), (12, 2, JOB, 0, 0, 0.0125), (15, 3, JOB, 0, 0, 0.0125), (20, 4, JOB, 0, 0, 0.02),
    (25, 0, JOB, 0, 0, 0.02), (30, 3, JOB, 0, 0, 0.02), (40, 6, JOB, 0, 0, 0.02),
]  # fmt: skip
"""Time [s], type, collection, instance, kind of collection, CPU request: a task that was evicted once."""
PLAIN = [(11, 0, JOB, 1, 0, 0.5), (16, 3, JOB, 1, 0, 0.5), (18, 7, JOB, 1, 0, 0.5)]
ALLOC = [(11, 0, OTHER, 0, 1, 0.5), (16, 3, OTHER, 0, 1, 0.5), (18, 7, OTHER, 0, 1, 0.5)]
WAITING = [(21, 0, OTHER, 1, 0, 0.25)]
BEFORE = [(0, 0, OTHER, 2, 0, 0.25), (0, 3, OTHER, 2, 0, 0.25), (2**63 / 1e6, 6, OTHER, 2, 0, 0.25)]
ALL = [*EVICTED, *PLAIN, *ALLOC, *WAITING, *BEFORE]


def as_csv(events, header=HEADER, words=False):
    lines = []
    for time, kind, collection, instance, held, cpus in events:
        word, of = (EVENTS[kind], ("JOB", "ALLOC_SET")[held]) if words else (kind, held)
        lines.append(f"{time * 1_000_000:.0f},{word},{collection},200,{instance},{of},7,{cpus}")
    return "\n".join([header, *lines]).encode()


def as_json(events):
    """Numbers of 64 bits are texts, as BigQuery writes them."""
    return b"\n".join(
        json.dumps(
            {
                "time": f"{time * 1_000_000:.0f}", "type": str(kind), "collection_id": str(collection),
                "instance_index": str(instance), "collection_type": str(held), "resource_request": {"cpus": cpus},
            }
        ).encode()
        for time, kind, collection, instance, held, cpus in events
    )  # fmt: skip


def texts():
    shuffled = [ALL[row] for row in np.random.default_rng(1).permutation(len(ALL))]
    yield as_csv(ALL)
    yield as_csv(shuffled)
    yield as_csv(ALL, words=True)
    yield as_json(ALL)


@pytest.mark.parametrize("content", list(texts()))
def test_tasks(content):
    workload = read_text(content)
    jobs = workload.jobs

    assert jobs["release"].tolist() == [0.0, 1.0]
    assert jobs["runtime"].tolist() == [15.0, 2.0]  # 5 s until the eviction, and 10 s
    assert jobs["processors"].tolist() == [2, 50]
    assert jobs["recorded_start"].tolist() == [5.0, 6.0]
    assert jobs["recorded_end"].tolist() == [30.0, 8.0]
    assert [workload.texts["outcome"][code] for code in jobs["outcome"]] == ["FINISH", "KILL"]
    assert workload.report == (
        "3 jobs of Google 2019 (tasks), 2 kept.",
        "3 events of alloc sets were left out.",
        "3 events before or after the trace, or without a key were left out.",
        "A processor is a hundredth of the largest machine.",
        "1 job that never started was left out.",
        "No job has a time limit: the runtime stands in for it.",
        "Outcomes: 1 FINISH, 1 KILL.",
        "1 job stood still between start and end: that is no runtime.",
        "At most 52 processors were in use at one time.",
    )


@pytest.mark.parametrize("name", ["resource_request_cpus", "cpus"])
def test_names_of_the_request(name):
    content = as_csv(PLAIN, HEADER.replace("resource_request.cpus", name))
    assert read_text(content).jobs["processors"].tolist() == [50]


def test_a_request_as_an_object_in_text():
    lines = as_csv(PLAIN, HEADER.replace(".cpus", "")).replace(b",0.5", b",\"{'cpus': 0.5, 'memory': 0.1}\"")
    assert read_text(lines).jobs["processors"].tolist() == [50]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"time,type,collection_id,priority\n1,0,3,200\n", "collection_events have no sizes; use instance_events"),
        (HEADER.encode(), "it holds no event"),
        (as_csv(BEFORE), "it holds no event of a task at a known time"),
        (as_csv(WAITING), "it has 1 job, none that ran and ended"),
        (as_json(PLAIN) + b'\n{"time": 3,,}', "line 4 is not JSON"),
    ],
)
def test_refusals(content, what):
    check_refusal(what, content)
