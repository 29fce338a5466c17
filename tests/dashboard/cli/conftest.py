"""A command line in this process: quick, and a test sees the code and both streams."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from shadowtime.dashboard.cli import main
from shadowtime.workers.execute import execute
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import open_store


@dataclass
class Answer:
    """What a command gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.code == 0, self.err
        assert self.out.count("\n") == 1, "--json prints one object on one line"
        return json.loads(self.out)


@pytest.fixture
def shadowtime(capsys):
    """Runs a command; a refusal must be one line on standard error and nothing on standard output."""

    def run(*arguments: object) -> Answer:
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        if code == 2:
            assert out == "", "a refusal prints nothing on standard output"
            assert err.count("\n") == 1 and err.strip(), "a refusal is one line"
        return Answer(code, out, err)

    return run


@pytest.fixture
def four_jobs(tmp_path, four_swf):
    """Makes a store with runs of the four-job example, some of them finished; returns its folder and their specs."""

    def make(*algorithms: str, finished: tuple[str, ...]) -> tuple[Path, list[RunSpec]]:
        store = open_store(tmp_path / "store")
        with four_swf.open("rb") as stream:
            entry, _ = store.workloads.add(stream, "four.swf")
        workload = store.workloads.load(entry.digest)
        specs = [RunSpec.of(workload, slug) for slug in algorithms]
        for spec in specs:
            store.runs.accept(spec, jobs=4)
        for spec in (spec for spec in specs if spec.algorithm in finished):
            status = store.runs.begin(spec.digest)
            outcome = execute(spec, workload)
            tables = {name: getattr(outcome.schedule, name) for name in ("jobs", "segments", "events", "series")}
            assert store.runs.finish(spec.digest, status.attempt, tables, outcome.summary)
        return tmp_path / "store", specs

    return make
