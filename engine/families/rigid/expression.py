"""An order of one's own, compiled to codes of a stack machine; the job with the largest value goes first."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from shadowtime.engine.families.rigid.grammar import CODES, Reader


@dataclass(frozen=True, eq=False)
class Expression:
    """The codes of an expression; arrays of one value a code."""

    codes: np.ndarray
    """int64, positions in `CODES`."""
    numbers: np.ndarray
    """float64: the constants, where the code is `number`."""

    @property
    def changes(self) -> bool:
        """Whether the value changes while a job waits."""
        return CODES.index("w") in self.codes


@lru_cache(maxsize=1024)
def compile_expression(text: str) -> Expression:
    """Return the compiled expression.

    Raises
    ------
    InvalidParameter
        If the text is no expression; the message names the place and the rule.
    """
    reader = Reader(text)
    reader.read()
    return Expression(np.array(reader.codes, np.int64), np.array(reader.numbers))
