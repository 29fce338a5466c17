"""A store with a run that has ended, one that waits, and the settings that send notices."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from shadowtime.workers.records import notices
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import Store, open_store
from tests.workers.samples import spec, summary, tables


class Ended(NamedTuple):
    """A store and a run of it."""

    store: Store
    digest: str
    settings: Settings

    def ask(self, address: str, digest: str = "", owner: str = "ada") -> notices.Notice:
        """Ask for a notice of the run."""
        return self.store.notices.ask(notices.RUN, digest or self.digest, owner, address, "https://here/runs/1")[0]

    def state(self, owner: str = "ada") -> notices.Notice:
        """The only notice as it stands."""
        (one,) = self.store.notices.of(self.digest, owner)
        return one


def accept(store: Store, seed: int, *, is_finished: bool) -> str:
    """Record a run; return its digest."""
    run = spec(seed)
    store.runs.accept(run, jobs=4)
    if is_finished:
        status = store.runs.begin(run.digest)
        store.runs.finish(run.digest, status.attempt, tables(), summary(run, mean_wait=51.75))
    return run.digest


@pytest.fixture
def settings(tmp_path) -> Settings:
    return Settings(
        store=tmp_path, notice_secret="key", notice_private=("127.0.0.0/8",), notice_from="lab@here.example"
    )


@pytest.fixture
def ended(tmp_path, settings) -> Ended:
    store = open_store(tmp_path)
    return Ended(store, accept(store, 0, is_finished=True), settings)


@pytest.fixture
def at_once(monkeypatch):
    """Tries follow each other without a pause."""
    monkeypatch.setattr(notices, "PAUSES", (0.0,) * len(notices.PAUSES))
