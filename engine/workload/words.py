"""Numbers and verbs in the sentences of readers and generators."""

from __future__ import annotations


def count(n: int, noun: str, plural: str = "") -> str:
    """Return a number with its noun: "1 job", "232,536 jobs"."""
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def were(n: int) -> str:
    """Return the verb after a count: was or were."""
    return "was" if n == 1 else "were"
