"""`shadowtime waits`: of a log, of a simulation, of a stored run."""

from __future__ import annotations

import csv
import io

import pytest

from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import open_store
from tests.dashboard.waits_log import log_of_slurm


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "jobs.txt"
    path.write_bytes(log_of_slurm())
    return path


def test_a_log_shows_what_it_recorded(shadowtime, log):
    answer = shadowtime("waits", log, "--by", "partition")

    assert [line.split()[0] for line in answer.out.splitlines()] == ["partition", "batch", "long"]
    assert "mean recorded" in answer.out and "simulated" not in answer.out


def test_an_algorithm_adds_a_column_and_how_alike_both_are(shadowtime, log):
    answer = shadowtime("waits", log, "-a", "easy", "--processors", 16, "--most", 2)
    known = shadowtime("waits", log, "-a", "easy", "--processors", 16, "--json").json

    assert answer.out.startswith("Recorded mean wait ") and "31 others" in answer.out
    assert known["recorded"] and known["likeness"][0]["jobs"] == 60
    assert set(known["groups"][0]["waits"]) == {"recorded", "simulated"}


def test_csv_has_all_groups(shadowtime, log):
    rows = list(csv.DictReader(io.StringIO(shadowtime("waits", log, "--csv").out)))

    assert len(rows) == 33 and sum(int(row["jobs"]) for row in rows) == 60
    assert "mean_recorded" in rows[0] and "mean_simulated" not in rows[0]


def test_outages_are_listed(shadowtime, log):
    text = shadowtime("waits", log, "--processors", 16, "--outages").out
    known = shadowtime("waits", log, "--processors", 16, "--outages", "--json").json

    assert text.startswith("1 outage, ") and len(text.splitlines()) == 2
    assert known["processors"] == 16 and len(known["outages"]) == 1

    head, row = shadowtime("waits", log, "--processors", 16, "--outages", "--csv").out.splitlines()
    assert dict(zip(head.split(","), map(float, row.split(",")), strict=True)).items() <= known["outages"][0].items()


def test_a_stored_run_has_the_figures_of_its_simulation(shadowtime, log, tmp_path):
    store = open_store(tmp_path / "store")
    with log.open("rb") as stream:
        workload = store.workloads.load(store.workloads.add(stream, "jobs.txt")[0].id)
    spec = RunSpec.of(workload, "easy", platform={"processors": 16})
    store.runs.accept(spec, jobs=len(workload))
    queued = shadowtime("waits", spec.id, "--store", tmp_path / "store")
    status = store.runs.begin(spec.digest)
    outcome = execute(spec, load_workload(spec, store))
    tables = {name: getattr(outcome.schedule, name) for name in ("jobs", "segments", "events", "series")}
    store.runs.finish(spec.digest, status.attempt, tables, outcome.summary)

    assert queued.code and "only finished runs have waits" in queued.err
    stored = shadowtime("waits", spec.id, "--store", tmp_path / "store", "--json").json
    assert stored == shadowtime("waits", log, "-a", "easy", "--processors", 16, "--json").json


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["lublin:jobs=10"], "has no recorded starts; name an algorithm"),
        (["lublin:jobs=10", "-a", "easy", "--by", "account"], "have no account; known: size"),
        (["0123456789abcdef", "-a", "easy"], "which has its own algorithm, machine and jobs: --algorithm"),
        (["0123456789abcdef", "-p", "extra=first"], "which has its own algorithm, machine and jobs: --parameter"),
        (
            ["0123456789abcdef", "--nodes", "4", "--seed", "2"],
            "which has its own algorithm, machine and jobs: --seed, --nodes",
        ),
        (
            ["lublin:jobs=10", "-p", "extra=first"],
            "no effect without an algorithm to simulate, such as -a easy: --parameter",
        ),
        (["lublin:jobs=10", "--csv", "--json"], "two forms of one answer"),
        (["lublin:jobs=10", "--outages", "--by", "size"], "no effect with --outages, which prints no table: --by"),
        (["lublin:jobs=10", "-a", "ease"], "ease"),
        (["lublin:jobs=10", "--by", "moon"], "moon"),
    ],
)
def test_wrong_questions_get_a_line(shadowtime, arguments, sentence):
    answer = shadowtime("waits", *arguments)

    assert answer.code == 2 and sentence in answer.err
