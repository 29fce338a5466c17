"""Numbers of the nodes that a log names."""

from __future__ import annotations

from shadowtime.engine.workload.sites.node_numbers import numbered


def test_nodes_are_numbered_in_natural_order_and_stand_in_the_order_of_their_lists():
    lists, nodes = numbered(["n10", "", "n[2,10],gpu1"])

    assert nodes == 3
    assert [numbers.tolist() for numbers in lists] == [[2], [], [1, 2, 0]]
    assert {numbers.dtype.str for numbers in lists} == {"<i8"}


def test_texts_without_nodes_have_no_numbers():
    assert numbered([]) == ([], 0)


def test_names_that_differ_in_leading_zeros_have_the_same_order_in_every_process():
    lists, _ = numbered(["n1,n01,n0001,n001,n00001,n000001"])

    assert lists[0].tolist() == [5, 4, 2, 3, 1, 0]
