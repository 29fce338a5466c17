"""The small picture of a schedule: coverage is exact, and many rectangles are drawn in no time."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.dashboard import picture
from shadowtime.dashboard.look import theme
from shadowtime.dashboard.picture import Drawn
from shadowtime.engine import tables

edges = st.tuples(st.floats(0, 8), st.floats(0, 8)).map(sorted)


@given(st.lists(st.tuples(edges, edges, st.floats(0, 1)), min_size=1, max_size=6))
def test_coverage_is_the_area_of_each_pixel_that_is_covered(rectangles):
    (x0, x1), (y0, y1) = (np.array([r[i] for r in rectangles]).T for i in (0, 1))
    weight = np.array([r[2] for r in rectangles])
    found = picture.coverage(x0, x1, y0, y1, weight, (8, 8))

    def overlap(low, high):
        return np.clip(np.minimum(high[:, None], np.arange(1, 9)) - np.maximum(low[:, None], np.arange(8)), 0, 1)

    assert found == pytest.approx(np.einsum("r,ry,rx->yx", weight, overlap(y0, y1), overlap(x0, x1)), abs=1e-9)


def many(n: int, lanes: int, tiers: int = 2) -> Drawn:
    segments = tables.empty(tables.SEGMENTS, n)
    generator = np.random.default_rng(0)
    segments["first"][:] = segments["last"][:] = generator.integers(0, lanes, n)
    segments["tier"][:] = np.arange(n) % tiers
    segments["start"][:] = np.sort(generator.uniform(0, 1e6, n))
    segments["end"][:] = segments["start"] + 3000.0
    segments["share"][:] = 1.0
    return Drawn(segments, np.arange(1), lanes)


def test_many_rectangles_are_density_in_a_pane_for_each_tier():
    from tests.dashboard.api.test_links import pixels

    drawn = pixels(picture.picture([many(20_000, 64)], (0.0, 1e6), scheme=theme.DARK))
    surface, ground = (theme.rgb(theme.tokens(theme.DARK)[name]) for name in ("surface", "bg"))
    upper, lower = drawn[40:300, 100:1100].mean((0, 1)), drawn[330:590, 100:1100].mean((0, 1))

    assert tuple(drawn[0, 0]) == ground
    assert upper[2] > upper[0] and lower[0] > lower[2]  # blue above, amber below
    assert upper.mean() > np.mean(surface)


def test_an_empty_schedule_has_a_picture():
    empty = Drawn(tables.empty(tables.SEGMENTS), np.zeros(0, "i8"), 4)

    assert picture.picture([empty, empty], (0.0, 1.0)).startswith(b"\x89PNG")
