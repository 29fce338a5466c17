"""The table of all algorithms, by slug."""

from __future__ import annotations

from engine.errors import UnknownName
from engine.policies.algorithm import Algorithm
from engine.policies.catalogue import CATALOGUE

_REGISTRY: dict[str, Algorithm] = {}


def register(algorithm: Algorithm) -> Algorithm:
    """Add an algorithm; a second one with the same slug is an error, it never shadows the first."""
    if algorithm.slug in _REGISTRY:
        raise ValueError(f"there is an algorithm {algorithm.slug!r} already")
    _REGISTRY[algorithm.slug] = algorithm
    return algorithm


for _entry in CATALOGUE:
    register(_entry)


def algorithms() -> dict[str, Algorithm]:
    """All algorithms by slug, in the order of the catalogue."""
    return dict(_REGISTRY)


def find(name: str) -> Algorithm:
    """The algorithm called `name`; upper and lower case are alike.

    Raises
    ------
    UnknownName
        With the known slugs.
    """
    slug = str(name).strip().lower()
    if slug not in _REGISTRY:
        raise UnknownName("algorithm", str(name)[:80], sorted(_REGISTRY))
    return _REGISTRY[slug]
