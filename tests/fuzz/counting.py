"""Which code counts its branches while it is tried. Imports nothing of ours: what is loaded before is not counted."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COUNTED = ("shadowtime.engine", "shadowtime.workers", "shadowtime.dashboard", "tomllib")
COMPILES = ("engine.kernel.cache import", "njit(")
"""Words of a source with functions that numba compiles: counted, they could not be compiled any more."""


def is_possible() -> bool:
    """Atheris is here: it has wheels for Linux on x86-64 and Python up to 3.13."""
    return find_spec("atheris") is not None


@contextlib.contextmanager
def counted() -> Iterator[None]:
    """What is imported inside counts its branches."""
    import atheris

    left_out = [
        _module(path) for room in ("engine", "dashboard") for path in (ROOT / room).rglob("*.py") if _compiles(path)
    ]
    with (
        open(os.devnull, "w") as nowhere,
        contextlib.redirect_stderr(nowhere),
        atheris.instrument_imports(include=[*COUNTED], exclude=sorted(left_out)),
    ):
        yield


def _compiles(path: Path) -> bool:
    text = path.read_text("utf-8")
    return any(words in text for words in COMPILES)


def _module(path: Path) -> str:
    return ".".join(("shadowtime", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
