"""What the viewer knows and draws of runs of the engine: its modules in node, on the answers of a server."""

from __future__ import annotations

import io
import json
import re

import numpy as np
import pytest

from shadowtime.dashboard.components import run_panels
from shadowtime.dashboard.look import words
from shadowtime.engine import tables
from shadowtime.engine.workload.samples import find_sample
from tests.assets.test_contracts import ASSETS, HERE, said_in_node
from tests.browser.viewing import TWO_TIERS, Gallery, gallery, log, made_tables
from tests.conftest import three_with_tau

IMPORT = re.compile(r"^ *import .*$", re.MULTILINE)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """A store with runs, and a server of its API."""
    with gallery(tmp_path_factory.mktemp("runs")) as served:
        yield served


def said(runs: Gallery, run: str, script: str):
    """What a script calls `said` of an opened run, with its `run` and `clock`; `@` is the folder of the modules."""
    imports = "\n".join(IMPORT.findall(script)).replace('"@/', f'"{ASSETS}/')
    return said_in_node(f"""
      import {{ drawn, grey, gutterOf, opened, plain, wholeView }} from "{HERE}/opened.js";
      {imports}
      const {{ run, clock }} = await opened("{runs.address}", "{run}");
      {IMPORT.sub("", script)}
    """)


def lives(runs: Gallery, run: str, job: int) -> list[list[str]]:
    """Titles and reasons of the life of the job in a row."""
    return said(runs, run, f"""
      import {{ lifeOf }} from "@/gantt/model/reasons.js";
      const said = lifeOf(run, {job}, clock).map(({{ title, reason }}) => [title, plain(reason)]);
    """)  # fmt: skip


def lists(runs: Gallery, run: str, at: float) -> dict:
    """Who waits and who runs at an instant, as the strip below the schedule lists them, and how many."""
    return said(runs, run, f"""
      import {{ nowAt, sinceWhen, whereAndUntil }} from "@/gantt/model/now.js";
      const found = nowAt(run, {at}, clock);
      const line = (one, words) => `${{run.jobs.job_id[one.row]}} ${{plain(words)}}`;
      const [running, waiting] = found.counts;
      const said = {{
        counts: [running, waiting],
        waiting: found.waiting.map((one) => line(one, `${{sinceWhen(one, {at})}}, ${{plain(one.reason)}}`)),
        running: found.running.map((one) => line(one, whereAndUntil(one, run, clock))),
      }};
    """)  # fmt: skip


def test_jobs_of_a_site_have_words_groups_and_colours_of_its_machines_and_classes(runs):
    entry, _ = runs.store.workloads.add(io.BytesIO(find_sample("bench3").content()), "bench3.json")
    found = said(runs, runs.compute(entry, "pjs", "2"), """
      import { rulesOf } from "@/gantt/model/colour-rules.js";
      import { withJobsAsRows } from "@/gantt/model/rows.js";
      import { onSite } from "@/gantt/model/site.js";
      const said = {
        groups: run.groups, rules: rulesOf(run), words: drawn(run, clock, wholeView(run)).words,
        jobs: Array.from({ length: run.jobs.n }, (_, row) => onSite(run, row)),
        gutters: [1100, 500].flatMap((width) => [run, withJobsAsRows(run, "start")].map((one) => gutterOf(one, width))),
      };
    """)  # fmt: skip

    # Neighbours of a cluster and class are one group; its head takes room at the left, but not where jobs are rows.
    assert found["groups"] == [
        {"first": 0, "last": 0, "cluster": "", "kind": "new"},
        {"first": 1, "last": 2, "cluster": "pair", "kind": "old"},
    ]
    assert found["gutters"] == [113, 51, 68, 34]
    assert [*found["words"]].count("pair") == 1 and {"fast", "old1", "old2", "new", "old"} <= {*found["words"]}

    # A job is said with its class, its priority and its place, and coloured by priority, not by user.
    assert found["jobs"][0].startswith("matvec, medium priority, on ")
    assert any(sentence.endswith("on cluster pair") for sentence in found["jobs"])
    assert "priority" in found["rules"] and "user" not in found["rules"]


def test_the_life_of_a_rejected_job_says_why(runs):
    found = made_tables(
        [{"job_id": 7, "processors": 2, "start": 0, "end": 9}, {"job_id": 8, "release": 1, "processors": 3}],
        [(0, 0, 1, 0, 0.0, 9.0, tables.RUN)],
        [(0.0, tables.START, 0, 0), (1.0, tables.REJECT, 1, 0), (9.0, tables.END, 0, 0)],
    )
    found["events"]["other"][1], found["jobs"]["state"][1] = tables.BY_POLICY, tables.REJECTED

    assert lives(runs, runs.made(found, log(2, 4), 81), 1)[-1] == ["Rejected", "turned away by the policy"]


@pytest.mark.parametrize(("tau", "stretches", "classes"), [(100.0, [1, 1, 1], [0, 0, 0]), (10.0, [1, 2, 3], [0, 1, 2])])
def test_the_stretch_has_the_floor_that_the_summary_has(runs, tau, stretches, classes):
    entry, _ = runs.store.workloads.add(io.BytesIO(json.dumps(three_with_tau(tau)).encode()), "three.json")
    run = runs.compute(entry, "easy")
    found = said(runs, run, """
      import { Paint } from "@/gantt/draw/paint.js";
      import { stretchOf } from "@/gantt/model/colour-rules.js";
      import { ROW_ORDERS } from "@/gantt/model/rows.js";
      const rows = Array.from({ length: run.jobs.n }, (_, row) => row);
      const said = {
        stretch: rows.map((row) => stretchOf(run.jobs, row, run.tau)),
        classes: Array.from(new Paint(grey(), "stretch", run, clock).classes),
        keys: rows.map((row) => ROW_ORDERS.stretch.key(run.jobs, row, run)),
      };
    """)  # fmt: skip

    assert found == {"stretch": stretches, "classes": classes, "keys": stretches}
    assert runs.store.runs.get(run).summary["metrics"]["max_bounded_stretch"] == max(stretches)


@pytest.mark.parametrize("algorithm", ["easy", "mcb8*/opt=min"])
def test_what_is_known_of_shared_nodes_is_what_was_simulated(runs, algorithm):
    run = runs.compute(runs.generate("fractional", 4, jobs=60, nodes=8, load=1.2), algorithm)
    jobs = runs.store.runs.get(run).table("jobs")
    found = said(runs, run, """
      import { legendOf } from "@/gantt/scene.js";
      import { standing } from "@/gantt/model/stacking.js";
      import { headroom, SoFar, Steps } from "@/gantt/model/steps.js";
      import { yieldsOf } from "@/gantt/model/yields.js";
      const { start, end, n } = run.closed;
      const steps = new Steps(run.series, run.lanes);
      const soFar = new SoFar(run);
      const times = Array.from({ length: 40 }, (_, k) => (start[k * 3 % n] + end[k * 3 % n]) / 2);
      const said = {
        yields: Array.from({ length: run.jobs.n }, (_, row) => yieldsOf(run, row)),
        useful: times.map((t) => [steps.read(t).useful, soFar.read(t).useful]),
        parts: Array.from({ length: n }, (_, i) => standing(run.closed, i)),
        legend: legendOf(run), headroom: headroom(run),
      };
    """)  # fmt: skip

    # What a job got adds up to its runtime.
    assert [one["got"] for one in found["yields"]] == pytest.approx(jobs["runtime"].tolist(), rel=1e-6)
    assert all(0 < step["share"] <= 1 for one in found["yields"] for step in one["steps"])
    if algorithm == "easy":
        assert all(one["stalled"] == 0 and len(one["steps"]) == 1 for one in found["yields"])
    else:
        assert max(one["stalled"] for one in found["yields"]) >= 300

    # Useful CPU of a run that goes on is what its series say later.
    assert [now for _, now in found["useful"]] == pytest.approx([later for later, _ in found["useful"]], abs=1e-6)
    assert max(now for _, now in found["useful"]) > 1

    # Shares stand upon one another, and never above their node.
    pieces, parts = runs.store.runs.get(run).table("segments"), found["parts"]
    assert [sum(height for _, height in one) for one in parts] == pytest.approx(pieces["share"].tolist(), abs=1e-5)
    for at in np.unique(pieces["start"]):
        for node in range(8):
            here = (pieces["start"] <= at) & (at < pieces["end"]) & (pieces["first"] <= node) & (node <= pieces["last"])
            stand = sorted(tuple(part) for row in np.flatnonzero(here) for part in parts[row])
            tops = [base + height for base, height in stand]
            assert all(top <= base + 1e-5 for top, (base, _) in zip(tops, stand[1:], strict=False)), (at, node)
            assert max(tops, default=0) <= 1 + 1e-5

    # The area has room above the capacity, and its legend gives what was idle.
    percent = words.percent(runs.store.runs.get(run).summary["metrics"]["normalized_underutilization"])
    idle = f"idle while jobs waited: as much as {percent} of all work"
    assert found["legend"][1] == ["under", "idle while jobs waited", idle]
    assert found["legend"][-1] == ["capacity", "capacity"]
    assert found["headroom"] > 1


def test_the_life_of_a_job_of_tasks_names_the_one_that_came_last(runs):
    run = runs.compute(runs.generate("multitask", 3, jobs=6, machines=2), "synchpack-3")
    jobs, pieces = (runs.store.runs.get(run).table(name) for name in ("jobs", "segments"))
    row = int(np.argmax([len(set(pieces["task"][pieces["job"] == one])) for one in range(len(jobs["end"]))]))
    _, reason = lives(runs, run, row)[-1]

    assert f"task {int(jobs['last_task'][row])} on machine " in reason and " came last" in reason


def test_where_no_job_may_pass_all_wait_behind_the_first(runs):
    found = lists(runs, runs.simulate(algorithm="fcfs"), 50)

    assert found["counts"] == [1, 3]
    assert found["waiting"][0].startswith("2 for 49 s, first in the queue: asks for 10, 4 processors are free")
    assert found["waiting"][2] == "4 for 47 s, behind job 2, which is first in the queue: no job may pass it"


def test_in_two_tiers_one_job_is_being_moved_and_a_killed_one_waits(runs):
    found = lists(runs, runs.made(TWO_TIERS, log(3, 6), seed=1), 105)

    assert found["counts"] == [1, 1]
    assert found["running"] == ["12 foreground, processors 0–3, being moved; until 110 s"]
    assert found["waiting"][0].startswith("13 ")


def test_rows_are_users_or_jobs_of_both_tiers(runs):
    # Each user has one row.
    rows = 'import { withJobsAsRows } from "@/gantt/model/rows.js";\n'
    found = said(runs, runs.simulate(log(40, 8)), f"""{rows}
      const shown = withJobsAsRows(run, "user");
      const said = [shown.lanes, Array.from({{ length: 7 }}, (_, at) => shown.nameOf(at)), [...shown.closed.first],
        [...shown.closed.job]];
    """)  # fmt: skip
    lanes, names, places, jobs = found
    assert (lanes, names) == (7, [f"user {number}" for number in range(7)])
    assert places == [job % 7 for job in jobs]

    # Both tiers of a job are on its row.
    found = said(runs, runs.made(TWO_TIERS, log(3, 6), seed=1), f"""{rows}
      const shown = withJobsAsRows(run, "start");
      const {{ n, job, start, first, kind }} = shown.closed;
      const mine = Array.from({{ length: n }}, (_, i) => i).filter((i) => run.jobs.job_id[job[i]] === 12);
      mine.sort((a, b) => start[a] - start[b]);
      const said = [shown.tiers, mine.map((i) => first[i]), mine.map((i) => kind[i])];
    """)  # fmt: skip
    tiers, places, kinds = found
    assert (tiers, len(set(places))) == (1, 1)
    assert kinds == [tables.RUN, tables.STALL, tables.RUN]


def test_levels_follow_what_can_be_read(runs):
    far, panes, lanes = said(runs, runs.simulate(log(4000, 100, apart=3, runtime=20)), """
      const view = wholeView(run);
      const said = [{}, { t0: 6000, t1: 6400 }, { n0: 0, n1: 10 }].map((window) => {
        view.set(window);
        return { ...drawn(run, clock, view), nodes: [Math.floor(view.n0), Math.ceil(view.n1) - 1] };
      });
    """)  # fmt: skip

    assert (far["level"], far["labels"]) == ("density", 0)
    assert (panes["level"], panes["nodes"]) == ("panes", [0, 99])
    assert (lanes["level"], lanes["nodes"]) == ("lanes", [0, 9])
    assert lanes["labels"] > 0


def test_lanes_beyond_the_machine_are_shown_as_overcommitted(runs):
    line = "{} {} {} 100 {} -1 -1 {} 900 -1 1 3 4 1 2 1 -1 -1\n"
    jobs = [(0, 0, 3), (10, 5, 3), (20, 200, 2)]
    text = "; MaxProcs: 4\n" + "".join(line.format(n, at, wait, p, p) for n, (at, wait, p) in enumerate(jobs, 1))
    entry, _ = runs.store.workloads.add(io.BytesIO(text.encode()), "over.swf")
    run = runs.compute(entry, "recorded")
    lanes, drawn = said(runs, run, """
      const view = wholeView(run);
      view.set({ n0: 0, n1: view.bounds.lanes - 0.5 });
      const said = [[run.view.lanes, run.view.capacity, view.bounds.lanes], drawn(run, clock, view).words];
    """)  # fmt: skip

    assert lanes == [6, 4, 6]
    assert "overcommitted: 2 processors beyond the machine" in drawn
    assert run_panels.explanation({}, is_running=False, overcommitted=2) == (
        "The log overcommits its machine by up to 2 processors, so no lower bound holds for it."
    )
    segments = runs.store.runs.get(run).table("segments")
    assert np.unique(segments["last"]).tolist() == [1, 2, 5]


def test_the_time_of_a_sequential_job_is_that_on_one_processor(runs):
    run = runs.compute(runs.generate("moldable", 3, jobs=30, processors=16), "sequential")
    found = said(runs, run, """
      import { timesAndWork, timeTaken } from "@/gantt/model/allotments.js";
      const row = run.rowOf(3);
      const spent = run.jobs.end[row] - run.jobs.start[row];
      const given = [run.jobs.processors[row], spent];
      const times = await (await fetch(`/api/runs/${run.id}/allotments?job=3`)).json();
      const said = [timeTaken(...given), timesAndWork(times, ...given), run.view.family.curves];
    """)  # fmt: skip
    taken, work, has_curves = found

    assert has_curves
    assert taken.endswith(" on 1")
    assert "1.00 times the work of one processor" in work
