"""Journals of which not all is what was written."""

from __future__ import annotations

import json

import pytest

from shadowtime.workers.sweeps.journals import Journals
from tests.fuzz.targets.stored import swept

GOOD = {"index": 1, "status": "finished", "run": "0" * 16, "metrics": {"mean_flow": 2.0}, "bounds": {}}


@pytest.fixture
def journal():
    path = swept().journal(0)
    yield path
    path.unlink()


@pytest.mark.parametrize(
    "line",
    [
        b"not JSON",
        b"\x00\xff",
        b"[" * 5_000,
        b"3",
        b"{}",
        *(
            json.dumps({**GOOD, "index": 0, **change}).encode()
            for change in (
                {"index": -4},
                {"index": 4},
                {"index": True},
                {"index": "0"},
                {"status": "pending"},
                {"status": "failed"},
                {"status": []},
                {"run": 3},
                {"metrics": [1]},
                {"metrics": {"mean_flow": "2"}},
                {"metrics": {"mean_flow": 10**400}},
                {"begin": 0},
            )
        ),
        b'{"begin": 9, "round": 1}',
        b'{"begin": 0}',
        b'{"lost": 0, "round": []}',
    ],
)
def test_a_line_that_cannot_be_says_nothing_and_those_around_it_stand(journal, line):
    good = [json.dumps({**GOOD, "index": index}).encode() for index in (1, 2)]
    journal.write_bytes(b"\n".join([good[0], line, good[1], b""]))

    found = Journals(swept()).refresh(swept())

    assert found.outcomes.counts() == {"pending": 2, "finished": 2, "failed": 0}
    assert found.todo(0) == [0, 3] and not found.begun and not found.lost
