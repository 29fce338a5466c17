"""What many ask for at once is worked out once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import count

from shadowtime.dashboard.serving.timed import TimedValue


def test_a_value_is_made_once_for_so_long():
    now, values = [0.0], count()
    value = TimedValue(1.0, lambda: next(values), clock=lambda: now[0])

    first = [value(), value()]
    now[0] = 1.0

    assert (first, value()) == ([0, 0], 1)


def test_a_value_that_takes_long_is_kept_longer():
    now, values = [0.0], count()

    def make() -> int:
        now[0] += 0.1
        return next(values)

    value = TimedValue(0.5, make, clock=lambda: now[0], share=0.04)
    found = []
    for seconds in (0.0, 2.3, 0.3):
        now[0] += seconds
        found.append(value())

    assert found == [0, 0, 1]


def test_what_has_changed_meanwhile_can_be_asked_for():
    values = count()
    value = TimedValue(1000.0, lambda: next(values))

    assert [value(), value.refresh(), value()] == [0, 1, 1]


def test_those_who_ask_at_once_get_the_same():
    values = count()
    value = TimedValue(1000.0, lambda: next(values))
    with ThreadPoolExecutor(8) as asking:
        assert set(asking.map(lambda _: value(), range(100))) == {0}
