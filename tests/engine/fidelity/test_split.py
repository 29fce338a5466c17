"""Which jobs are fitted, which are tested, and which are simulated before them."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.fidelity.split import WARM_UP, halves, known
from tests.engine.fidelity.made import LANES, jobs, recorded, under

DAY = 86_400.0


def test_the_halves_have_equally_many_jobs_and_the_test_a_warm_up_of_thirty_days():
    release = np.arange(101) * DAY  # a job a day
    split = halves(release)

    assert (split.fit.first, split.fit.counted, split.fit.end) == (0, 0, 50)
    assert (split.test.first, split.test.counted, split.test.end) == (20, 50, 101)
    assert split.test.warm_up == WARM_UP / DAY and split.fit.jobs + split.test.jobs == 101


def test_a_long_first_half_is_fitted_on_its_last_jobs():
    split = halves(np.arange(200) * DAY, sample=40)

    assert (split.fit.first, split.fit.counted, split.fit.end) == (30, 60, 100)


def test_jobs_without_a_start_or_larger_than_the_machine_are_left_out():
    log = jobs(100)
    start = under(log, "easy")
    start[3] = np.nan
    start[5] = log.jobs["release"][5] - 10.0
    log = recorded(log, start)
    log.jobs["processors"][4] = LANES + 1
    kept = known(log, LANES)

    assert len(kept) == 98 and 5 not in kept.jobs["job_id"] and 4 not in kept.jobs["job_id"]
    assert (kept.jobs["recorded_start"] >= kept.jobs["release"]).all()


def test_a_log_without_enough_starts_is_refused():
    log = jobs(100)
    with pytest.raises(InvalidWorkload, match="does not say when its jobs started"):
        known(log, LANES)
    with pytest.raises(InvalidWorkload, match="has 39 jobs with a recorded start; 40 is the least"):
        known(recorded(log, np.where(np.arange(100) < 39, under(log, "easy"), np.nan)), LANES)
