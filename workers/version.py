"""Compute the version that is part of every result."""

from __future__ import annotations

import hashlib
import importlib.util
import tomllib
from functools import cache
from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


@cache
def engine_version() -> str:
    """Return the package's version and eight digits of a digest of the engine's sources: `0.1.0+ab12cd34`.

    Part of every run's question, so that a result of older code is never mistaken for one of newer code. Packages that
    bring families add eight digits each.
    """
    plugins = "".join(f".{digest}" for digest in plugin_digests())
    return f"{package_version()}+{source_digest(ROOT / 'engine')[:8]}{plugins}"


@cache
def studies_version() -> str:
    """Return eight digits of a digest of the sources of the paper studies."""
    return source_digest(ROOT / "workers" / "papers")[:8]


@cache
def sources_version() -> str:
    """Return sixteen digits of a digest of all sources and packages that bring families: what they write of the same
    contents is the same."""
    parts = [source_digest(ROOT / room) for room in ("engine", "workers", "dashboard")]
    return hashlib.sha256("".join([*parts, *plugin_digests()]).encode()).hexdigest()[:16]


def plugin_digests() -> list[str]:
    """Return eight digits for the sources of each installed package that brings a family, by name of the family."""
    digests = []
    for place in _plugins().values():
        content = source_digest(place) if place.is_dir() else hashlib.sha256(place.read_bytes()).hexdigest()
        digests.append(content[:8])
    return digests


def plugin_folders() -> dict[str, Path]:
    """Return the folder, or the one file, of each installed package that brings a family, by name of the package."""
    return {point.module.partition(".")[0]: place for point, place in _plugins().items()}


def _plugins() -> dict[metadata.EntryPoint, Path]:
    found = {}
    for point in sorted(metadata.entry_points(group="shadowtime.families")):
        spec = importlib.util.find_spec(point.module.partition(".")[0])
        if spec is None:
            raise ModuleNotFoundError(f"{point.value} (shadowtime.families) is not installed")
        folders = spec.submodule_search_locations
        if folders:
            found[point] = Path(next(iter(folders)))
        elif spec.origin:
            found[point] = Path(spec.origin)
    return found


def package_version() -> str:
    """Return the installed package's version; without an installation, that of pyproject.toml beside the sources."""
    try:
        return metadata.version("shadowtime")
    except metadata.PackageNotFoundError:
        return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]


def source_digest(directory: Path) -> str:
    """Return the SHA-256 over names and contents of all Python files below `directory`, in sorted order."""
    digest = hashlib.sha256()
    for path in sorted(directory.rglob("*.py"), key=lambda path: path.relative_to(directory).as_posix()):
        digest.update(path.relative_to(directory).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()
