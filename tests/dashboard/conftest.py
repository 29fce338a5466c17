"""A laboratory in one process: a store in a temporary folder, an intake that answers at once, a queue that is there."""

from __future__ import annotations

import io
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import pytest
from flask import Flask
from werkzeug.serving import make_server

from shadowtime.dashboard.access.refusal import Refusal, status_of
from shadowtime.dashboard.components.so_far import SoFar
from shadowtime.dashboard.compose import compose
from shadowtime.dashboard.context import Context
from shadowtime.dashboard.intake.preview import preview
from shadowtime.dashboard.intake.priority import priority
from shadowtime.dashboard.intake.questions import Desk
from shadowtime.dashboard.intake.slurm_sites import slurm_site
from shadowtime.engine.errors import EngineError
from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.queue import Health
from shadowtime.workers.settings import Settings
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import open_store
from tests.conftest import FOUR_SWF
from tests.workers.samples import NAMES

if TYPE_CHECKING:
    from tests.dashboard.api.conftest import Site as NamedSite


class HereQueue:
    """A queue that is there, and empty."""

    names = NAMES

    def __init__(self, health: Health):
        self._health = health

    def health(self) -> Health:
        return self._health

    def waiting(self) -> list[str]:
        return []


ANSWERS = {"preview": preview, "priority": priority, "slurm_site": slurm_site}


class HereIntake:
    """Answers in this process what the children of the web process answer in theirs."""

    def __init__(self, settings: Settings):
        self.desk = Desk(settings)
        self.asked: list[dict] = []

    def ask(self, what: str, /, *, timeout: float = 0, **values) -> dict:
        self.asked.append(values.get("question", values))
        try:
            return ANSWERS[what](self.desk, **values)
        except EngineError as error:
            raise Refusal(status_of(error) or 500, str(error)) from None


@pytest.fixture
def lab(tmp_path) -> Context:
    """What the pages are given."""
    settings = Settings(store=tmp_path / "store")
    store = open_store(settings.store)
    made = compose(Flask("test"), store, HereQueue(Health(True, 2, 0)), settings)
    return replace(made, store=store, so_far=SoFar(store), intake=HereIntake(settings))


@pytest.fixture
def four(lab: Context) -> str:
    """Id of the stored four-job example."""
    return lab.store.workloads.add(io.BytesIO(FOUR_SWF.encode()), "four.swf")[0].id


Ask = Callable[..., RunSpec]


@pytest.fixture
def ask(lab: Context) -> Ask:
    """`ask(workload, algorithm, **more)`: the accepted, queued run's spec."""

    def accept(workload: str, algorithm: str, **more) -> RunSpec:
        loaded = lab.store.workloads.load(workload)
        spec = RunSpec.of(loaded, algorithm, **more)
        lab.store.runs.accept(spec, jobs=len(loaded))
        return spec

    return accept


@pytest.fixture
def finish(lab: Context, ask: Ask) -> Ask:
    """As `ask`, and the run has finished."""

    def run(workload: str, algorithm: str, **more) -> RunSpec:
        spec = ask(workload, algorithm, **more)
        status = lab.store.runs.begin(spec.digest)
        outcome = execute(spec, load_workload(spec, lab.store))
        schedule = outcome.schedule
        tables = {name: getattr(schedule, name) for name in ("jobs", "segments", "events", "series")}
        lab.store.runs.finish(spec.digest, status.attempt, tables, outcome.summary)
        return spec

    return run


@pytest.fixture
def serve(free_port: int) -> Iterator[Callable[[Flask], str]]:
    """`serve(app)`: the address at which it answers a browser until the test ends."""
    started = []

    def start(app: Flask) -> str:
        server = make_server("127.0.0.1", free_port, app, threaded=True)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        started.append((server, thread, app.extensions["shadowtime"].intake))
        return f"http://127.0.0.1:{free_port}"

    yield start
    for server, thread, intake in started:
        server.shutdown()
        thread.join()
        intake.close()


class Site(NamedTuple):
    """The pages over a store with finished runs."""

    url: str
    runs: dict[str, str]
    """Their ids by the name of the algorithm."""


@pytest.fixture
def site(lab: Context, four: str, finish: Ask, serve: Callable[[Flask], str]) -> Site:
    """FCFS and EASY on the four-job example, served."""
    from shadowtime.dashboard.app import create_app

    runs = {name: finish(four, name).id for name in ("fcfs", "easy")}
    return Site(serve(create_app(lab.store, lab.queue, lab.settings).server), runs)


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NamedSite]:
    """The whole site behind a proxy that names its users, as Anna sees it."""
    from tests.dashboard.api.named import named_site

    with named_site(tmp_path_factory.mktemp("named")) as made:
        yield made


@pytest.fixture(scope="module")
def run(named: NamedSite) -> str:
    """Id of a finished private run of Anna's."""
    return named.finished_run(private=True)
