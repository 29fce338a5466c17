"""The golden files, distinguished by what their own text says they are."""

from __future__ import annotations

import json
import os
from pathlib import Path

FOLDER = Path(os.environ.get("SHADOWTIME_GOLDEN") or Path(__file__).parents[1] / "golden")


def golden_files(kind: str) -> list[Path]:
    """Every golden file of that `kind` (or `schema`), in order of path."""
    chosen = []
    for path in sorted(FOLDER.rglob("*.json")):
        text = json.loads(path.read_text())
        if kind in (text.get("schema"), text.get("kind")):
            chosen.append(path)
    return chosen
