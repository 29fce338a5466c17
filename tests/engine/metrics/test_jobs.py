"""Wait, flow, stretch and who is treated fairly."""

import json

import numpy as np
import pytest

from shadowtime.engine.errors import UnknownName
from shadowtime.engine.metrics.jobs import bounded_stretch
from shadowtime.engine.metrics.registry import find_metric
from shadowtime.engine.metrics.run import jain_index
from tests.engine.golden import golden_files


def one(flow: float, runtime: float) -> dict[str, np.ndarray]:
    return {"release": np.array([7.0]), "end": np.array([7.0 + flow]), "runtime": np.array([runtime])}


@pytest.mark.parametrize("path", golden_files("metrics"), ids=lambda path: path.stem)
def test_golden_bounded_slowdowns(path):
    given = json.loads(path.read_text())
    table = given["bounded_slowdown"]

    for case in table["cases"]:
        (value,) = bounded_stretch(one(case["response"], case["runtime"]), tau=table["tau"])
        assert value == pytest.approx(case["expected"], rel=given["tolerance"])


def test_bounded_stretch_is_also_the_form_of_the_fractional_paper():
    rng = np.random.default_rng(5)
    runtime = rng.exponential(20.0, 200)
    flow = runtime + rng.exponential(20.0, 200) * rng.integers(0, 2, 200)
    jobs = {"release": np.zeros(200), "end": flow, "runtime": runtime}

    assert bounded_stretch(jobs) == pytest.approx(np.maximum(flow, 10.0) / np.maximum(runtime, 10.0))


@pytest.mark.parametrize("tau", [-1.0, float("nan")])
def test_a_floor_below_zero_is_refused(tau):
    with pytest.raises(ValueError, match="tau"):
        bounded_stretch(one(5.0, 1.0), tau=tau)


def test_jain_index_is_one_for_equal_stretches_and_near_one_over_n_for_one_victim():
    equal = {"release": np.zeros(3), "end": np.array([2.0, 4.0, 6.0]), "runtime": np.array([1.0, 2.0, 3.0])}
    victim = equal | {"end": np.array([1.0, 2.0, 3e9])}

    assert jain_index(equal) == 1.0
    assert jain_index(victim) == pytest.approx(1 / 3)


def test_an_unknown_metric_is_told_with_the_known_ones():
    with pytest.raises(UnknownName, match="unknown metric 'speed'; known: makespan"):
        find_metric("speed")
