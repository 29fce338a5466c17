"""The golden instances of moldable jobs, as plain values and as workloads."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path

import numpy as np
import pytest

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
