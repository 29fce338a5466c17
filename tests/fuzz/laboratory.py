"""A laboratory in this process: a store with a workload of each kind and a finished run, and a server over it."""

from __future__ import annotations

import dataclasses
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from shadowtime.dashboard.access.refusal import Refusal, status_of
from shadowtime.dashboard.intake.preview import preview
from shadowtime.dashboard.intake.questions import Desk
from shadowtime.engine.errors import QuestionError
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import Store
from tests.dashboard.api.conftest import Site, make_site
from tests.fuzz.examples import FOUR, instances


class HereIntake:
    """Answers previews where they are asked, so that what goes wrong is raised here."""

    def __init__(self, desk: Desk):
        self._desk = desk

    def ask(self, what: str, /, *, timeout: float = 0.0, **values: Any) -> Any:
        """As `dashboard.intake.desk.Intake` does."""
        assert what == "preview"
        try:
            return preview(self._desk, **values)
        except QuestionError as error:
            raise Refusal(status_of(error) or 500, str(error)) from None


@cache
def site() -> tuple[Site, str]:
    """The server, and the id of the finished run."""
    made = make_site(Path(mkdtemp(prefix="shadowtime-fuzz-")))
    for content in (FOUR, *instances()):
        try:
            made.store.workloads.add(BytesIO(content), "given")
        except QuestionError:
            continue  # data for tests of single steps, no workload
    spec = RunSpec.of(made.store.workloads.load(by_kind(made.store)["rigid"]), "easy")
    made.store.runs.accept(spec, jobs=4)
    made.finish(spec.id)
    here = made.server.extensions["shadowtime"]
    made.server.extensions["shadowtime"] = dataclasses.replace(here, intake=HereIntake(Desk(here.settings)))
    made.client.get(f"/api/runs/{spec.id}/window?by=size&edges=2")  # compiled now, which is no input's fault
    return made, spec.id


def store() -> Store:
    return site()[0].store


def by_kind(of: Store) -> dict[str, str]:
    """The id of a stored workload of each kind."""
    return {one.kind: one.id for one in of.workloads.list(limit=50).rows}
