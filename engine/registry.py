"""The table of all algorithms, by slug."""

from __future__ import annotations

from shadowtime.engine.algorithm import Algorithm
from shadowtime.engine.errors import UnknownName
from shadowtime.engine.families.classed.entries import HETEROGENEOUS
from shadowtime.engine.families.fractional.entries import FRACTIONAL
from shadowtime.engine.families.fractional.names import full_name
from shadowtime.engine.families.moldable.entries import FAMILY as MOLDABLE
from shadowtime.engine.families.multitask.entries import PACKING
from shadowtime.engine.families.rigid.entries import RIGID
from shadowtime.engine.families.two_tier.entries import KEASY, MEASY, REASY

_REGISTRY: dict[str, Algorithm] = {}


def register(algorithm: Algorithm) -> Algorithm:
    """Add an algorithm; a second one with the same slug is an error, it never shadows the first."""
    if algorithm.slug in _REGISTRY:
        raise ValueError(f"there is an algorithm {algorithm.slug!r} already")
    _REGISTRY[algorithm.slug] = algorithm
    return algorithm


for _entry in (*RIGID, KEASY, REASY, MEASY, *FRACTIONAL, *MOLDABLE, *PACKING, *HETEROGENEOUS):
    register(_entry)


def algorithms(*, variants: bool = False) -> dict[str, Algorithm]:
    """All algorithms by slug, in the order of the catalogue; `variants`: those too that lists do not show."""
    return {slug: entry for slug, entry in _REGISTRY.items() if entry.listed or variants}


def find(name: str) -> Algorithm:
    """The algorithm called `name`; upper and lower case are alike, and a fractional name may leave out its `opt=`.

    Raises
    ------
    UnknownName
        With the known slugs.
    """
    slug = full_name(str(name))
    if slug not in _REGISTRY:
        known = sorted(algorithms(), key=lambda one: ("/" in one, one))
        raise UnknownName("algorithm", str(name)[:80], known)
    return _REGISTRY[slug]
