"""What three records of a real Slurm 22.05.8 say about its rules (`docs/explanation/slurm_records.md`)."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import pairwise

import numpy as np
import pytest

from tests.data.slurm.records import instant, record
from tests.reference.slurm_nodes import Node, choose

CORES, NODES = 128, 32
WEIGHTS = {"age": "Age", "fairshare": "Fairshare", "jobsize": "JobSize", "partition": "Partition", "qos": "QOS"}
CREATED = ["root", "physics", "biology", "chem", "chemlab", *(f"u{i}" for i in range(1, 13))]
"""Accounts and users in the order of their associations' numbers."""


def numbers(rows, name):
    return np.array([float(row[name]) for row in rows])


def requests(taken, rows):
    return [taken.request(row["jobid"]) for row in rows]


def test_small_jobs_are_favoured_by_free_nodes_and_free_cores():
    rows = record("weights").table("sprio.psv")
    cpus = np.array([request.cpus for request in requests(record("weights"), rows)])

    expected = ((NODES - 1) / NODES + (CORES - cpus) / CORES) / 2
    assert len(rows) > 1300
    np.testing.assert_allclose(numbers(rows, "jobsize_n"), expected, atol=6e-8)


def test_size_relative_to_time_divides_by_minutes_and_favouring_turns_it_around():
    taken = record("relative")
    rows = taken.table("sprio.psv")
    asked = requests(taken, rows)
    turned = next(job["sent"] for job in taken.asked if job.get("control", [""])[0] == "scontrol")

    nodes = np.array([request.nodes or 1 for request in asked])
    cpus, minutes = (np.array([getattr(request, name) for request in asked]) for name in ("cpus", "minutes"))
    size = np.maximum(nodes * CORES / NODES, cpus) / minutes / CORES
    expected = np.where(numbers(rows, "time") > turned, 1 - size, size)
    assert len(rows) > 500
    np.testing.assert_allclose(numbers(rows, "jobsize_n"), expected, atol=6e-8)


@pytest.mark.parametrize("name", ["weights", "resources"])
def test_a_priority_is_the_floor_of_its_weighted_factors(name):
    taken = record(name)
    rows = taken.table("sprio.psv")

    total = sum(int(taken.conf[f"PriorityWeight{of}"]) * numbers(rows, f"{column}_n") for column, of in WEIGHTS.items())
    total = total - numbers(rows, "nice")
    near = np.floor(total + np.array([[3e-4], [-3e-4]]))  # seven printed digits times weights of up to 3000
    assert np.all((near == numbers(rows, "priority")).any(axis=0))


def order(sibling):
    """Highest level first, users before accounts, and of those that tie the one created last."""
    name, row = sibling
    return -float(row["LevelFS"]), not row["User"], -CREATED.index(name)


def ranks(tree):
    """Return the fair-share factor of each user: tied accounts are walked one after the other, not merged.

    The first user below an account that ties with what was walked before takes the rank that was given last.
    """
    parents, children = [], {}
    for row in tree:
        depth = len(row["Account"]) - len(row["Account"].lstrip())
        name = row["User"] or row["Account"].strip()
        parents = parents[:depth]
        children.setdefault(parents[-1] if parents else None, []).append((name, row))
        if not row["User"]:
            parents.append(name)
    given = left = total = sum(bool(row["User"]) for row in tree)
    factors = {}

    def walk(parent, tied):
        nonlocal given, left
        before = None
        for name, row in sorted(children.get(parent, []), key=order):
            same = tied or row["LevelFS"] == before
            tied, before = False, row["LevelFS"]
            if row["User"]:
                given = given if same else left
                factors[name] = given / total
                left -= 1
            else:
                walk(name, same)

    walk("root", False)
    return factors


def test_tied_accounts_are_walked_one_after_the_other():
    snapshots = defaultdict(list)
    for row in record("weights").table("sshare.psv"):
        snapshots[row["time"]].append(row)

    tied = 0
    for tree in snapshots.values():
        expected = ranks(tree)
        levels = {row["Account"].strip(): row["LevelFS"] for row in tree if not row["User"]}
        tied += levels["physics"] == levels["biology"] != "inf"
        for row in tree:
            if row["User"]:
                assert float(row["FairShare"]) == pytest.approx(expected[row["User"]], abs=1e-6)
    assert len(snapshots) == 69
    assert tied == 12, "snapshots in which merged children would have other ranks"


def test_classic_fair_share_halves_with_each_share_used():
    rows = [row for row in record("relative").table("sshare.psv") if row["User"]]

    expected = np.exp2(-numbers(rows, "EffectvUsage") / numbers(rows, "NormShares"))
    assert len(rows) > 300
    np.testing.assert_allclose(numbers(rows, "FairShare"), expected, atol=1e-5)


def test_a_tres_factor_is_the_share_of_the_partition():
    taken = record("relative")
    weights = {key: float(value) for key, value in re.findall(r"(\w+)=(\d+)", taken.conf["PriorityWeightTRES"])}
    nodes = {name: len(numbers) for name, numbers in taken.partitions.items()}

    priorities = [event for event in taken.events() if (event.loop, event.event) == ("priority", "job")]
    assert len(priorities) == 190
    for event in priorities:
        asked = taken.request(event.job)
        share = asked.cpus / (4 * nodes[asked.partition])
        memory = asked.cpus * asked.core_memory / (16000 * nodes[asked.partition])
        shown = int(re.search(r"\+\s+(\d+) - 0 =", event.detail)[1])
        assert shown == pytest.approx(weights["cpu"] * share + weights["mem"] * memory, abs=1)


def test_whole_nodes_count_in_the_size_once_backfill_has_tried_the_job():
    taken = record("resources")
    tried, seen = set(), Counter()
    for event in taken.events():
        if (event.loop, event.event) == ("backfill", "try"):
            tried.add(event.job)
        if (event.loop, event.event) != ("priority", "job"):
            continue
        asked = taken.request(event.job)
        size = float(re.search(r"JobSize=(\S+)", event.detail)[1])
        cpus = (2 * size - (asked.nodes or 1) / NODES) * CORES
        if asked.exclusive and event.job in tried:
            assert cpus == pytest.approx(4 * max(asked.nodes or 1, -(-asked.cpus // 4)), abs=1e-3)
        else:
            assert cpus == pytest.approx(asked.cpus, abs=1e-3)
        seen[asked.exclusive, event.job in tried] += 1
    assert seen[True, True] == 9


@pytest.mark.parametrize("name, since", [("weights", "Submit"), ("resources", "Eligible")])
def test_age_begins_at_submission_only_with_accrue_always(name, since):
    taken = record(name)
    passes = [event.time for event in taken.events() if (event.loop, event.event) == ("priority", "pass")]
    dependent = 0
    for row in taken.table("sprio.psv"):
        waiting = any(option.startswith("--dependency") for option in taken.jobs[row["jobid"].split("_")[0]]["options"])
        if not waiting or row["jobid"] not in taken.sacct:
            continue
        dependent += 1
        begin = instant(taken.sacct[row["jobid"]][since]) or 0
        last = max((time for time in passes if time < float(row["time"])), default=0)
        age = max(0, int(last) - begin) / 240
        assert float(row["age_n"]) == pytest.approx(min(1, age), abs=1e-6)
    assert dependent > 40


@pytest.mark.parametrize("name, ends", [("weights", 157), ("resources", 162)])
def test_usage_added_at_the_end_of_a_job(name, ends):
    taken = record(name)
    rows = {row["JobIDRaw"]: row for row in taken.sacct.values()}
    decay = 1 - 0.693 / 300
    computed, seen, events = 0, 0, list(taken.events())
    for event, after in pairwise(events):
        if (event.loop, event.event) == ("priority", "pass"):
            computed = int(event.time)
        if (event.loop, event.event) == ("job", "end"):
            row = rows[re.sub(r".*\((\d+)\)", r"\1", event.job)]
            seconds = int(event.time) - max(computed, int(instant(row["Start"])))
            usage = float(after.detail.split()[0])
            assert usage == pytest.approx(int(row["AllocCPUS"]) * seconds * decay**seconds, abs=1e-3)
            seen += 1
    assert seen == ends


def machine(name):
    """Return the empty nodes of a record; where memory is no resource, there is enough of it."""
    if name in ("weights", "relative"):
        return {number: Node(4, 1e9 if name == "weights" else 16000) for number in range(1, 33)}
    return {n: Node(4, 24000 if n > 24 else 8000, 2 if 17 <= n <= 24 else 0) for n in range(1, 33)}


@pytest.mark.parametrize(
    "name, starts, blocked, late, held_back",
    [("weights", 75, 278, 0, 0), ("relative", 25, 128, 0, 0), ("resources", 85, 188, 3, 122), ("choices", 30, 0, 0, 0)],
)
def test_the_main_loop_takes_these_nodes(name, starts, blocked, late, held_back):
    """Cores of each node, for each start of the main loop; and what it leaves waiting did not fit.

    A node cannot be used in the few milliseconds after the end of a job. A job that a limit holds closes no partition,
    even if it does not fit.
    """
    taken, nodes, ended = record(name), machine(name), {}
    raw = {job: row["JobIDRaw"] for job, row in taken.sacct.items()}
    seen = Counter()

    def held(job):
        return {int(node[1:]): len(cores) for node, cores in taken.cores[raw[job.split("(")[0]]].items()}

    def change(job, sign):
        asked = taken.request(job)
        for number, cores in held(job).items():
            nodes[number].cores += sign * cores
            nodes[number].gpus += sign * asked.gpus
            nodes[number].memory += sign * (asked.memory or asked.core_memory * cores)

    closed = set()
    for event in taken.events():
        if (event.loop, event.event) == ("main", "pass"):
            closed = set()
        elif event.loop == "main" and (event.event in ("start", "note") or "Reason=Resources" in event.detail):
            asked = taken.request(event.job)
            partition = taken.partitions[asked.partition]
            chosen = choose(asked, {number: nodes[number] for number in partition if number not in closed})
            if event.event == "note":
                seen["held"] += chosen is None
            elif event.event == "stays":
                closed |= set(partition)
                seen["blocked" if chosen is None else "late"] += 1
                assert chosen is None or any(event.time - ended[number] < 0.006 for number in chosen)
            elif "-w" not in "".join(taken.jobs[re.split(r"[_(]", event.job)[0]]["options"]):
                seen["starts"] += 1
                cores = {number: 4 for number in chosen} if asked.exclusive else chosen
                assert cores == held(event.job)
        if event.event == "start":
            change(event.job, -1)
        if (event.loop, event.event) == ("job", "end"):
            change(event.job, 1)
            ended |= dict.fromkeys(held(event.job), event.time)
    assert (seen["starts"], seen["blocked"], seen["late"], seen["held"]) == (starts, blocked, late, held_back)
