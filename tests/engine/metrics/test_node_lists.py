"""Lists of nodes as sites write them, and the rectangles of recorded jobs on them."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.engine.metrics.node_lists import nodes_of, rectangles


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("n1", ["n1"]),
        ("n[001-003,7],gpu1", ["n001", "n002", "n003", "n7", "gpu1"]),
        ("r[1-2]n[09-10]", ["r1n09", "r1n10", "r2n09", "r2n10"]),
        ("node2/0*8+node10/3+node2/1", ["node2", "node10"]),
        ("a[1-x]", []),
        ("a[3-1]", []),
        ("a[1-999999999]", []),
        ("", []),
    ],
)
def test_lists_are_expanded(text, names):
    assert nodes_of(text) == names


def test_jobs_hold_their_nodes_alike_and_nodes_stand_in_the_order_of_their_numbers():
    jobs = {
        "nodes": np.array([1, 0, -1, 1]),
        "recorded_start": np.array([0.0, 5.0, 0.0, np.nan]),
        "recorded_end": np.array([9.0, 6.0, 1.0, 1.0]),
        "processors": np.array([8, 2, 4, 4]),
    }
    found, nodes = rectangles(jobs, ("n10", "n[2,10]"), 16)

    assert nodes == 2
    assert found["first"].tolist() == found["last"].tolist() == [0, 1, 1]
    assert found["start"].tolist() == [0.0, 0.0, 5.0] and found["end"].tolist() == [9.0, 9.0, 6.0]
    assert found["share"].tolist() == [0.5, 0.5, 0.25], "eight of two nodes of eight, and two of one"


def test_without_names_there_are_none():
    known = {"recorded_start": np.zeros(1), "recorded_end": np.ones(1), "processors": np.ones(1)}

    assert rectangles(known, (), 4) is None
    assert rectangles({**known, "nodes": np.array([0])}, ("[?]",), 4) is None
    assert rectangles({**known, "nodes": np.array([-1])}, ("n1",), 4) is None
