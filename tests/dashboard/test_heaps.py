"""What is free between small objects goes back to the system."""

from __future__ import annotations

import ctypes
import subprocess
import sys

import pytest

BLOCKS, BLOCK = 1_000, 60_000
HOLES = """
import os, sys
from pathlib import Path
from shadowtime.dashboard.serving import heaps

def own():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon"))

blocks, size = int(sys.argv[1]), int(sys.argv[2])
before, large, small = own(), [], []
for _ in range(blocks):
    large.append(bytes(range(256)) * (size // 256))
    small.append(bytes(range(200)) * 4)  # above 512 bytes: from the same heap
large.clear()
with_holes = own()
heaps.trim()
print(with_holes - before, own() - before)
"""
"""In a process of its own: in that of the tests other holes have room for the blocks."""


@pytest.mark.skipif(not hasattr(ctypes.CDLL(None), "malloc_trim"), reason="not the GNU C library")
def test_trimming_gives_back_the_holes_between_small_objects():
    command = [sys.executable, "-c", HOLES, str(BLOCKS), str(BLOCK)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    with_holes, trimmed = map(int, said.split())

    assert with_holes > 0.8 * BLOCKS * BLOCK
    assert trimmed < 0.2 * BLOCKS * BLOCK
