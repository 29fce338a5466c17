"""Many runs over the cores: in order, with the time left."""

from __future__ import annotations

import time

from shadowtime.workers.papers import cells


def answered(cell: int) -> int:
    """The first are known already, the others take their time."""
    time.sleep(0.0 if cell < 40 else 0.01)
    return 2 * cell


def test_time_left_is_that_of_the_runs_still_to_be_made():
    heard: list[str] = []
    assert cells.run_cells(answered, range(80), heard.append, processes=1) == [2 * cell for cell in range(80)]
    assert heard[-1].startswith("80 of 80 runs")


def test_what_is_read_back_at_once_says_nothing_of_the_rest(monkeypatch):
    monkeypatch.setattr(cells, "RECENT", 4)
    heard: list[str] = []
    cells.run_cells(slow_from_40, range(60), heard.append, processes=1)
    forecast = next(sentence for sentence in heard if sentence.startswith("46 of 60"))
    assert int(forecast.split("about ")[1].split()[0]) >= 2  # 14 runs of 0.2 s; the mean of all would say less than 1


def slow_from_40(cell: int) -> int:
    """Nothing to do before the fortieth, nor after what the test looks at."""
    time.sleep(0.2 if 40 <= cell < 48 else 0.0)
    return cell
