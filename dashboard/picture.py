"""A schedule as a small picture, for previews of links: drawn by numpy, written as PNG.

Few rectangles stand as blocks in the colours of their jobs; many as the share of each pixel that is held, as the
viewer draws them from afar. No words: the page that shows a preview writes title and sentence beside it.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shadowtime.dashboard.look import theme
from shadowtime.engine.tables import LOST, Table, rows, take

WIDTH, HEIGHT = 1200, 630
"""The size that most previews take."""
MARGIN, BETWEEN_RUNS, BETWEEN_TIERS = 36, 18, 6
FEW = 5_000
"""Rectangles that are drawn as such."""
LEAST_ROW = 1.5
"""Pixels of a lane, below which blocks would be noise."""
BACKGROUND = 0.5
"""Share of its colour that a job has in the background tier, or when its work was lost."""


@dataclass(frozen=True)
class Drawn:
    """One run and what of it is shown; the window is that of the whole picture."""

    segments: Table
    job_ids: np.ndarray
    lanes: int


def picture(
    runs: Sequence[Drawn], window: tuple[float, float], nodes: tuple[int, int] | None = None, scheme: str = theme.LIGHT
) -> bytes:
    """A PNG of WIDTH x HEIGHT: runs under one another, in each a pane per tier.

    window, nodes: from when to when [s]; first and last lane, all where it is None.
    """
    colours = {name: np.array(theme.rgb(value), float) for name, value in theme.tokens(scheme).items()}
    canvas = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    canvas[:] = colours["bg"]
    panes = [(run, tier, first) for run in runs for first, tier in enumerate(_tiers(run.segments))]
    gaps = sum(0 if not place else BETWEEN_TIERS if pane[2] else BETWEEN_RUNS for place, pane in enumerate(panes))
    height = (HEIGHT - 2 * MARGIN - gaps) / len(panes)
    top = float(MARGIN)
    for place, (run, tier, first) in enumerate(panes):
        top += (BETWEEN_TIERS if first else BETWEEN_RUNS) if place else 0
        box = canvas[round(top) : round(top + height), MARGIN : WIDTH - MARGIN]
        box[:] = colours["line"]
        _pane(box[1:-1, 1:-1], run, tier, window, nodes or (0, run.lanes - 1), colours)
        top += height
    return png(canvas)


def png(pixels: np.ndarray) -> bytes:
    """An image of height x width x 3 bytes as PNG (ISO/IEC 15948): truecolour, every line unfiltered."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    height, width, _ = pixels.shape
    lines = np.zeros((height, 1 + 3 * width), np.uint8)
    lines[:, 1:] = pixels.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        [chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(lines.tobytes(), 6)), chunk(b"IEND", b"")]
    )


def coverage(
    x0: np.ndarray, x1: np.ndarray, y0: np.ndarray, y1: np.ndarray, weight: np.ndarray, shape: tuple[int, int]
):
    """Which share of each pixel rectangles cover, height x width: exact, by differences at their corners."""
    height, width = shape
    sums = np.zeros((height + 2) * (width + 2))
    for x, of_x in ((x0, 1.0), (x1, -1.0)):
        column = np.floor(x).astype(int)
        part_x = x - column
        for y, of_y in ((y0, 1.0), (y1, -1.0)):
            line = np.floor(y).astype(int)
            part_y = y - line
            for step_x, share_x in ((0, 1 - part_x), (1, part_x)):
                for step_y, share_y in ((0, 1 - part_y), (1, part_y)):
                    at = (line + step_y) * (width + 2) + column + step_x
                    sums += np.bincount(at, weight * of_x * of_y * share_x * share_y, minlength=len(sums))
    return sums.reshape(height + 2, width + 2).cumsum(0).cumsum(1)[:height, :width]


def _tiers(segments: Table) -> list[int]:
    return [0, 1] if rows(segments) and segments["tier"].any() else [0]


def _pane(box: np.ndarray, run: Drawn, tier: int, window: tuple[float, float], nodes: tuple[int, int], colours) -> None:
    """Draw the rectangles of one tier into `box`, which is a view of the picture."""
    height, width, _ = box.shape
    box[:] = colours["surface"]
    (start, end), (first, last) = window, nodes
    segments = run.segments
    shown = (segments["tier"] == tier) & (segments["start"] < end) & (segments["end"] > start)
    found = take(segments, shown & (segments["first"] <= last) & (segments["last"] >= first))
    per_second, per_lane = width / (end - start), height / (last + 1 - first)
    x0 = np.clip((found["start"] - start) * per_second, 0, width)
    x1 = np.clip((found["end"] - start) * per_second, 0, width)
    y0 = np.clip((found["first"] - first) * per_lane, 0, height)
    y1 = np.clip((found["last"] + 1.0 - first) * per_lane, 0, height)
    if rows(found) <= FEW and per_lane >= LEAST_ROW and not (found["share"] < 1).any():
        _blocks(box, found, run.job_ids, (x0, x1, y0, y1), tier, colours)
        return
    share = np.clip(coverage(x0, x1, y0, y1, found["share"].astype(float), (height, width)), 0, 1)[:, :, None]
    box[:] = np.rint(colours["surface"] * (1 - share) + colours["bgt" if tier else "fg"] * share)


def _blocks(box: np.ndarray, found: Table, job_ids: np.ndarray, edges, tier: int, colours) -> None:
    left, right, top, bottom = (np.rint(edge).astype(int).tolist() for edge in edges)
    ids = job_ids[found["job"]].tolist()
    for place, kind in enumerate(found["kind"].tolist()):
        share = BACKGROUND if tier or kind == LOST else 1.0
        colour = colours[f"job-{theme.job_hue(ids[place])}"] * share + colours["surface"] * (1 - share)
        x0, y0 = left[place], top[place]
        x1, y1 = max(x0 + 1, right[place]), max(y0 + 1, bottom[place])
        box[y0:y1, x0:x1] = np.rint(colour)
        if x1 - x0 > 4 and y1 - y0 > 4:  # a line of surface between jobs
            box[y0:y1, x1 - 1] = box[y1 - 1, x0:x1] = colours["surface"]
