"""The availability profile against its slow twin, compiled and plain."""

from __future__ import annotations

import os
import subprocess
import sys
from fractions import Fraction
from math import inf
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine.kernel.cache import compiled
from shadowtime.engine.kernel.profile import Profile, advance, earliest, insert, least, profile, remove, row_at
from tests.reference.profile_slots import SlotProfile

INSERT, REMOVE, ADVANCE, EARLIEST, LEAST, FREE = (np.int64(code) for code in range(6))


@compiled
def play(p, first, last, code, start, end, one, two, until, answer):
    """Do operations first..last - 1 on a profile of two resources and keep their answers."""
    for y in range(first, last):
        amount = (one[y], two[y])
        if code[y] == INSERT:
            answer[y] = insert(p, start[y], end[y], amount)
        elif code[y] == REMOVE:
            answer[y] = remove(p, start[y], end[y], amount)
        elif code[y] == ADVANCE:
            advance(p, start[y])
        elif code[y] == EARLIEST:
            answer[y] = earliest(p, start[y], amount, end[y] - start[y], until[y])
        elif code[y] == LEAST:
            answer[y] = least(p, start[y], end[y], np.int64(1), np.int64(2))
        else:
            answer[y] = p.free[2 * row_at(p, start[y])]


def slow_answer(twin, code, start, end, amount, until):
    """The same of the twin."""
    if code in (INSERT, REMOVE):
        (twin.insert if code == INSERT else twin.remove)(start, end, amount)
        return 1
    if code == ADVANCE:
        return twin.advance(start)
    if code == EARLIEST:
        return twin.earliest(start, amount, end - start, until)
    return twin.least(start, end, 1) if code == LEAST else twin.free(start)[0]


def steps_of(p: Profile, resources: int):
    """(begin, free) of each step."""
    first, stop = p.span.tolist()
    free = p.free.reshape(-1, resources)[first:stop].tolist()
    return [(at, tuple(row)) for at, row in zip(p.at[first:stop].tolist(), free, strict=True)]


def random_operations(rng: np.random.Generator, many: int, held: int):
    """Operations one by one, as a scheduler makes them: what is removed was inserted, at most `held` at once.

    Times are whole and collide often; some reservations and questions have no end.
    """
    now, live = 0.0, []
    for _ in range(many):
        code = int(rng.choice(6, p=(0.3, 0.25, 0.05, 0.3, 0.05, 0.05)))
        start = now + float(rng.integers(0, 60))
        end = start + (inf if rng.random() < 0.03 else float(rng.integers(0, 30)))
        amount = tuple(float(value) for value in rng.integers(0, 5, 2))
        until = start + float(rng.integers(0, 90)) if rng.random() < 0.5 else inf
        if code == REMOVE or (code == INSERT and len(live) == held):
            if not live:
                continue
            code, (start, end, amount) = int(REMOVE), live.pop(int(rng.integers(len(live))))
        elif code == INSERT:
            live.append((start, end, amount))
        elif code == ADVANCE:
            now = start = now + float(rng.integers(0, 4))
            live = [held_row for held_row in live if held_row[1] > now]
        yield code, start, end, amount, until


def check_against_twin(many: int, held: int, kind: str, every: int = 1000) -> None:
    """Compare all answers, and the whole profile every so often."""
    p, twin = profile(np.array([20, 15], kind), held), SlotProfile((20, 15))
    operations = list(random_operations(np.random.default_rng(many + held), many, held))
    code = np.array([one[0] for one in operations])
    start, end, until = (np.array([one[y] for one in operations], "f8") for y in (1, 2, 4))
    one, two = (np.array([each[3][x] for each in operations]).astype(kind) for x in (0, 1))
    answer = np.full(len(operations), -1.0)
    for first in range(0, len(operations), every):
        last = min(first + every, len(operations))
        play(p, first, last, code, start, end, one, two, until, answer)
        for y in range(first, last):
            expected = slow_answer(twin, *operations[y])
            if expected is not None:
                assert answer[y] == expected, (y, operations[y])
        assert steps_of(p, 2) == twin.steps()


def test_a_hundred_thousand_operations_agree_with_the_twin():
    check_against_twin(100_000, 6, "i8")


@pytest.mark.parametrize("kind", ["i8", "f8"])
def test_many_steps_agree_with_the_twin(kind):
    check_against_twin(4_000, 40, kind, every=100)


def test_plain_code_agrees_with_the_twin():
    root = Path(__file__).parents[3]
    code = "from tests.engine.kernel.test_profile import *; check_against_twin(4000, 12, 'i8', every=50)"
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, env=environment)

    assert done.returncode == 0, done.stderr


@compiled
def fill(p, start, end, amount, earliest_of):
    """Insert reservations of any number of resources at the earliest instant from `start` on; how many had room."""
    for y in range(len(start)):
        begin = earliest(p, start[y], amount[y], end[y] - start[y], np.inf)
        earliest_of[y] = begin
        if begin < np.inf and not insert(p, begin, begin + (end[y] - start[y]), amount[y]):
            return y
    return len(start)


@st.composite
def reservations(draw):
    """(resources, rows): start, end and amounts, in eighths, which are exact."""
    resources = draw(st.integers(1, 3))
    eighth = st.integers(0, 64).map(lambda value: value / 8)
    ends = st.one_of(eighth, st.just(inf))
    row = st.tuples(eighth, ends, st.lists(eighth, min_size=resources, max_size=resources))
    return resources, draw(st.lists(row, min_size=1, max_size=12))


@given(reservations())
def test_each_reservation_at_its_earliest_instant(case):
    resources, rows = case
    capacity = (Fraction(6),) * resources
    twin, p = SlotProfile(capacity), profile(np.full(resources, 6.0), len(rows))
    start, length = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
    found = np.empty(len(rows))

    assert fill(p, start, start + length, np.array([row[2] for row in rows]), found) == len(rows)
    for (begin, lasts, amount), at in zip(rows, found.tolist(), strict=True):
        exact = tuple(Fraction(value) for value in amount)
        assert twin.earliest(begin, exact, lasts) == at
        if at < inf:
            twin.insert(at, at + lasts, exact)
    assert steps_of(p, resources) == twin.steps()
    assert (p.free.reshape(-1, resources)[: p.span[1]] >= 0).all()


@given(reservations(), st.randoms())
def test_removing_everything_leaves_no_trace(case, random):
    resources, rows = case
    p = profile(np.full(resources, 6.0), len(rows))
    held = [(start, start + length, np.array(amount)) for start, length, amount in rows]
    for one in held:
        assert change(p, *one, True)
    random.shuffle(held)
    for one in held:
        assert change(p, *one, False)

    assert steps_of(p, resources) == [(0.0, (6.0,) * resources)]


@compiled
def change(p, start, end, amount, inserts):
    """Insert or remove one reservation."""
    return insert(p, start, end, amount) if inserts else remove(p, start, end, amount)


def test_a_full_profile_refuses_and_stays_as_it_was():
    p = profile(np.array([10]), 1)
    assert change(p, 2.0, 5.0, np.array([3]), True)
    before = steps_of(p, 1)

    assert not change(p, 3.0, 4.0, np.array([1]), True)
    assert steps_of(p, 1) == before == [(0.0, (10,)), (2.0, (7,)), (5.0, (10,))]


@compiled
def rows_after_passing(p, many):
    """One reservation after another, each over before the next: rows that are past are used again."""
    for y in range(many):
        advance(p, 2.0 * y)
        if not insert(p, 2.0 * y + 0.5, 2.0 * y + 1.0, (np.int64(1),)):
            return np.int64(-1)
    return p.span[1] - p.span[0]


def test_rows_that_are_past_are_used_again():
    assert 0 < rows_after_passing(profile(np.array([10]), 1), 1000) <= 3


@compiled
def search(p, until):
    """When 4 are free for 6 seconds from second 1 on."""
    return earliest(p, 1.0, (np.int64(4),), 6.0, until)


def test_by_hand():
    """Free of 5, by second::

    0    2    4    8    10
    | 5  | 1  | 5  | 3  | 5
    """
    p = profile(np.array([5]), 2)
    change(p, 2.0, 4.0, np.array([4]), True)
    change(p, 8.0, 10.0, np.array([2]), True)

    assert search(p, np.inf) == 10.0
    assert search(p, 9.0) == 9.0  # from then on all is free, but at 8 there are only 3
    assert search(p, 8.0) == 4.0  # the stretch from 4 reaches 8
    assert search(p, 3.0) == 3.0
    assert search(p, 1.5) == 1.0
    change(p, 4.0, 8.0, np.array([2]), True)
    assert steps_of(p, 1) == [(0.0, (5,)), (2.0, (1,)), (4.0, (3,)), (10.0, (5,))]
