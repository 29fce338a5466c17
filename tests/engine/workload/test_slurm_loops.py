"""What the loops of a real Slurm 22.05.8 did, pass by pass (`docs/explanation/slurm_records.md`)."""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from tests.data.slurm.records import instant, record

LOADED = ("weights", "resources", "relative")


@pytest.mark.parametrize("name", LOADED)
def test_a_backfill_pass_begins_one_interval_after_the_end_of_the_last(name):
    taken = record(name)
    interval = float(taken.scheduler["bf_interval"])
    passes = taken.passes("backfill")

    gaps = [after[0].time - before[-1].time for before, after in pairwise(passes) if before[-1].event == "end"]
    assert len(gaps) > 40
    assert min(gaps) > interval - 0.002
    assert max(gaps) < interval + 0.02


@pytest.mark.parametrize("name", LOADED)
def test_full_passes_keep_their_interval_and_short_ones_the_delay(name):
    taken = record(name)
    passes = [found[0] for found in taken.passes("main")]

    full = [event.time for event in passes if event.detail == "full queue"]
    seconds = Counter(np.rint(np.diff(full)).astype(int).tolist())
    interval = int(taken.scheduler["sched_interval"])
    assert set(seconds) <= {interval, interval - 1}
    assert seconds[interval] > 0.9 * seconds.total()
    short = [after.time - before.time for before, after in pairwise(passes) if after.detail == "default depth"]
    assert Counter(gap < 2.99 for gap in short)[True] <= 1
    assert Counter(round(gap) for gap in short).most_common(1)[0][0] == 3


def test_a_short_pass_looks_at_one_job_more_than_the_depth():
    taken = record("weights")
    depth = int(taken.scheduler["default_queue_depth"])
    seen = [
        len({event.job for event in found if event.job})
        for found in taken.passes("main")
        if found[0].detail == "default depth" and found[-1].event == "end"
    ]
    assert set(seen) == {depth + 1}
    assert len(seen) > 60


@pytest.mark.parametrize("name, pairs", [("weights", 2379), ("resources", 1885), ("relative", 1992)])
def test_both_loops_take_jobs_by_tier_then_priority_then_number(name, pairs):
    taken, priority, last, seen = record(name), {}, {}, Counter()
    in_array = ("30", "33", "34", "59", "60") if name == "resources" else ()  # a task keeps the place of its array
    for event in taken.events():
        if (event.loop, event.event) == ("priority", "job"):
            priority[event.job] = math.floor(float(event.detail.rsplit("= ", 1)[1]))
        elif event.event == "pass":
            last[event.loop] = None
        elif event.loop in last and event.job in priority and event.job not in in_array:
            if "JobHeldUser" in event.detail:
                continue
            tier = 5 if taken.request(event.job).partition == "first" else 1
            place = (-tier, -priority[event.job], int(event.job))
            if last[event.loop] not in (None, place):
                assert last[event.loop] < place
                seen[event.loop] += 1
            last[event.loop] = place
    assert seen["main"] == pairs
    assert seen["backfill"] > 800


def test_a_pass_tries_no_more_jobs_than_its_limits():
    assert max(sum(event.event == "test" for event in found) for found in record("weights").passes("backfill")) == 40
    taken = record("resources")
    for found in taken.passes("backfill"):
        tried = Counter()
        for event in found:
            if event.job:
                user = taken.jobs[re.split(r"[_(]", event.job)[0]]["user"]
                tried[user] += (event.event == "test") - (event.event == "skip")
                assert event.event != "skip" or tried[user] == int(taken.scheduler["bf_max_job_user"])
        assert all(number <= 2 for number in tried.values())


def test_no_reservation_beyond_the_window():
    taken = record("resources")
    seconds = 60 * int(taken.scheduler["bf_window"])
    ahead = {True: [], False: []}
    for found in taken.passes("backfill"):
        for event, after in pairwise(found):
            if event.event == "plan":
                start = instant(event.detail.split(",")[0])
                ahead[after.event == "beyond"].append(start - math.floor(found[0].time))
    assert len(ahead[True]) == 103
    assert max(ahead[False]) == seconds < min(ahead[True])


def test_the_main_loop_goes_on_with_partitions_on_other_nodes():
    taken = record("resources")
    past = Counter()
    for found in taken.passes("main"):
        blocked = set()
        for event in found:
            partition = taken.request(event.job).partition if event.job else ""
            if event.event == "stays" and "Reason=Resources" in event.detail:
                blocked.add(partition)
            if event.event == "start":
                past.update((name, partition) for name in blocked)
    assert past == {("left", "right"): 15, ("right", "left"): 8, ("left", "whole"): 1, ("right", "whole"): 1}


def test_the_main_loop_passes_over_a_job_that_a_limit_holds():
    taken = record("resources")
    delayed = past = 0
    for found in taken.passes("main"):
        held = set()
        for event in found:
            partition = taken.request(event.job).partition if event.job else ""
            if event.event == "note":
                assert event.detail == "delayed for accounting policy"
                held.add(partition)
                delayed += 1
            past += event.event == "start" and partition in held
    assert (delayed, past) == (298, 24)


@pytest.mark.parametrize("name, most", [("weights", 0.11), ("resources", 0.53), ("relative", 0.2)])
def test_jobs_end_when_they_asked(name, most):
    taken = record(name)
    starts = {event.job: event.time for event in taken.events() if event.event == "start"}
    ends = {event.job: event.time for event in taken.events() if (event.loop, event.event) == ("job", "end")}
    late = [ends[job] - starts[job] - taken.jobs[job]["run"] for job in starts if job in taken.jobs]

    assert min(late) > 0.02 and max(late) < most
    assert 0.04 < np.median(late) < 0.08
    seconds = [int(row["ElapsedRaw"]) - taken.jobs[job]["run"] for job, row in taken.sacct.items() if job in taken.jobs]
    assert set(seconds) <= {0, 1}
