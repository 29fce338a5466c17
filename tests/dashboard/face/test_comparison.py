"""Labels of compared schedules: names with the parameters that were given, and policies of one class."""

from __future__ import annotations

import pytest

import shadowtime as st
from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.parameters import Whole

WORKLOAD = st.generate("lublin", {"jobs": 60, "load": 0.9}, seed=1)


class WidestFirst(st.Policy):
    """Start the widest job that fits, of the first that wait."""

    parameters = (Whole("depth", 10, "Waiting jobs that are looked at.", low=1, high=1000),)

    def __init__(self, depth=10):
        self.depth = depth

    def decide(self, desk):
        for job in sorted(desk.waiting[: self.depth], key=desk.size, reverse=True):
            free = desk.free_lanes()
            if desk.size(job) <= len(free):
                desk.place(job, free[: desk.size(job)])


def test_parameters_in_a_name_are_part_of_the_label():
    st.register(WidestFirst, "widest-first")
    found = st.compare(WORKLOAD, ["widest-first:depth=3", "widest-first:depth=30", "easy:extra=first", "easy"])

    assert list(found) == ["widest-first depth=3", "widest-first depth=30", "easy extra=first", "easy"]
    assert found["widest-first depth=3"].parameters == {"depth": 3}
    assert list(found.to_frame()) == [*found, "bound"]


def test_policies_of_one_class_are_numbered():
    found = st.compare(WORKLOAD, ["fcfs", WidestFirst(depth=1), WidestFirst(depth=60)])

    assert list(found) == ["fcfs", "WidestFirst 1", "WidestFirst 2"]
    alone = st.simulate(WORKLOAD, WidestFirst(depth=60)).metrics()["mean_wait"]
    assert found["WidestFirst 2"].metrics()["mean_wait"] == alone != found["WidestFirst 1"].metrics()["mean_wait"]
    pairs = st.compare(WORKLOAD, [WidestFirst, (WidestFirst, {"depth": 3})])
    assert list(pairs) == ["WidestFirst", "WidestFirst depth=3"]


def test_a_mapping_gives_labels():
    found = st.compare(WORKLOAD, {"narrow": WidestFirst(1), "first": ("easy", {"extra": "first"}), "easy": "easy"})

    assert list(found) == ["narrow", "first", "easy"]
    assert found["first"].parameters["extra"] == "first"


POLICY = WidestFirst()


@pytest.mark.parametrize(
    ("algorithms", "sentence"),
    [
        (["easy", "easy"], "easy stands twice among the algorithms: leave one out, or give both a label"),
        (["easy:extra=first", ("easy", {"extra": "first"})], "easy extra=first stands twice"),
        ([POLICY, POLICY], "WidestFirst stands twice"),
        ("easy", "algorithms = 'easy', but it must be a list, such as"),
        (POLICY, "but it must be a list, such as"),
        (None, "algorithms = 'None', but it must be a list"),
        ([("easy", "extra=first")], "a pair must be a name and a mapping of parameters"),
        ({"bound": "easy"}, "the label 'bound' of an algorithm must be a text, not 'bound'"),
        ({}, "algorithms is empty"),
    ],
)
def test_lists_that_cannot_be_compared_are_refused(algorithms, sentence):
    with pytest.raises(InvalidParameter) as refused:
        st.compare(WORKLOAD, algorithms)

    assert sentence in str(refused.value)
