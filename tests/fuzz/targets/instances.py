"""JSON workloads of every kind."""

from __future__ import annotations

from io import BytesIO

from shadowtime.engine.errors import QuestionError, UnsupportedWorkload
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.reading import cases, read
from shadowtime.engine.workload.writers import write_json
from tests.fuzz.examples import instances
from tests.fuzz.target import Target, judge
from tests.fuzz.targets.traces import shown

WORDS = (
    "kind",
    "schema",
    "cases",
    "jobs",
    "processors",
    "runtime",
    "usage",
    "phi",
    "p",
    "clock",
    "id",
    "submit",
    "null",
)


def instance(content: bytes) -> Workload:
    """Every case, read, shown, and written again."""
    names = cases(BytesIO(content), "file.json")
    taken = None
    for name in (*names[:3], None):
        try:
            workload = shown(read(BytesIO(content), "file.json", name))
        except QuestionError as refusal:
            if name is None and taken is None:
                raise
            judge(str(refusal))
            continue
        taken = written(workload)
    return taken


def written(workload: Workload) -> Workload:
    """Reading what is written gives the jobs again."""
    text = BytesIO()
    try:
        write_json(workload, text)
    except UnsupportedWorkload:
        return workload
    text.seek(0)
    again = read(text, "again.json")
    for name, column in workload.jobs.items():
        assert ((again.jobs[name] == column) | (column != column)).all(), f"{name} is another one"
    return workload


TARGETS = (Target("instances", "JSON workloads of every kind", instance, instances, words=WORDS, is_json=True),)
