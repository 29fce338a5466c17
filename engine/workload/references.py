"""Parse the short text forms of workloads and conversions."""

from __future__ import annotations

from collections.abc import Iterator

from shadowtime.engine.parameters import read_pairs
from shadowtime.engine.registry import find_conversion, generators


def parse_reference(text: str) -> tuple[str, dict[str, str]] | tuple[str, str | None]:
    """Return a generator with its parameters, or a file with its case.

    "lublin:jobs=1000,load=0.8" gives ("lublin", {"jobs": "1000", "load": "0.8"}); "file.json#name" gives
    ("file.json", "name") and "log.swf" ("log.swf", None). A caller with a disk checks first for a file of that name.
    """
    slug, _, rest = text.partition(":")
    if slug.strip().lower() in generators():
        return slug.strip().lower(), read_pairs(rest, slug)
    path, mark, case = text.rpartition("#")
    return (path, case) if mark and path else (text, None)


def parse_conversion(text: str) -> tuple[str, dict[str, str]]:
    """Return a conversion's slug and parameters: "load:rho=0.8", or "week:20" (the first parameter needs no name).

    Raises
    ------
    UnknownName
        If there is no such conversion.
    InvalidParameter
        If the rest is not a list of name=value.
    """
    slug, _, rest = text.partition(":")
    conversion = find_conversion(slug)
    first = conversion.parameters[0].name if conversion.parameters else ""
    return conversion.slug, read_pairs(rest, conversion.slug, first)


def splits(text: str) -> Iterator[tuple[str, str]]:
    """Yield the ways to read a text as `file#case`, the shortest case first: either may have marks of its own."""
    for at in range(len(text) - 1, -1, -1):
        if text[at] == "#":
            yield text[:at], text[at + 1 :]
