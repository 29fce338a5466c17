"""Each backfill pass of three records again, from what ran when it began (`docs/explanation/slurm_records.md`)."""

from __future__ import annotations

import re
from collections import Counter
from copy import copy

import pytest

from tests.data.slurm.records import instant, record
from tests.reference.slurm_backfill import Pass, Running, node_numbers, take
from tests.reference.slurm_nodes import Node


class Replay:
    """The state of the machine, kept by the record's own starts and ends, and what each pass would have done."""

    def __init__(self, name, reserve_held):
        self.record = record(name)
        self.reserve_held = reserve_held
        self.rows = {row["JobID"]: row for row in self.record.sacct.values()}
        memory = {
            "weights": lambda n: 1e9,
            "relative": lambda n: 16000,
            "resources": lambda n: 24000 if n > 24 else 8000,
        }
        self.nodes = {n: Node(4, memory[name](n), 2 if 17 <= n <= 24 else 0) for n in range(1, 33)}
        self.running = {}
        self.same = Counter()
        self.now = None

    def held(self, job):
        cores = self.record.cores[self.rows[job.split("(")[0]]["JobIDRaw"]]
        return {int(node[1:]): len(numbers) for node, numbers in cores.items()}

    def change(self, event):
        job, asked = event.job.split("(")[0], self.record.request(event.job)
        if event.event == "end":
            del self.running[job]
        else:
            end = int(instant(self.rows[job]["Start"])) + 60 * asked.minutes
            self.running[job] = Running(asked, self.held(job), end)
        take(self.nodes, asked, self.held(job), 1 if event.event == "end" else -1)

    def begin(self, event):
        taken = self.record.scheduler
        window, resolution = 60 * int(taken.get("bf_window", 1440)), int(taken.get("bf_resolution", 60))
        nodes = {number: copy(node) for number, node in self.nodes.items()}
        self.now = Pass(int(event.time), nodes, list(self.running.values()), window, resolution)

    def judge(self, job, outcome):
        """Compare a job's turn with what the same state gives, and go on from what was recorded."""
        kinds = {event.event: event for event in outcome}
        if "skip" in kinds:
            return
        asked = self.record.request(job)
        plan = self.now.plan(asked, frozenset(self.record.partitions[asked.partition]))
        at_once = plan is not None and plan.start == self.now.now
        if "start" in kinds:
            cores = self.held(kinds["start"].job)
            self.same["start", at_once and plan.nodes == frozenset(cores)] += 1
            self.now.start(asked, cores)
        elif "plan" in kinds:
            start, nodes = re.match(r"(\S+), end .* nodes (\S+) in", kinds["plan"].detail).groups()
            found = (int(instant(start)), node_numbers(nodes))
            self.same["plan", plan is not None and (plan.start, plan.nodes) == found] += 1
            if "beyond" not in kinds:
                self.now.reserve(found[0], 60 * asked.minutes, found[1])
        elif "refused" in kinds or "held" in kinds:
            self.same["refused" if "refused" in kinds else "held", at_once == ("refused" in kinds)] += 1
            if self.reserve_held and plan is not None and "held" in kinds:
                self.now.reserve(plan.start, 60 * asked.minutes, plan.nodes)

    def run(self):
        job, outcome = None, []
        for event in self.record.events():
            ends_turn = event.loop == "backfill" and event.event in ("test", "end", "pass")
            if ends_turn and job is not None:
                self.judge(job, outcome)
                job, outcome = None, []
            if (event.loop, event.event) == ("backfill", "pass"):
                self.begin(event)
            elif (event.loop, event.event) == ("backfill", "test"):
                job = event.job
            elif event.loop == "backfill":
                outcome.append(event)
            if event.event == "start" or (event.loop, event.event) == ("job", "end"):
                self.change(event)
        return self.same


@pytest.mark.parametrize(
    "name, starts, same, other", [("weights", 82, 1506, 42), ("relative", 75, 993, 36), ("resources", 77, 265, 40)]
)
def test_backfill_starts_these_jobs_on_these_nodes(name, starts, same, other):
    seen = Replay(name, reserve_held=False).run()

    assert (seen["start", True], seen["start", False]) == (starts, 0)
    assert (seen["plan", True], seen["plan", False]) == (same, other), "plans: both start and nodes"


def test_backfill_reserves_nothing_for_a_job_that_a_limit_holds():
    seen = Replay("resources", reserve_held=False).run()
    assert (seen["refused", True], seen["refused", False]) == (62, 0)
    assert (seen["held", True], seen["held", False]) == (40, 0)

    reserved = Replay("resources", reserve_held=True).run()
    assert (reserved["start", True], reserved["refused", True], reserved["plan", True]) == (73, 54, 209)
