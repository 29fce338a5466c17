"""Fixtures of the tests of papers."""

from __future__ import annotations

import sys

import pytest

from shadowtime.workers.papers import find_paper
from shadowtime.workers.papers.report import Report


@pytest.fixture
def report(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Report:
    """The quick study of the file's PAPER on points that its `made_up(cells)` returns; no cell is run."""
    test_file = request.module
    study = find_paper(test_file.PAPER).study
    module = sys.modules[study.__module__]
    monkeypatch.setattr(module, "run_cells", lambda function, cells, tell: test_file.made_up(cells))
    monkeypatch.setattr(module, "run_cell", lambda cell: None, raising=False)
    return study("quick", lambda sentence: None)
