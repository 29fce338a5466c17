"""The attributes `columns` and `counters` of a policy, which its schedule takes."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.engine import simulate
from shadowtime.engine.errors import PolicyError
from tests.engine.kernel.test_desk_rules import Does, small


def test_a_schedule_takes_columns_and_counters_of_a_policy():
    schedule = simulate(small(), Does(None, columns={"rank": [2, 1, 3]}, counters={"looks": np.int64(4)}))

    assert schedule.jobs["rank"].tolist() == [2, 1, 3] and schedule.counters["looks"] == 4
    assert schedule.jobs["start"].tolist() == [0.0, 0.0, 50.0]


@pytest.mark.parametrize(
    ("traits", "sentence"),
    [
        ({"counters": 0}, "attribute counters is of type int, but .* it must be a mapping"),
        ({"columns": ["a"]}, "attribute columns is of type list, but .* it must be a mapping"),
        ({"columns": {"start": np.zeros(3)}}, "columns have 'start', but the schedule has this name already"),
        ({"columns": {"estimate": np.zeros(3)}}, "columns have 'estimate', but the schedule has this name already"),
        ({"columns": {3: np.zeros(3)}}, "columns have '3', but the schedule has names that are texts"),
        ({"columns": {"rank": np.zeros(2)}}, r"columns\['rank'\] must have 3 numbers, one a job"),
        ({"columns": {"rank": ["a", "b", "c"]}}, r"columns\['rank'\] must have 3 numbers, one a job"),
        ({"counters": {"acts": 1}}, "counters have 'acts', but the schedule has this name already"),
        ({"counters": {"looks": "many"}}, r"counters\['looks'\] is many; it must be a whole number"),
    ],
)
def test_other_columns_and_counters_are_refused(traits, sentence):
    with pytest.raises(PolicyError, match=sentence):
        simulate(small(), Does(None, **traits))


def test_what_is_no_mapping_is_refused_before_the_run():
    policy = Does(lambda desk: pytest.fail("the run began"), counters=0)
    with pytest.raises(PolicyError, match="rename it"):
        simulate(small(), policy)
