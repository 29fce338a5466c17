"""Stores that older versions wrote, kept for ever (`README.md`): a copy of one, and what its files say."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path
from typing import Any

SAFELY: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
"""Python before 3.11.4 has no filters."""
ARCHIVES = sorted(Path(__file__).parent.glob("*.tar.xz"))


def version_of(archive: Path) -> str:
    """The engine that made it."""
    return archive.name.removesuffix(".tar.xz")


def unpack(archive: Path, folder: Path) -> Path:
    """A copy that may be changed."""
    with tarfile.open(archive) as kept:
        kept.extractall(folder, **SAFELY)
    return folder


def said(folder: Path, what: str, name: str) -> dict[str, dict[str, Any]]:
    """What the file `name` of each of the `what` ("runs", "sweeps") says, by digest."""
    return {path.parent.name: json.loads(path.read_bytes()) for path in place(folder, what).glob(f"*/{name}")}


def place(folder: Path, what: str) -> Path:
    """The folder of the `what`, which has another name once it was taken over."""
    older = folder / f"older-{what}"
    return older if older.is_dir() else folder / what


def links(folder: Path) -> dict[str, dict[str, Any]]:
    """What the file of each short link says, by its code."""
    return {path.stem: json.loads(path.read_bytes()) for path in folder.glob("*links/*.json")}
