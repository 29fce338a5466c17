"""Blocks of a sweep: which of its runs are independent draws."""

from __future__ import annotations

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from shadowtime.workers.sweeps.blocks import ONE_LOG, blocks_of, by_point
from shadowtime.workers.sweeps.extension import Goal, precision, with_seeds
from shadowtime.workers.sweeps.outcomes import FAILED, FINISHED, Outcomes
from shadowtime.workers.sweeps.pairs import pairs, ranking
from shadowtime.workers.sweeps.points import points
from shadowtime.workers.sweeps.spec import SweepSpec
from shadowtime.workers.sweeps.tables import columns, written

DRAWN = {"generator": "uniform", "parameters": {"jobs": 20}, "seed": None}
FILE = {"digest": "a" * 64, "case": None}


def swept(workloads, seeds, loads, variants, values) -> Outcomes:
    """A sweep whose runs have ended with `values` of mean_flow, by seed, workload, load and variant."""
    spec = SweepSpec(
        workloads=workloads, seeds=seeds, conversions=[], loads=loads, platform={}, estimates=None, tau=None,
        variants=[{"algorithm": f"a{n}", "parameters": {}} for n in range(variants)], engine_version="1",
    )  # fmt: skip
    found = Outcomes(spec)
    found.status[:] = FINISHED
    found.metrics["mean_flow"] = np.broadcast_to(values, spec.shape).astype(float).ravel()
    return found


def drawn(*shape) -> np.ndarray:
    return np.random.default_rng(1).lognormal(3.0, 0.2, shape)


def test_a_generator_with_a_seed_is_a_block_whatever_its_parameters():
    longer, other = {**DRAWN, "parameters": {"jobs": 40}}, {**DRAWN, "generator": "lublin"}
    found = swept([DRAWN, longer, other], [5, 6], [], 1, drawn(2, 3, 1, 1))

    assert blocks_of(found).tolist() == [[0, 0, 1], [2, 2, 3]]


def test_a_fixed_draw_is_the_block_of_its_own_seed():
    found = swept([DRAWN, {**DRAWN, "seed": 6}], [5, 6], [], 1, drawn(1, 2, 1, 1))

    assert blocks_of(found).tolist() == [[0, 1], [1, 1]]


def test_a_stored_workload_is_one_block_unless_seeds_change_something_on_it():
    same = swept([FILE], [1, 2, 3], [], 2, drawn(1, 1, 1, 2))
    differs = swept([FILE], [1, 2, 3], [], 2, drawn(3, 1, 1, 2))

    assert blocks_of(same).tolist() == [[0], [0], [0]]
    assert blocks_of(differs).tolist() == [[0], [1], [2]]
    (point, _) = points(same, ["log"])
    assert (point["n"], point["metrics"]["mean_flow"]["blocks"], point["metrics"]["mean_flow"]["low"]) == (3, 1, None)
    assert "all 3 samples are equal" in point["warnings"][0]
    assert ONE_LOG in points(differs, ["log"])[0]["warnings"]


def test_rejected_jobs_and_a_load_on_another_machine_are_said_of_their_points():
    found = swept([DRAWN], [1, 2, 3], [0.5, 0.7], 1, drawn(3, 1, 2, 1))
    found.metrics["rejected"] = np.array([0, 0, 60, 0, 61, 0], float)
    found.metrics["offered_load"] = np.array([1.25, 0.7, 1.25, 0.7, 1.25, 0.7])
    first, second = points(found, ["u"], only=["mean_flow"])

    assert first["warnings"][:2] == [
        "up to 61 jobs of a run were rejected; the figures leave them out",
        "load 0.5 is measured on the workload's own machine; on the machine of these runs the offered load is 1.25 on "
        "average",
    ]
    assert not any("rejected" in one or "load" in one for one in second["warnings"])


def test_that_runs_failed_is_said_of_their_point():
    found = swept([DRAWN], list(range(10)), [0.5, 0.7], 1, drawn(10, 1, 2, 1))
    found.status[2::2] = FAILED
    found.metrics["mean_flow"][2::2] = np.nan
    first, second = points(found, ["u"])

    assert (first["n"], first["failed"]) == (1, 9)
    assert first["warnings"][0] == "9 of 10 runs failed; the figures are those of the others"
    assert not any("failed" in one for one in second["warnings"])


def test_columns_of_points_do_not_depend_on_how_many_runs_there_are():
    one, five = (swept([DRAWN], list(range(n)), [], 1, drawn(n, 1, 1, 1)) for n in (1, 5))
    one.bounds["mean_flow"], five.bounds["mean_flow"] = np.ones(1), np.ones(5)
    few, many = (columns(found, ["u"], "points") for found in (one, five))

    assert list(few) == list(many)
    assert few["mean_flow_std"] == few["mean_flow_low"] == [None]
    assert pq.read_table(io.BytesIO(written(few, "parquet"))).schema.field("mean_flow_low").type == pa.float64()


def test_empty_columns_of_texts_are_texts():
    found = columns(swept([DRAWN], [1], [], 1, drawn(1, 1, 1, 1)), ["u"], "runs")
    assert found["error"] == [None] and found["load"] == [None]
    schema = pq.read_table(io.BytesIO(written(found, "parquet"))).schema
    assert (schema.field("error").type, schema.field("load").type) == (pa.string(), pa.float64())


def test_values_of_a_point_are_means_of_its_blocks():
    values = drawn(3, 2, 2, 1)
    found = by_point(values, np.array([[0, 0], [1, 0], [2, 1]]))

    assert (found[:, 0] == values[:, 0]).all()
    assert found[0, 1] == pytest.approx(values[:2, 1].mean(axis=0)) and found[1, 1] == pytest.approx(values[2, 1])
    assert np.isnan(found[2, 1]).all()


def test_five_seeds_at_five_loads_are_five_blocks_and_no_25_instances():
    base = drawn(5, 1, 5, 1)
    found = swept([DRAWN], [1, 2, 3, 4, 5], [0.5, 0.6, 0.7, 0.8, 0.9], 2, np.concatenate([base, 0.8 * base], axis=3))
    whole, ranked = pairs(found, ["u"], "mean_flow", 1, 0)["all"], ranking(found, ["u"], "mean_flow")

    assert (whole["blocks"], whole["n"], whole["smaller"]) == (5, 25, 5)
    assert whole["p"] == whole["sign_p"] == whole["smallest_p"] == 0.0625
    assert whole["better"] is None, "25 instances would be certain: p = 6e-8"
    assert whole["warnings"] == ["a test of 5 blocks cannot go below p = 0.0625: 6 blocks are needed for 5%"]
    assert (ranked["blocks"], ranked["instances"]) == (5, 25)
    assert ranked["ranking"][1]["differs_from_first"] is False


def test_the_mean_of_a_ranking_is_over_blocks():
    """A stored log is one block, however many seeds there are."""
    values = np.array([10.0, 1.0, 10.0, 2.0, 10.0, 3.0]).reshape(3, 2, 1, 1)
    found = swept([FILE, DRAWN], [1, 2, 3], [], 2, np.concatenate([values, 2 * values], axis=3))
    ranked = ranking(found, ["log", "u"], "mean_flow")

    assert [one["mean"] for one in ranked["ranking"]] == [pytest.approx(16 / 4), pytest.approx(32 / 4)]


@pytest.mark.parametrize(("mean", "said"), [(300.0, 0), (10_000.0, 1)])
def test_a_mean_outside_the_interval_of_its_batches_is_said(mean, said):
    found = swept([FILE], [1], [], 1, np.full((1, 1, 1, 1), mean))
    found.intervals[0] = {"mean_flow": {"low": 280.0, "high": 310.0, "lag_one": 0.0, "warning": None}}
    (point,) = points(found, ["log"])

    assert sum("outside the interval" in one for one in point["warnings"]) == said


def test_six_blocks_can_differ():
    base = drawn(6, 1, 1, 1)
    found = swept([DRAWN], [1, 2, 3, 4, 5, 6], [], 2, np.concatenate([base, 0.8 * base], axis=3))

    assert pairs(found, ["u"], "mean_flow", 1, 0)["all"]["better"] == "a"
    assert ranking(found, ["u"], "mean_flow")["ranking"][1]["differs_from_first"] is True


def test_seeds_are_counted_in_blocks_of_all_generators():
    """Two generators: each seed adds two blocks."""
    noise = drawn(4, 2, 1, 1)
    other = {**DRAWN, "generator": "lublin"}
    found = swept([DRAWN, other], [1, 2, 3, 9], [], 2, np.concatenate([noise, np.ones((4, 2, 1, 1))], axis=3))
    result = precision(found, Goal("mean_flow", 0.001, 20))

    assert (result.seeds, result.decision.blocks, result.next_seeds) == (4, 8, 8)
    assert list(with_seeds(found.spec, 6).seeds) == [1, 2, 3, 9, 10, 11]
    assert with_seeds(found.spec, 6).cell(7) == found.spec.cell(7), "runs keep their numbers"


def test_seeds_that_draw_nothing_are_not_added():
    found = swept([FILE], [1, 2, 3], [], 2, drawn(1, 1, 1, 2))
    result = precision(found, Goal("mean_flow", 0.05, 20))

    assert not result.goes_on and "more seeds add no block" in result.decision.reason
