"""Name a question by the digest of its canonical text."""

from __future__ import annotations

import hashlib
from functools import cached_property


class Identified:
    """Base of what has a digest."""

    digest: str

    @property
    def id(self) -> str:
        """The first 16 digits: used in links, answers and file names of exports."""
        return self.digest[:16]


class Digested:
    """Base of a question whose id is computed from its canonical JSON."""

    @property
    def json(self) -> str:
        """Canonical JSON."""
        raise NotImplementedError

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the canonical text: 64 hexadecimal digits, the name of its folder in the store."""
        return hashlib.sha256(self.json.encode()).hexdigest()

    @property
    def id(self) -> str:
        """The first 16 digits: used in links, answers and file names of exports."""
        return self.digest[:16]
