"""Cells that a spreadsheet opens."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine.output.cells import FORMULA, NUMBER, cell, line, meant, plain


@pytest.mark.parametrize(
    ("text", "cell"),
    [
        ("=1+1", "'=1+1"),
        ('=HYPERLINK("https://evil.example")', '\'=HYPERLINK("https://evil.example")'),
        ("+1+1|cmd", "'+1+1|cmd"),
        ("-2+3", "'-2+3"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\t=1", "'\t=1"),
        ("＝1", "'＝1"),
        ("-", "'-"),
        ("-1", "-1"),
        ("+1.5e-3", "+1.5e-3"),
        ("-.5", "-.5"),
        ("0-3 7", "0-3 7"),
        ("KTH-SP2", "KTH-SP2"),
        ("'quoted'", "'quoted'"),
        ("", ""),
    ],
)
def test_what_begins_like_a_formula_is_a_text_and_a_number_stays_one(text, cell):
    assert plain(text) == cell and meant(cell) == text


@given(st.text(alphabet="=+-@\t\r'1.e ＝a"))
def test_no_cell_begins_like_a_formula_unless_it_is_a_number(text):
    cell = plain(text)

    assert NUMBER.fullmatch(cell) or not cell.startswith(FORMULA)
    assert meant(cell) == text


@pytest.mark.parametrize("text", ["x;=1+1", "x\t=1+1", 'a "b";=1'])
def test_a_text_is_one_cell_also_for_readers_of_other_separators(text):
    for separator in (",", ";", "\t"):
        (read,) = csv.reader([line([text]).rstrip("\n")], delimiter=separator)
        assert read == [text]


@given(st.lists(st.one_of(st.text(alphabet="ab;,\t\n\r\"'= "), st.integers(), st.floats(), st.none()), min_size=2))
def test_a_line_is_read_as_its_values(values):
    meant_cells = ["" if one is None else plain(one) if isinstance(one, str) else str(one) for one in values]

    assert next(csv.reader(line(values).splitlines(keepends=True))) == meant_cells


def test_a_text_without_separators_is_not_quoted():
    assert (cell("KTH-SP2"), cell("a b"), cell("a;b")) == ("KTH-SP2", "a b", '"a;b"')
