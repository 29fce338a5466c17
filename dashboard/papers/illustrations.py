"""The illustrations of papers' pages as files: drawn once, since their schedules are real ones, whose code compiles for
up to 40 s where it was never run. `python docs/illustrations.py` draws them again."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from shadowtime.dashboard.figures.sketch import COLOURS
from shadowtime.dashboard.papers.page import PaperPage

SIZE = re.compile(rb'<svg[^>]* width="([\d.]+)" height="([\d.]+)"')
FOLDER = Path(__file__).with_name("illustrations")


def svg(paper: str, key: str, theme: str) -> bytes:
    """Return a picture for a theme of COLOURS, as it is shipped."""
    return path(paper, key, theme).read_bytes()


@cache
def size(paper: str, key: str, theme: str) -> tuple[int, int]:
    """Return width and height of a picture [px], rounded."""
    found = SIZE.search(svg(paper, key, theme))
    assert found is not None, path(paper, key, theme)
    return round(float(found[1])), round(float(found[2]))


def path(paper: str, key: str, theme: str) -> Path:
    """Return the file of a picture."""
    return FOLDER / f"{paper}-{key}-{theme}.svg"


def drawn(pages: Mapping[str, PaperPage]) -> Iterator[tuple[Path, str]]:
    """Draw the pictures of all pages; yield the file and the content of each."""
    for page in pages.values():
        for one in page.illustrations:
            sketch = one.draw()
            for theme in COLOURS:
                yield path(page.name, one.key, theme), sketch.svg(theme)
