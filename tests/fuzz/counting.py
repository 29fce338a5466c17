"""Which code counts its branches while it is tried. Imports nothing of ours: what is loaded before is not counted."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COUNTED = ("shadowtime.engine", "shadowtime.workers", "shadowtime.dashboard", "tomllib")
COMPILED = ("engine/kernel", "engine/policies", "engine/bounds", "engine/packing", "engine/schedule.py",
            "engine/simulation.py", "dashboard/viewer/raster.py")  # fmt: skip
"""Sources that numba compiles, which it could not any more, or that lead to such: they read nothing from outside."""
READING = ("engine/policies/fractional/names.py", "engine/policies/registry.py", "engine/policies/algorithm.py")
"""Those among them that do."""


def is_possible() -> bool:
    """Atheris is here: it has wheels for Linux on x86-64 and Python up to 3.13."""
    return find_spec("atheris") is not None


@contextlib.contextmanager
def counted() -> Iterator[None]:
    """What is imported inside counts its branches."""
    import atheris

    left_out = {_module(path) for part in COMPILED for path in _sources(part)}
    left_out -= {_module(ROOT / path) for path in READING}
    with (
        open(os.devnull, "w") as nowhere,
        contextlib.redirect_stderr(nowhere),
        atheris.instrument_imports(include=[*COUNTED], exclude=sorted(left_out)),
    ):
        yield


def _sources(part: str) -> list[Path]:
    path = ROOT / part
    return [path] if path.is_file() else sorted(path.rglob("*.py"))


def _module(path: Path) -> str:
    return ".".join(("shadowtime", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(".__init__")
