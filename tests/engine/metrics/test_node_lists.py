"""The rectangles of recorded jobs on the nodes that a log names."""

from __future__ import annotations

import numpy as np

from shadowtime.engine.metrics.node_lists import rectangles


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
    assert rectangles({**known, "nodes": np.array([0])}, ("n[1",), 4) is None
    assert rectangles({**known, "nodes": np.array([-1])}, ("n1",), 4) is None
