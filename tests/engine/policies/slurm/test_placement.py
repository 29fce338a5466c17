"""Contiguous placement, and placement by leaf switch, on small, hand-worked cases."""

from __future__ import annotations

from tests.engine.policies.slurm.test_cases import cluster, jobs, nodes_of, starts


def test_contiguous_placement_waits_for_neighbours():
    log = jobs([(0, 60, 4), (0, 300, 4), (0, 60, 4), (0, 300, 4), (10, 60, 8)], cluster())

    best, contiguous = starts(log)[4], starts(log, placement="contiguous")[4]
    assert best < 70
    assert contiguous > 290


def test_contiguous_placement_passes_over_no_node_between_two():
    log = jobs([(0, 20, 4), (5, 600, 3), (30, 60, 6)], cluster(nodes=3), min_nodes=[0.0, 0.0, 2.0])

    assert nodes_of(log, 2) == [0, 2]
    assert nodes_of(log, 2, placement="contiguous") == [0, 1]
    assert starts(log, placement="contiguous")[2] > 600


def test_contiguous_placement_goes_on_to_a_run_that_holds_the_tasks_of_each_node():
    """Two tasks a node: nodes 0 and 1 are enough by their cores, for five tasks, and hold four of them."""
    log = jobs([(0, 20, 8), (5, 600, 4), (30, 60, 5)], cluster(nodes=6), node_tasks=[0.0, 0.0, 2.0])

    assert nodes_of(log, 2, placement="contiguous") == [3, 4, 5]


def test_a_leaf_switch_with_too_few_nodes_for_the_job_is_not_the_one_that_fits():
    log = jobs([(0, 600, 12), (30, 60, 4)], cluster(nodes=8), min_nodes=[0.0, 3.0])

    assert nodes_of(log, 1, placement="topology:leaf=4") == [4, 5, 6]


def test_a_leaf_switch_that_holds_the_job_is_taken():
    log = jobs([(0, 600, 4), (10, 60, 8)], cluster(nodes=6))

    assert nodes_of(log, 1) == [1, 2]
    assert nodes_of(log, 1, placement="topology:leaf=2") == [2, 3]
