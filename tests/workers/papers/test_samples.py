"""Shipped results are those that the code here gives: sample cells are computed again."""

from __future__ import annotations

import json
import os

import pytest

from shadowtime.workers.papers.groups import groups
from shadowtime.workers.papers.kept import shipped
from shadowtime.workers.papers.samples import recompute, samples
from tests.workers.papers import tiny

SHIPPED = [(name, scale) for name in groups() for scale in ("quick", "full") if shipped(name, scale)]
LOGS = ("hpc2n", "kth", "ctc", "sdsc-blue")


@pytest.fixture(autouse=True)
def tiny_study(monkeypatch):
    monkeypatch.setattr("shadowtime.workers.papers.packed.STUDIES", ("shadowtime.workers.papers.", tiny.__name__))
    monkeypatch.setattr("shadowtime.workers.papers.samples.STUDIES", ("shadowtime.workers.papers.", tiny.__name__))


@pytest.mark.parametrize(("name", "scale"), SHIPPED)
def test_a_shipped_result_is_what_this_version_computes(name, scale):
    """Fails when something that decides the numbers has changed since: run `make papers`."""
    for sample in shipped(name, scale)["samples"]:
        cell = str(sample["cell"]).lower()
        if any(log in cell for log in LOGS) and "SHADOWTIME_TRACES" not in os.environ:
            pytest.skip("needs the logs in SHADOWTIME_TRACES")
        assert recompute(sample) == sample["answer"], f"{sample['function']} of {sample['cell']}"


def test_samples_are_the_smallest_cells_without_measured_times():
    found = samples([(tiny.measured, tiny.Sized(n), tiny.measured(tiny.Sized(n))) for n in range(9, -1, -1)])

    assert [sample["cell"]["size"] for sample in found] == [0, 1, 2, 3]
    assert [sample["answer"]["square"] for sample in found] == [0, 1, 4, 9]
    assert all("seconds" not in sample["answer"] for sample in found)


def test_a_changed_answer_is_found():
    (sample, *_) = samples([(tiny.measured, tiny.Sized(3), tiny.measured(tiny.Sized(3)))])

    assert recompute(sample) == sample["answer"]
    assert recompute({**sample, "cell": {**sample["cell"], "size": 4}}) != sample["answer"]


def test_a_missing_value_is_none_and_equals_itself():
    (sample,) = samples([(tiny.missing, tiny.Sized(0), tiny.missing(tiny.Sized(0)))])

    assert sample["answer"] == [None, 1.0] and json.loads(json.dumps(sample, allow_nan=False))
    assert recompute(sample) == sample["answer"]


def test_only_functions_of_studies_are_called():
    with pytest.raises(TypeError, match="no function of a study"):
        recompute({"function": "os:system", "cell": "true", "answer": 0})
