"""Where compiled code is kept on disk, and whether that of a function is there; numba is not imported for it.

Numba notices a change in a function's own file, not in the files of the functions it calls: its cache
is therefore kept under a digest of all engine sources (measured: without the digest, a corrected kernel
still returned the old answers, digit for digit).
"""

from __future__ import annotations

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from shadowtime.engine.errors import EngineError

ENGINE = Path(__file__).parent.parent
PACKAGE = "shadowtime.engine."


@lru_cache(maxsize=1)
def source_digest() -> str:
    """Return the SHA-256 over names and contents of all Python files of the engine, in sorted order."""
    root = ENGINE.resolve()
    digest = hashlib.sha256()
    for path in sorted(root.rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def folder() -> Path:
    """Return the folder of compiled code: NUMBA_CACHE_DIR, else one below the user's cache.

    Raises
    ------
    EngineError
        When the user has no home folder and no variable names another.
    """
    if given := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(given)
    base = os.environ.get("SHADOWTIME_CACHE") or os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    if base.startswith("~"):
        raise EngineError("SHADOWTIME_CACHE must name a folder for compiled code: this user has no home folder")
    return Path(base) / "shadowtime" / f"numba-{source_digest()[:16]}"


def is_kept(which: str) -> bool:
    """Return whether code of `module:function` is on disk; `*` stands for any function of its folder.

    Only the engine's own code is looked for: that of a plug-in counts as kept.
    """
    module, _, function = which.partition(":")
    if not module.startswith(PACKAGE):
        return True
    path = ENGINE.joinpath(*module.removeprefix(PACKAGE).split("."))
    place = folder() / f"{path.parent.name}_{hashlib.sha1(str(path.parent).encode()).hexdigest()}"
    return any(place.glob("*.nbi" if function == "*" else f"{path.name}.{function}-*.nbi"))


@contextmanager
def turn() -> Iterator[None]:
    """Compile in turn with the other processes of this machine: what one of them compiles the next one finds."""
    folder().mkdir(parents=True, exist_ok=True)
    with (folder() / "turn").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
