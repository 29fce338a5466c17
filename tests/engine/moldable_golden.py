"""Moldable jobs: golden instances, matrices of times, and drawn ones that arrive over time."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

from shadowtime.engine import Workload, generate
from shadowtime.engine.families.moldable.workload import moldable
from shadowtime.engine.workload.reading import read
from tests.engine.golden import golden_files

PATHS = golden_files("golden-demt-1")

D03 = Path(__file__).parents[1] / "golden" / "demt" / "d03.json"
"""The contract's example: perfect speed-up, so that gang is the best possible."""

every_instance = pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)


def load(path):
    """(the document, its times n x m, its workload)."""
    text = path.read_bytes()
    document = json.loads(text)
    return document, np.array(document["p"], float), read(BytesIO(text), path.name)


def workload_of(p, weight=None, release=None) -> Workload:
    """Return jobs with the times `p`, n x m."""
    n, m = p.shape
    release = np.zeros(n) if release is None else np.sort(release)
    return moldable(release, np.arange(n + 1) * m, p.ravel(), m, "", weight=np.ones(n) if weight is None else weight)


def arriving(seed: int, minimum: float = 0.0) -> Workload:
    """Return 25 jobs of one family for 8 processors, more than these can serve at once, some with a minimum."""
    family = ("weak", "high", "mixed", "cirne")[seed % 4]
    asked = {"family": family, "jobs": 25, "processors": 8, "load": 1.5, "minimum": minimum}
    return generate("moldable", asked, seed)
