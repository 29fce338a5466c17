"""Runs to look at, and the four-job example on a page of its own."""

from __future__ import annotations

import pytest

from tests.browser.viewing import Viewer, gallery


@pytest.fixture(scope="session")
def runs(tmp_path_factory: pytest.TempPathFactory):
    """A store with runs, served as pages that hold a viewer and nothing else."""
    with gallery(tmp_path_factory.mktemp("gallery")) as opened:
        yield opened


@pytest.fixture
def four(runs, page) -> Viewer:
    """EASY on the four-job example.

    0     1 1 1 1 1 1 . 2 3 3 3 ...
    6     . 4 4 4 . . . 2 . . .
          0 3   53    100 110    1110
    """
    return Viewer(page, runs.page_of(runs.simulate()))
