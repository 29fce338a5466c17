"""Means of a step function: worked by hand, and the integral that they keep."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.engine.output.steps import means


def test_means_of_steps_are_their_integrals():
    time, value = np.array([0.0, 10.0, 30.0]), np.array([4.0, 1.0, 0.0])

    assert means(time, value, np.array([-10.0, 0.0, 10.0, 20.0, 40.0])).tolist() == [0, 4, 1, 0.5]


def test_spans_that_cut_steps_have_a_share_of_each():
    time, value = np.array([0.0, 1.0, 3.0, 4.0]), np.array([2.0, 0.0, 6.0, 9.0])

    assert means(time, value, np.linspace(0, 4, 3)) == pytest.approx([1.0, 3.0])
    assert means(time, value, np.linspace(0, 4, 5)) == pytest.approx([2.0, 0.0, 0.0, 6.0])


def test_means_keep_the_integral():
    rng = np.random.default_rng(2)
    time = np.concatenate([[0.0], np.cumsum(rng.exponential(1, 300))])
    value = rng.uniform(0, 1, 301)
    found = means(time, value, np.linspace(0.0, time[-1], 59))

    assert np.mean(found) * time[-1] == pytest.approx(np.sum(np.diff(time) * value[:-1]))


def test_without_a_step_all_means_are_zero():
    assert means(np.zeros(0), np.zeros(0), np.array([0.0, 1.0, 2.0])).tolist() == [0.0, 0.0]
