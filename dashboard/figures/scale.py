"""The logarithmic axis of values that several figures share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from shadowtime.dashboard.look import words


class Scale(NamedTuple):
    """Where an axis of values begins, its ticks, how a value is written, and the ticks of an axis of few decades."""

    floor: float
    ticks: Sequence[tuple[float, str]]
    text: Callable[[float], str] = words.number
    finer: Sequence[tuple[float, str]] = ()
