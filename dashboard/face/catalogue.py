"""What has a name: algorithms, generators and conversions."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from shadowtime.engine import registry


class Catalogue(dict[str, Any]):
    """Entries by name; each has `slug`, `title`, `summary` and typed `parameters`."""

    def __init__(self, noun: str, entries: Mapping[str, Any]):
        super().__init__(entries)
        self.noun = noun

    def __repr__(self) -> str:
        width = max(map(len, self), default=0)
        return "\n".join(f"{slug:{width}}  {entry.summary}" for slug, entry in self.items())

    def _repr_html_(self) -> str:
        rows = [
            f"<tr><td><code>{escape(slug)}</code></td><td>{escape(entry.title)}</td><td>{escape(entry.summary)}</td></tr>"
            for slug, entry in self.items()
        ]
        return f"<table><tr><th>{self.noun}</th><th>title</th><th>what it does</th></tr>{''.join(rows)}</table>"


def algorithms(*, variants: bool = False) -> Catalogue:
    """Return all algorithms by name, registered ones included.

    Parameters
    ----------
    variants
        Also the names that lists leave out, such as those of all fractional variants.

    Examples
    --------
    >>> import shadowtime as st
    >>> st.algorithms()["easy"].kinds
    ('rigid', 'fractional', 'two_tier')
    """
    return Catalogue("algorithm", registry.algorithms(variants=variants))


def generators() -> Catalogue:
    """Return all generators of workloads by name.

    Examples
    --------
    >>> import shadowtime as st
    >>> [parameter.name for parameter in st.generators()["lublin"].parameters]
    ['jobs', 'processors', 'classes', 'load']
    """
    return Catalogue("generator", registry.generators())


def conversions() -> Catalogue:
    """Return all conversions of workloads by name.

    Examples
    --------
    >>> import shadowtime as st
    >>> st.conversions()["two_tier"].makes
    'two_tier'
    """
    return Catalogue("conversion", registry.conversions())
