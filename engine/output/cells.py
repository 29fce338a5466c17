"""Escape texts in table cells against formula injection in spreadsheets.

A spreadsheet evaluates any text that begins like a formula, and a formula can contact other sites and start programs.
So such a text gets a leading apostrophe, the usual mark of a text there; a number stays as it is.

References
----------
OWASP, CSV injection: the characters, including their full-width forms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""First characters of a text that a spreadsheet evaluates."""
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
MARK = "'"
QUOTED = (*',"\n\r', ";", "\t")
"""Characters of a text that is quoted: also for `;` and tabs, at which some spreadsheets end a cell."""


def plain(text: str) -> str:
    """Return a text as a cell that no spreadsheet evaluates."""
    return MARK + text if text.lstrip(MARK).startswith(FORMULA) and not NUMBER.fullmatch(text) else text


def cell(text: str) -> str:
    """Return a text as one cell of CSV that no spreadsheet evaluates."""
    text = plain(text)
    return '"' + text.replace('"', '""') + '"' if any(mark in text for mark in QUOTED) else text


def line(values: Iterable[Any]) -> str:
    """Return a line of CSV; None is an empty cell."""
    cells = (cell(value) if isinstance(value, str) else "" if value is None else str(value) for value in values)
    return ",".join(cells) + "\n"


def meant(cell: str) -> str:
    """Return the text from which `plain` made `cell`."""
    return cell[1:] if cell.startswith(MARK) and cell.lstrip(MARK).startswith(FORMULA) else cell
