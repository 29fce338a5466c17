"""Texts in the cells of tables that people open in a spreadsheet.

A spreadsheet computes what begins like a formula, wherever the file is from, and a formula can ask other sites and
start programs. So a text that begins like one has an apostrophe in front, as people write it there themselves; a text
that is a number stays one.

References
----------
OWASP, CSV injection: the characters, in their full-width forms too.
"""

from __future__ import annotations

import re

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""How a text begins that a spreadsheet would compute."""
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
MARK = "'"


def plain(text: str) -> str:
    """A text as a cell that no spreadsheet computes."""
    return MARK + text if text.lstrip(MARK).startswith(FORMULA) and not NUMBER.fullmatch(text) else text


def meant(cell: str) -> str:
    """The text that `plain` made `cell` of."""
    return cell[1:] if cell.startswith(MARK) and cell.lstrip(MARK).startswith(FORMULA) else cell
