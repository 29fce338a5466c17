"""Names of the files of a store of a version before 23 November 2026, without what reads them."""

from __future__ import annotations

import os
from pathlib import Path

FOLDERS = ("workloads", "links", "reruns", "bounds", "papers", "deleted", "runs", "sweeps")
"""In the order in which they are taken over: runs are labelled with the names of their workloads."""
INDEX = "index.sqlite"


def are_there(store: Path) -> bool:
    """Return whether a store holds something of an older version."""
    has_folder = any(os.path.isdir(store / name) for name in FOLDERS)
    return has_folder or any(os.path.exists(store / name) for name in ("key", INDEX))
