"""Whether tests that have a short and a long form run the long one (`make soak`)."""

from __future__ import annotations

import os
from typing import TypeVar

WHOLE = bool(os.environ.get("WHOLE"))
T = TypeVar("T")


def whole_or(long: T, short: T) -> T:
    """Return what `make soak` takes, or what `make test` takes."""
    return long if WHOLE else short
