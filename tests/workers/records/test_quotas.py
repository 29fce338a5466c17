"""Limits on what may wait are kept when requests come at the same moment, to several processes, on both databases."""

from __future__ import annotations

import io
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from shadowtime.workers import admission, submit
from shadowtime.workers.admission import Limits
from shadowtime.workers.errors import TooMuch
from shadowtime.workers.records.sweeps import CANCELLED, RUNNING, Quota, SweepStatus
from shadowtime.workers.store import open_store
from tests.conftest import FOUR_SWF
from tests.workers.records.test_sweeps import OTHER, SPEC, replace
from tests.workers.samples import fake_queue, spec

AT_ONCE = 8


@pytest.fixture
def stores(tmp_path, url):
    """The store as two processes have it open, with the jobs of `spec`."""
    found = [open_store(tmp_path, url) for _ in range(2)]
    found[0].workloads.add(io.BytesIO(FOUR_SWF.encode()), "four.swf")
    return found


def at_once(act):
    """Call `act` with 0, 1, ... in as many threads; return which of the calls were not refused."""

    def succeeds(n):
        try:
            act(n)
        except TooMuch:
            return False
        return True

    with ThreadPoolExecutor(AT_ONCE) as threads:
        return [n for n, is_accepted in enumerate(threads.map(succeeds, range(AT_ONCE))) if is_accepted]


@pytest.mark.parametrize(
    ("limits", "most"),
    [(Limits(runs=3), 3), (Limits(runs_of_all=3), 3), (Limits(jobs=25), 2), (Limits(jobs_of_all=39), 3),
     (Limits(urgent=1), 1), (Limits(), AT_ONCE)],
)  # fmt: skip
def test_simultaneous_runs_keep_to_the_limits(stores, monkeypatch, limits, most):
    all_checked, check = threading.Barrier(AT_ONCE), admission.check

    def check_and_wait(*given):
        check(*given)
        all_checked.wait(30)

    monkeypatch.setattr(admission, "check", check_and_wait)
    queue = fake_queue()

    def ask(n):
        asked = [(spec(n), 10)]
        submit.admit_all(stores[n % 2], queue, asked, priority="high", client="anna", limits=limits, words=f"{n:064x}")

    accepted = at_once(ask)

    assert len(accepted) == most
    assert {run.digest for run in stores[0].runs.list().rows} == {spec(n).digest for n in accepted}
    assert stores[0].runs.load("anna") == (most, 10 * most, most, most, 10 * most)
    for n in range(AT_ONCE):
        assert bool(stores[0].asked.find(f"{n:064x}")) == (n in accepted), "a refused request leaves nothing"


def test_of_several_runs_in_one_request_all_or_none_are_accepted(stores):
    def check(load, runs, jobs):
        assert (load, runs, jobs) == ((2, 7, 2, 3, 17), 2, 7)
        raise TooMuch("so many")

    stores[0].runs.accept(spec(1), jobs=10, client="ben")
    asked = [(spec(1), 10), (spec(2), 3), (spec(3), 4)]

    with pytest.raises(TooMuch):
        stores[0].runs.accept_all(asked, client="anna", priority="high", check=check)
    assert stores[0].runs.load("ben") == (1, 10, 0, 1, 10)


def test_simultaneous_sweeps_keep_to_the_limits(stores):
    def accept(n):
        one = replace(SPEC, seeds=[n])
        stores[n % 2].sweeps.accept(one, SweepStatus(client="anna"), Quota("anna", 3, 5))

    assert len(at_once(accept)) == stores[0].sweeps.count_unfinished() == 3


def test_sweeps_that_resume_at_the_same_moment_keep_to_the_limits(stores):
    sweeps = [replace(OTHER, seeds=[n]) for n in range(AT_ONCE)]
    for one in sweeps:
        stores[0].sweeps.accept(one, SweepStatus(client="ben"))
        stores[0].sweeps.change(one.digest, (RUNNING,), "", status=CANCELLED)

    def resume(n):
        stores[n % 2].sweeps.change(sweeps[n].digest, (CANCELLED,), "", Quota("anna", 3), status=RUNNING)

    assert len(at_once(resume)) == stores[0].sweeps.count_unfinished("anna") == 3
