"""The Google trace of 2011: original events, a table of tasks, and the filters of the conversion."""

from __future__ import annotations

import gzip
import os
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine.errors import InvalidParameter, InvalidWorkload
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.reading import read
from tests.strategies import mutated

EVENTS = b"""0,2,7,0,41,0,u,3,9,0.125,0.25,0.0004,0
10000000,,7,0,41,1,u,3,9,0.125,0.25,0.0004,0
70000000,,7,0,41,4,u,3,9,0.125,0.25,0.0004,0
5000000,2,7,1,33,0,u,3,9,0.125,0.5,0.0004,0
6000000,2,7,1,33,1,u,3,9,0.125,0.5,0.0004,0
20000000,,7,1,33,2,u,3,9,0.125,0.5,0.0004,0
20000000,2,7,1,33,0,u,3,9,0.125,0.5,0.0004,0
96000000,,7,1,33,4,u,3,9,0.125,0.5,0.0004,0
2000000,,8,0,,0,u,0,0,0.125,0.1,,
3000000,,8,0,33,1,u,0,0,0.125,0.1,,
4000000,,8,0,33,5,u,0,0,0.125,0.1,,
2000000,,9,0,,0,u,0,9,0.125,0.1,,
"""
TABLE = b"""job,task,submit_s,wait_s,run_s,end,class,priority,cpu_request,mem_request,disk_request,submissions
1,0,0,0,,,3,9,0.125,0.07446,0.0004244,1
2,0,3,0,100,finish,3,9,0.125,0.07,0.0004244,1
2,1,3,0,50,finish,3,9,0.125,0.07,0.0004244,1
3,0,4,0,60,kill,3,0,0.125,0.02,0.0004244,2
"""


def refusal(text: bytes) -> str:
    with pytest.raises(InvalidWorkload) as caught:
        read(BytesIO(text), "tasks.csv")
    return str(caught.value).removeprefix("tasks.csv was not read: ")


def test_events_become_tasks():
    made = read(BytesIO(gzip.compress(EVENTS)), "part-00000-of-00500.csv.gz")

    assert made.kind == "multitask" and made.jobs["job_id"].tolist() == [7, 8]
    assert made.parts["time"].tolist() == [60, 90, 1] and made.parts["size"].tolist() == [0.25, 0.5, 0.1]
    assert made.parts["machine"].tolist() == [1, 0, 0] and made.machine == {"nodes": 2}
    assert made.jobs["finished"].tolist() == [1, 0] and made.jobs["interruptions"].tolist() == [1, 0]
    assert made.jobs["release"].tolist() == [0, 2] and made.jobs["priority"].tolist() == [9, 0]
    assert "1 task without a start, an end or a memory request was left out." in made.report


def test_a_table_becomes_tasks_with_drawn_machines():
    made = read(BytesIO(TABLE), "tasks.csv")

    assert made.jobs["job_id"].tolist() == [2, 3] and made.parts["task"].tolist() == [1, 2, 3]
    assert made.machine == {"nodes": 12_477} and made.jobs["interruptions"].tolist() == [0, 1]


def test_the_conversion_filters_and_maps_the_machines_to_fewer():
    made = read(BytesIO(EVENTS), "events.csv")

    assert convert(made, "multitask", {"finished": "finished"}).jobs["job_id"].tolist() == [7]
    both = convert(made, "multitask", {"finished": "all", "production": "no", "machines": 1, "weights": "priority"})
    assert both.jobs["weight"].tolist() == [10, 1] and both.jobs["release"].tolist() == [0, 0]
    few = convert(made, "multitask", {"finished": "all", "production": "no", "machines": 50, "local": 2})
    assert few.parts["machine"].reshape(3, 2).max() < 50 and (few.parts["time"].reshape(3, 2)[0] == 60).all()
    with pytest.raises(InvalidParameter, match="none of the 2 jobs"):
        convert(made, "multitask", {"finished": "uninterrupted"})


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (EVENTS + b"1,2,3,4,5,6,7,8\n", "line 13 has 8 columns; task_events have 13."),
        (EVENTS.replace(b",7,0,41,1,", b",7,0,41,x,"), "line 2: event type is 'x'; it must be a number from 0 to 8."),
        (TABLE.replace(b"run_s", b"ran"), "its header has no column 'run_s'; a table of tasks has job, task"),
        (TABLE.replace(b"100,fin", b"1e,fin"), "line 3: run_s is '1e'; it must be a number from 0 to"),
        (TABLE + b"1,2\n", "line 6 has 2 columns; its header has 12."),
        (TABLE.split(b"1,0")[0], "it holds no task."),
    ],
)
def test_what_is_wrong_is_named(text, sentence):
    assert refusal(text).startswith(sentence)


@given(st.data())
def test_a_spoilt_file_is_read_or_refused(data):
    try:
        read(BytesIO(data.draw(mutated(data.draw(st.sampled_from([EVENTS, TABLE]))))), "spoilt.csv")
    except InvalidWorkload as refused:
        assert "\n" not in str(refused)


@pytest.mark.skipif("SHADOWTIME_TRACES" not in os.environ, reason="SHADOWTIME_TRACES names no folder of traces")
def test_the_derived_tasks_of_the_first_part():
    path = Path(os.environ["SHADOWTIME_TRACES"]) / "google2011-tasks-part0.csv.gz"
    with path.open("rb") as stream:
        made = read(stream, path.name)

    assert len(made) == 1108 and len(made.parts["size"]) == 52_146
    assert len(convert(made, "multitask", {"production": False})) == 634
