"""Many people at once, in short: nothing is lost, no one is refused, every stream opens. `benchmarks.load` measures."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from benchmarks._people import People, Size
from benchmarks._site import serve
from benchmarks.load import RAISED, state_of, workers

pytestmark = pytest.mark.integration

FEW = Size(viewers=60, uploaders=3, askers=6, runs_a_second=3.0, pages_a_second=1.0, calls_a_second=3.0)
SECONDS, PATIENCE = 4.0, 60.0


async def crowd(people: People) -> None:
    """All of them for some seconds, and until every viewer has its stream."""
    await people.prepare()
    tasks = [asyncio.ensure_future(work) for work in people.all_clients()]
    await asyncio.sleep(SECONDS)
    deadline = time.monotonic() + PATIENCE
    while people.missing_streams and time.monotonic() < deadline:
        await asyncio.sleep(0.1)
    for task in tasks:
        task.cancel()
    for outcome in await asyncio.gather(*tasks, return_exceptions=True):
        if isinstance(outcome, Exception):
            raise outcome


def test_many_people_at_once_lose_nothing(tmp_path):
    with serve(tmp_path, RAISED) as site, workers(site):
        people = People(site.port, FEW)
        with ThreadPoolExecutor(1) as apart:  # the browser of other tests keeps a loop in this thread
            apart.submit(asyncio.run, crowd(people)).result()
        states = set(state_of(site.store, people.accepted))

    assert people.heard.errors() == {}
    assert people.heard.lost == {}
    assert people.missing_streams == 0
    assert people.accepted and len(people.accepted) == len(set(people.accepted))
    assert states <= {"queued", "running", "finished"}
