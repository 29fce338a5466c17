"""Compiled code that another clone with the same sources has left in the cache of this machine.

Numba keeps the code of a function under the path of its file: a fresh clone finds nothing, and compiles for minutes
what the clone beside it holds. An index names the SHA-256 of its source file, and the whole cache that of all sources
of the engine: where both are the same, so is the code.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path


def share_all() -> int:
    """Share what is cached with the package that is imported as `shadowtime` here."""
    import shadowtime
    from shadowtime.engine.kernel import cache

    return share(Path(shadowtime.__file__).parent, Path(cache.numba.config.CACHE_DIR))


def share(package: Path, cache: Path, own: Path | None = None) -> int:
    """Give each folder of a package the code that is in `cache` under another path; return how many there were.

    `own`: another cache, where the package looks for its code.
    """
    shared = 0
    for folder in sorted({path.parent for room in ("engine", "dashboard") for path in (package / room).rglob("*.py")}):
        place = place_of(folder, own or cache)
        if not any(place.glob("*.nbi")):
            others = sorted(cache.glob(f"{folder.name}_*"), key=lambda one: len(list(one.iterdir())))
            if (other := next((one for one in reversed(others) if is_of(folder, one)), None)) is not None:
                copy(other, place)
                shared += 1
    return shared


def place_of(folder: Path, cache: Path) -> Path:
    """Where Numba keeps the code of a folder of sources."""
    return cache / f"{folder.name}_{hashlib.sha1(str(folder).encode()).hexdigest()}"


def is_of(folder: Path, place: Path) -> bool:
    """Whether all code at `place` was compiled from files that are the same in `folder`, one of them at least."""
    indexes = list(place.glob("*.nbi"))
    return bool(indexes) and all(_is_fresh(folder / f"{index.name.partition('.')[0]}.py", index) for index in indexes)


def _is_fresh(source: Path, index: Path) -> bool:
    return source.is_file() and hashlib.sha256(source.read_bytes()).digest() in index.read_bytes()


def copy(place: Path, other: Path) -> None:
    """Copy code by links: Numba replaces files and never changes one in place."""
    made = other.with_name(f"{other.name}.{os.getpid()}")
    shutil.copytree(place, made, copy_function=link, ignore_dangling_symlinks=True)
    try:
        made.rename(other)
    except OSError:  # another process was quicker
        shutil.rmtree(made)


def link(source: str, target: str) -> None:
    """Link a file, or copy it where links do not reach; one that was just replaced is left out."""
    try:
        os.link(source, target)
    except FileNotFoundError:
        return
    except OSError:  # another file system
        shutil.copyfile(source, target)
