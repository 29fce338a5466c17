"""A server with the API alone, on a store of its own; no one runs what is queued unless a test does."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from shadowtime.dashboard.compose import compose
from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.queue import open_queue
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import Store, open_store
from tests.conftest import FOUR_SWF
from tests.dashboard.here import ChildHere

NO_REDIS = "redis://127.0.0.1:7299/0"
"""Where no server answers: what is accepted is kept all the same."""


@dataclass
class Site:
    """A server, a client of it, and what stands behind."""

    server: Flask
    client: FlaskClient
    store: Store

    def __enter__(self) -> Site:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the processes of the intake."""
        self.server.extensions["shadowtime"].intake.close()

    def upload(self, text: str | bytes = FOUR_SWF, name: str = "four.swf", **options: Any) -> TestResponse:
        """Send a file as a browser does."""
        content = text.encode() if isinstance(text, str) else text
        return self.client.post("/api/workloads", data={"file": (io.BytesIO(content), name)}, **options)

    def workload(self) -> str:
        """Id of the four-job example."""
        return self.upload().json["id"]

    def ask(self, **question: Any) -> TestResponse:
        """Queue a run of the four-job example, or of what `question` says."""
        return self.client.post("/api/runs", json={"workload": self.workload(), "algorithm": "easy", **question})

    def finished_run(self, **question: Any) -> str:
        """Queue a run as `ask` does, finish it and return its id."""
        run_id = self.ask(**question).json["id"]
        self.finish(run_id)
        return run_id

    def finish(self, run_id: str) -> None:
        """What a worker does with a queued run."""
        digest = self.store.runs.get(run_id).digest
        status = self.store.runs.begin(digest)
        assert status is not None
        spec = self.store.runs.get(digest).spec
        outcome = execute(spec, load_workload(spec, self.store))
        schedule = outcome.schedule
        tables = {name: getattr(schedule, name) for name in ("jobs", "segments", "events", "series")}
        assert self.store.runs.finish(digest, status.attempt, tables, outcome.summary)


def make_site(folder: Path, **settings: Any) -> Site:
    chosen = Settings(**{"store": folder, "redis_url": NO_REDIS, **settings})
    server = Flask("api")
    server.testing = True  # what no one expected is raised here, and fails the test
    store = open_store(folder)
    compose(server, store, open_queue(chosen, store), chosen)
    return Site(server, server.test_client(), store)


WITH_CHILDREN = ("test_bombs", "test_preview", "test_metrics", "test_access")
"""Files that are about the processes of the intake too, or do without them."""


@pytest.fixture(scope="module", autouse=True)
def intake_here(request: pytest.FixtureRequest) -> Iterator[None]:
    """Answer in this process what the children of the web process answer in theirs."""
    with pytest.MonkeyPatch.context() as patch:
        if request.path.stem not in WITH_CHILDREN:
            patch.setattr("shadowtime.dashboard.intake.desk._Child", ChildHere)
        yield


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """One server for the tests of a file."""
    with make_site(tmp_path_factory.mktemp("store"), max_upload=100_000, max_uploads=0) as made:
        yield made


@pytest.fixture(scope="module")
def finished(site: Site) -> str:
    """Id of a finished run: the four-job example under EASY."""
    return site.finished_run()
