"""Attributes of the page's elements that a keyword cannot spell."""

from __future__ import annotations

from typing import Any


def attributes(named: dict[str, str]) -> dict[str, Any]:
    """Return `data-` and `aria-` attributes as what a component unpacks beside its typed properties."""
    return {**named}


def identified(identity: str) -> dict[str, Any]:
    """Return the `id` of an element that may have none."""
    return {"id": identity} if identity else {}
