"""What is free between small objects goes back to the system."""

from __future__ import annotations

import ctypes
import os

import pytest

from benchmarks._usage import memory
from shadowtime.dashboard.serving import heaps

BLOCKS, BLOCK = 1_000, 60_000


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="not the GNU C library")
def test_trimming_gives_back_the_holes_between_small_objects():
    before = memory(os.getpid())[1]
    between = []
    blocks = []
    for _ in range(BLOCKS):
        blocks.append(bytes(range(256)) * (BLOCK // 256))
        between.append(bytes(range(200)) * 4)  # above 512 bytes, so that Python takes them from the same heap
    blocks.clear()
    with_holes = memory(os.getpid())[1]
    heaps.trim()
    trimmed = memory(os.getpid())[1]

    assert with_holes - before > 0.8 * BLOCKS * BLOCK
    assert trimmed - before < 0.2 * BLOCKS * BLOCK
    assert len(between) == BLOCKS
