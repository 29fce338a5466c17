"""`shadowtime export`: a stored run as a file for other programs."""

import json
import shlex
from io import BytesIO

import numpy as np
import pytest

from shadowtime.dashboard.cli.export import NAMES
from shadowtime.engine.workload.samples import find_sample
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import open_store


@pytest.fixture
def stored(four_jobs):
    """A store with the four-job example under EASY, and its run; the question of FCFS is only accepted."""
    folder, (waiting, spec) = four_jobs("fcfs", "easy", finished=("easy",))
    return folder, spec, waiting


@pytest.mark.parametrize("form", NAMES)
def test_every_format_is_written(shadowtime, stored, tmp_path, form):
    folder, spec, _ = stored
    path = tmp_path / "out"

    answer = shadowtime("export", spec.id, "--format", form, "-o", path, "--store", folder)

    assert (answer.code, answer.out) == (0, "")
    assert path.stat().st_size > 50


def test_csv_is_what_simulate_writes(shadowtime, stored, four_swf, tmp_path):
    folder, spec, _ = stored
    shadowtime("simulate", four_swf, "-a", "easy", "--out", tmp_path / "direct", "--json")

    for table in ("jobs", "segments", "events", "series"):
        path = tmp_path / table
        shadowtime("export", spec.digest, "--format", f"{table}-csv", "-o", path, "--store", folder)
        assert path.read_text() == (tmp_path / "direct" / f"{table}.csv").read_text()


def test_json_holds_question_and_figures(shadowtime, stored, tmp_path):
    folder, spec, _ = stored
    path = tmp_path / "run.json"
    shadowtime("export", spec.id, "--format", "json", "-o", path, "--store", folder)

    document = json.loads(path.read_text())
    assert document["spec"] == json.loads(spec.json)
    assert document["summary"]["metrics"]["makespan"] == 1110.0


def test_parquet_gives_the_columns_back(shadowtime, stored, tmp_path):
    from pyarrow import parquet

    folder, spec, _ = stored
    path = tmp_path / "jobs.parquet"
    shadowtime("export", spec.id, "--format", "jobs-parquet", "-o", path, "--store", folder)

    jobs = parquet.read_table(path)
    assert np.array_equal(jobs["start"].to_numpy(), [0.0, 100.0, 110.0, 3.0])


def test_the_command_asks_the_same_question(shadowtime, stored, four_swf, tmp_path, monkeypatch):
    folder, spec, waiting = stored
    monkeypatch.chdir(four_swf.parent)
    for run in (spec, waiting):  # a question is known before its answer
        shadowtime("export", run.id, "--format", "command", "-o", tmp_path / "command", "--store", folder)
        words = shlex.split((tmp_path / "command").read_text())

        assert words[0] == "shadowtime"
        assert json.loads(shadowtime(*words[1:], "--json").out)["run"] == run.id


@pytest.mark.parametrize(("slug", "case"), [("four", None), ("figure1", None), ("figure1", "job10_ends_in_background")])
def test_the_command_names_a_sample_by_its_slug(shadowtime, tmp_path, monkeypatch, slug, case):
    sample = find_sample(slug)
    store = open_store(tmp_path / "store")
    entry, _ = store.workloads.add(BytesIO(sample.content()), sample.file)
    spec = RunSpec.of(store.workloads.load(entry.digest, case or sample.case), "keasy" if slug == "figure1" else "easy")
    store.runs.accept(spec, jobs=4)
    monkeypatch.chdir(tmp_path)  # without the file of the sample

    shadowtime("export", spec.id, "--format", "command", "-o", "command", "--store", tmp_path / "store")
    words = shlex.split((tmp_path / "command").read_text())

    assert words[2] == (f"{slug}#{case}" if case else slug)
    assert json.loads(shadowtime(*words[1:], "--json").out)["run"] == spec.id


def test_a_table_and_a_window_can_be_named(shadowtime, stored, tmp_path):
    folder, spec, _ = stored

    def written(*options):
        shadowtime("export", spec.id, *options, "-o", tmp_path / "out", "--store", folder)
        return (tmp_path / "out").read_bytes()

    assert written("--format", "csv", "--table", "events") == written("--format", "events-csv")
    assert written("--format", "csv") == written("--format", "jobs-csv")
    names = {
        e["name"] for e in json.loads(written("--format", "perfetto", "--from", "105", "--to", "106"))["traceEvents"]
    }
    assert "job 2" in names and "job 1" not in names


def test_refusals_name_the_run_or_the_store(shadowtime, stored, tmp_path):
    folder, spec, waiting = stored

    def refusal(run, store=folder, output=tmp_path / "out", form="jobs-csv", more=()):
        answer = shadowtime("export", run, "--format", form, "-o", output, "--store", store, *more)
        assert answer.code == 2
        return answer.err

    assert "'0000000000000000' is known here" in refusal("0000000000000000")
    assert "no run '../../etc'" in refusal("../../etc")
    assert "is queued" in refusal(waiting.id)
    assert "there is no store at" in refusal(spec.id, store=tmp_path / "nowhere")
    assert "there is no folder" in refusal(spec.id, output=tmp_path / "no" / "out")
    assert "invalid choice" in refusal(spec.id, form="xlsx")
    assert "holds no table" in refusal(spec.id, form="spec", more=("--table", "jobs"))
    assert "a window is for perfetto" in refusal(spec.id, more=("--from", "1"))
    assert "must be before" in refusal(spec.id, form="perfetto", more=("--from", "5", "--to", "5"))
    assert not (tmp_path / "out").exists()
