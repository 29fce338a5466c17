"""116 names, parsed and printed as in the paper."""

from __future__ import annotations

import pytest

from shadowtime.engine.errors import UnknownName
from shadowtime.engine.families.fractional.names import ROWS, full_name, variants
from shadowtime.engine.registry import algorithms, find


def test_there_are_116_names_and_each_is_found_in_any_case():
    names = [variant.name for variant in variants()]

    assert len(names) == len(set(names)) == 116
    for name in names:
        assert find(name).title == find(name.upper()).title == name
        assert find(name).slug == name.lower()


def test_fourteen_rows_of_table_1():
    assert list(dict.fromkeys(variant.row for variant in variants())) == list(ROWS)
    assert len(ROWS) == 14


@pytest.mark.parametrize(
    ("short", "full"),
    [
        ("greedyp*", "greedyp*/opt=min"),
        ("GreedyPM*/per/minvt=600", "greedypm*/per/opt=min/minvt=600"),
        ("/per", "/per/opt=min"),
        ("/stretch-per/minft=300", "/stretch-per/opt=max/minft=300"),
        ("MCB8*/minvt=600", "mcb8*/opt=min/minvt=600"),
        ("/per/opt=avg", "/per/opt=avg"),
        ("easy", "easy"),
    ],
)
def test_a_name_without_its_rule_has_the_usual_one(short, full):
    assert full_name(short) == full
    assert find(short).slug == full


@pytest.mark.parametrize("name", ["greedy", "greedyp*/opt=max", "greedyp*/minvt=600", "/stretch-per/opt=min", "mcb8"])
def test_other_combinations_do_not_exist(name):
    with pytest.raises(UnknownName, match=r"known: .*easy, easy\+\+"):
        find(name)


def test_lists_show_those_of_table_2_and_all_are_found():
    shown = [slug for slug, entry in algorithms().items() if entry.family == "fractional"]

    assert len(shown) == 18 and "greedypm*/per/opt=min/minvt=600" in shown
    assert len([e for e in algorithms(variants=True).values() if e.family == "fractional"]) == 116
