"""What people call runs, workloads and machines."""

import pytest

from shadowtime.dashboard.components import naming, results, states
from shadowtime.dashboard.look.words import GAP
from shadowtime.engine.workload.job import Clock
from shadowtime.workers.store import Status
from shadowtime.workers.store.base import progress_of


def plain(text: str) -> str:
    return text.replace(GAP, " ")


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("KTH-SP2-1996-2.1-cln.swf.gz", "KTH-SP2"),
        ("NASA-iPSC-1993-3.1-cln.swf.gz", "NASA-iPSC"),
        ("SDSC-BLUE-2000-4.2-cln.swf", "SDSC-BLUE"),
        ("four.swf", "four"),
        ("my.log.2024.swf.gz", "my.log.2024"),
        ("site #1.txt", "site #1"),
    ],
)
def test_files_are_called_by_what_tells_them_apart(file, name):
    assert naming.file_words(file) == name


def test_a_case_stands_behind_the_name_of_its_file():
    assert naming.file_words("simulation.json", "memory_conflict") == "simulation, memory_conflict"
    assert naming.file_words("set #2.json", "a#b") == "set #2, a#b"


def test_generators_are_called_by_what_was_said_and_the_seed():
    source = {"generator": "lublin", "parameters": {"jobs": 500, "processors": 128, "load": 0.9}, "seed": 7}

    assert naming.generator_words(source).partition(", ")[2] == "load 0.9, seed 7"
    assert naming.generator_words({"generator": "gone", "seed": 1}) == "gone, seed 1"


@pytest.mark.parametrize(
    ("conversion", "said"),
    [
        ({"name": "week", "parameters": {"k": 20, "weeks": 1}}, "week 21"),
        ({"name": "week", "parameters": {"k": 20, "weeks": 4}}, "week 21 weeks 4"),
        ({"name": "load", "parameters": {"rho": 0.9, "processors": 0}}, "load 0.9"),
        ({"name": "of_old", "parameters": {}}, "of old"),
    ],
)
def test_conversions_are_called_by_what_was_said(conversion, said):
    assert naming.conversion_words(conversion) == said


def test_a_run_is_called_by_algorithm_and_jobs(lab, four, ask):
    spec = ask(four, "easy", parameters={"extra": "first"})

    assert naming.workload_words(lab.store, spec) == "four"
    assert naming.algorithm_words(spec.algorithm) == "EASY"
    assert naming.said_parameters("easy", spec.parameters) == ["extra first"]
    assert naming.platform_words(spec.platform) == "10 processors"
    assert naming.platform_words({"processors": 142}, "classed") == "142 machines"
    assert naming.platform_words({"nodes": 120, "cores_per_node": 2}) == "120 nodes of 2 cores"
    assert naming.platform_words({"nodes": 30, "cores_per_node": 1}, "multitask") == "30 machines"


@pytest.mark.parametrize(
    ("slug", "parameters", "name", "said"),
    [
        ("batch", {"order": "wfp3", "backfill": "conservative"}, "Batch: wfp3, conservative", []),
        ("batch", {"order": "fcfs", "backfill": "easy"}, "Batch: fcfs, easy", []),
        ("batch", {"order": "expr:(w/r)**3*n", "correction": "double"}, "Batch: (w/r)**3*n", ["correction double"]),
        ("batch", {"backfill": "easy:depth=2", "prediction": "mean:5"}, "Batch: easy depth 2, mean 5", []),
        ("conservative", {"order": "sjf"}, "Conservative: sjf", []),
        ("easy++", {"correction": "request"}, "EASY++", []),
    ],
)  # fmt: skip
def test_a_run_of_a_combination_is_called_by_what_differs(slug, parameters, name, said):
    assert naming.algorithm_words(slug, parameters) == name
    assert naming.said_parameters(slug, parameters) == said


def test_an_algorithm_that_is_gone_keeps_its_slug():
    assert naming.algorithm_words("my-policy") == "my-policy"
    assert naming.said_parameters("my-policy", {"x": 2}) == ["x 2"]


RUNNING = {"fraction": 0.62, "jobs_done": 62, "jobs": 100, "segments": 80, "seconds_left": 1.42}


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (Status("queued"), "Queued"),
        (Status("running", progress=RUNNING), "Running · 62 % · about 1.4 s left"),
        (Status("running"), "Running · starting"),
        (Status("running", progress={**progress_of(100), "planned": 0.0}), "Running · planning"),
        (Status("running", progress=progress_of(100, planned=0.42)), "Running · planning · about 42 %"),
        (Status("cancelled", progress=progress_of(100, planned=0.42)), "Cancelled during planning"),
        (Status("failed", error="t=311.0: 'easy' placed job 12 on node 3"), "Failed at Wed 5 Feb 06:05:11"),
        (Status("failed", error="it needs more than 8 GB"), "Failed"),
        (Status("cancelled", progress={**RUNNING, "fraction": 0.31}), "Cancelled at 31 %"),
        (Status("cancelled"), "Cancelled before it started"),
    ],
)
def test_states_are_sentences(status, said):
    clock = Clock(unix_start=855_118_800, utc_offset=3600)

    assert plain(states.run_words(status, None, clock)) == said


def test_a_queued_run_says_its_place():
    assert plain(states.run_words(Status("queued"), None, None, 3, 4.0)) == "Queued · third, starts in about 4 s"


def test_a_finished_run_says_how_long_the_simulation_took():
    assert plain(states.run_words(Status("finished"), {"timing": {"simulate_s": 0.05}}, None)) == "Finished in 0.05 s"


def test_a_failure_is_the_sentence_of_the_engine():
    status = Status("failed", error="t=311.0: 'easy' placed job 12 on node 3")

    assert states.failure(status) == "'easy' placed job 12 on node 3."


VALUES = {"mean_flow": 11460.0, "makespan": 655_200.0, "mean_bounded_stretch": 37.7, "max_bounded_stretch": 4601.0,
          "mean_wait": 2398.0, "mean_utilization": 0.575, "preemptions": 0, "weighted_completion": 5.0}  # fmt: skip
BOUNDS = {"mean_flow": 7118.0, "makespan": 622_800.0, "max_bounded_stretch": 1.448}


def test_a_run_is_judged_by_its_familys_objective():
    assert results.headline(VALUES, BOUNDS) == "mean_flow"
    assert results.headline(VALUES, BOUNDS, "fractional") == "max_bounded_stretch"
    assert results.headline(VALUES, {}) == "mean_flow"
    assert results.headline({}, {}) is None


def test_every_figure_stands_beside_its_proof():
    lines = {line.name: (plain(line.value), line.ratio) for line in results.lines(VALUES, BOUNDS)}

    assert lines["mean_flow"] == ("3 h 11 min", "×1.61")
    assert lines["makespan"] == ("7 d 14 h", "×1.05")
    assert lines["max_bounded_stretch"] == ("4,601", "×3,177")
    assert lines["mean_bounded_stretch"] == ("37.7", "")
    assert lines["mean_utilization"] == ("57.5 %", "")
    assert "preemptions" not in lines and "weighted_completion" not in lines


def test_while_a_run_goes_on_only_a_maximum_has_a_ratio():
    lines = {line.name: line for line in results.lines(VALUES, BOUNDS, is_running=True)}

    assert lines["mean_flow"].ratio == ""
    assert lines["max_bounded_stretch"].ratio == "×3,177"
    assert plain(lines["makespan"].value) == "running, ≥ 7 d 05 h"


def test_without_a_bound_there_is_no_ratio():
    assert results.ratio_of("mean_flow", VALUES, {}) is None
    assert results.ratio_of("mean_flow", VALUES, {"mean_flow": 0.0}) is None


def test_moves_are_said_by_job_and_by_hour():
    values = {"migrations": 64, "preemptions": 0, "kills": 3, "makespan": 36_000.0}

    assert results.often("migrations", values, 200) == "0.32 per job, 6.40 per hour"
    assert results.often("preemptions", values, 200) == results.often("kills", values, 200) == ""
    assert [line.name for line in results.lines({**values, "bandwidth": 3.9e6}, {})] == [
        *("makespan", "migrations", "bandwidth", "kills"),
    ]


def test_kills_are_shown_by_their_name_alone():
    values = {"preemptions": 3, "kills": 3, "makespan": 36_000.0}

    assert [line.name for line in results.lines(values, {}, "classed")] == ["makespan", "kills"]


def test_two_tiers_make_progress_not_utilization():
    """Two jobs may live on one processor: 108 % is no slip."""
    shown = results.lines({"mean_utilization": 1.08, "mean_cpu_utilization": 0.7}, {}, "two_tier")
    assert [line.title for line in shown] == ["Mean progress per processor", "Mean CPU utilization"]
    assert results.lines({"mean_utilization": 0.5}, {}, "rigid")[0].title == "Mean utilization"


def test_a_run_that_compiles_says_so_in_place_of_a_time_left():
    status = Status("running", progress={"fraction": 0.0, "compiling": 10.0, "seconds_left": 0.6})

    assert plain(states.run_words(status, None, None)) == "Compiling for the first time · about 10 s, once"
