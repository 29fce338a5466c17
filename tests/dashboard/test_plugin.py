"""A family that the project does not know, installed in a temporary folder, goes everywhere that the six go."""

from __future__ import annotations

import csv
import importlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from shadowtime.engine import registry
from shadowtime.workers import version
from tests.dashboard.api.conftest import make_site

SOURCE = Path(__file__).parents[1] / "plugin"
JOBS = {
    "kind": "licensed",
    "processors": 4,
    "jobs": [
        {"submit": 0, "runtime": 10, "processors": 1, "licence": 1},
        {"submit": 0, "runtime": 10, "processors": 1, "licence": 1},
        {"submit": 0, "runtime": 5, "processors": 1, "licence": 0},
    ],
}
"""The licence makes the second job wait for the first, and the third for the second."""


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """The plug-in in a folder that this process and its children search."""
    folder = tmp_path / "site-packages"
    shutil.copytree(SOURCE, folder)
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder), prepend=os.pathsep)
    importlib.invalidate_caches()
    registry.register_plugins()
    version.engine_version.cache_clear()
    yield folder
    registry.forget_family("licensed")
    version.engine_version.cache_clear()
    sys.modules.pop("licensed_jobs", None)


@pytest.fixture
def instance(tmp_path) -> Path:
    path = tmp_path / "three.json"
    path.write_text(json.dumps(JOBS))
    return path


def test_the_command_line_simulates_lists_and_generates(installed, instance, tmp_path):
    def run(*words: object) -> str:
        command = [sys.executable, "-m", "shadowtime.dashboard.cli", *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout

    answer = json.loads(run("simulate", instance, "-a", "licence-fcfs", "--json", "--out", tmp_path / "out"))
    listed = json.loads(run("list", "algorithms", "--json"))["algorithms"]
    run("generate", "licensed:jobs=5", "-o", tmp_path / "five.json")

    assert answer["metrics"]["makespan"] == 20.0
    assert answer["metrics"]["licence_time"] == 20.0
    with (tmp_path / "out" / "jobs.csv").open() as file:
        assert [row["starting_time"] for row in csv.DictReader(file)] == ["0.0", "10.0", "10.0"]
    assert "licensed" in {entry["family"] for entry in listed}
    assert json.loads((tmp_path / "five.json").read_text())["kind"] == "licensed"


def test_a_laboratory_takes_shows_measures_and_exports_its_runs(installed, instance, tmp_path):
    site = make_site(tmp_path / "store", max_uploads=0)
    try:
        workload = site.upload(instance.read_text(), "three.json").json
        accepted = site.ask(workload=workload["id"], algorithm="licence-fcfs").json["id"]
        site.finish(accepted)
        answer = site.client.get(f"/api/runs/{accepted}").json
        view = site.client.get(f"/api/runs/{accepted}/view").json
        segments = site.client.get(f"/api/runs/{accepted}/segments")
        table = site.client.get(f"/api/runs/{accepted}/segments.csv").text
        metrics = {entry["name"] for entry in site.client.get("/api/metrics").json["metrics"]}
        forms = [entry["name"] for entry in site.client.get("/api/formats").json["formats"] if entry["use"] == "export"]
        exported = [site.client.get(f"/api/runs/{accepted}/export?format={name}").status_code for name in forms]
    finally:
        site.close()

    assert workload["kind"] == "licensed" and workload["jobs"] == 3
    assert answer["status"] == "finished" and answer["summary"]["metrics"]["licence_time"] == 20.0
    assert view["lanes"] == 4 and view["lane"] == "processor"
    assert segments.status_code == 200 and len(table.splitlines()) == 4
    assert "licence_time" in metrics
    assert forms and set(exported) <= {200}


def test_the_pages_offer_the_family_and_draw_its_run(installed, instance, lab, finish):
    from shadowtime.dashboard.pages import algorithms, new, run

    with instance.open("rb") as file:
        workload = lab.store.workloads.add(file, "three.json")[0].id
    spec = finish(workload, "licence-fcfs")

    assert "Some jobs need the one licence" in str(algorithms.layout(lab, "", {}).children)
    assert "licence-fcfs" in str(new.layout(lab, "", {"workload": workload}).children)
    assert "Licence FCFS" in str(run.layout(lab, spec.id, {}).children)


def test_the_version_of_runs_names_the_sources_of_the_plugin(installed):
    before = version.plugin_digests()
    source = installed / "licensed_jobs" / "__init__.py"
    source.write_text(source.read_text() + "\n")

    assert len(before) == 1 and version.plugin_digests() != before


def test_a_plugin_that_is_gone_leaves_the_registry_as_it_was():
    assert "licensed" not in registry.families()
    assert "licensed" not in registry.generators() and "licence-fcfs" not in registry.algorithms()
