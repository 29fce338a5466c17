"""The registry: one entry per algorithm. Names, forms, help, URLs and conformance tests follow from it."""

from __future__ import annotations

from shadowtime.engine.policies.algorithm import Algorithm
from shadowtime.engine.policies.registry import algorithms, find, register

__all__ = ["Algorithm", "algorithms", "find", "register"]
