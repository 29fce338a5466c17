"""The workloads that come with the product."""

from __future__ import annotations

import json
from io import BytesIO

import numpy as np
import pytest

from shadowtime.engine.errors import UnknownName
from shadowtime.engine.workload.reading import cases, read
from shadowtime.engine.workload.samples import find_sample, samples
from tests.engine.golden import golden_files

FIGURE = next((path for path in golden_files("two_tier") if path.stem == "figure1"), None)


@pytest.mark.parametrize("slug", samples())
def test_every_sample_is_a_workload(slug):
    sample = find_sample(slug)

    assert sample.slug == slug and sample.title and sample.summary.endswith(".")
    assert len(sample.read()) > 0
    assert sample.case in (None, *cases(BytesIO(sample.content())))


def test_an_unknown_sample():
    with pytest.raises(UnknownName, match="unknown sample 'five'; known: four, figure1, site142, bench3"):
        find_sample("five")


@pytest.mark.skipif(FIGURE is None, reason="the golden files have no figure1.json")
def test_figure_1_has_the_jobs_of_the_golden_file():
    """Both branches, each with the machine and migration cost that the golden run has."""
    golden = json.loads(FIGURE.read_text())
    names = [case["name"] for case in golden["cases"]]
    sample = find_sample("figure1")

    assert cases(BytesIO(sample.content())) == names
    for name in names:
        ours, theirs = sample.read(name), read(BytesIO(FIGURE.read_bytes()), FIGURE.name, name)
        assert ours.machine == theirs.machine == {"processors": 5, "migration_cost": 0.5}
        for mine, its in ((ours.jobs, theirs.jobs), (ours.parts, theirs.parts)):
            assert list(mine) == list(its)
            assert all(np.array_equal(mine[column], its[column], equal_nan=True) for column in mine)


def test_figure_1_shows_the_branch_in_which_job_10_gets_to_the_foreground():
    workload = find_sample("figure1").read()

    assert workload.kind == "two_tier" and workload.name == "figure1.json#job10_reaches_foreground"
    assert workload.jobs["runtime"][9] == 8 and find_sample("figure1").read("1").jobs["runtime"][9] == 5
