"""Cells that a spreadsheet opens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine.output.cells import FORMULA, NUMBER, meant, plain


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
