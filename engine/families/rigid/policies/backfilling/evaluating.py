"""Evaluate the expression of an order for one job: a stack machine."""

from __future__ import annotations

import math

import numpy as np

from shadowtime.engine.families.rigid.grammar import CODES
from shadowtime.engine.kernel.cache import inner

(
    NUMBER, WAIT, REQUEST, PROCESSORS, SUBMITTED, ADD, SUBTRACT, MULTIPLY, DIVIDE, POWER, NEGATE,
    LOG2, LOG10, SQRT, MIN, MAX,
) = (np.int64(code) for code in range(len(CODES)))  # fmt: skip


@inner
def apply(code, a, b):
    """Return the result of an operation with two operands; NaN where one of them is no number."""
    if math.isnan(a) or math.isnan(b):
        return np.nan
    if code == ADD:
        return a + b
    if code == SUBTRACT:
        return a - b
    if code == MULTIPLY:
        return a * b
    if code == DIVIDE:
        return a / b if b != 0.0 else np.nan
    if code == POWER:
        return power(a, b)
    return min(a, b) if code == MIN else max(a, b)


@inner
def power(a, b):
    """Return a ** b; NaN where it is no real number."""
    if (a < 0.0 and b != math.floor(b)) or (a == 0.0 and b < 0.0):
        return np.nan
    return math.pow(a, b)


@inner
def apply_one(code, a):
    """Return the result of an operation with one operand; NaN where it is no real number."""
    if code == NEGATE:
        return -a
    if a < 0.0 or (a == 0.0 and code != SQRT):
        return np.nan
    if code == LOG2:
        return math.log2(a)
    return math.log10(a) if code == LOG10 else math.sqrt(a)


@inner
def evaluate(q, w, r, n, s):
    """Return the key of a job: the value of the expression, negated, as the largest goes first.

    A job whose value is no number goes last.
    """
    stack, depth = q.stack, 0
    for y in range(len(q.code)):
        code = q.code[y]
        if code <= SUBMITTED:
            value = q.number[y]
            if code == WAIT:
                value = w
            elif code == REQUEST:
                value = r
            elif code == PROCESSORS:
                value = n
            elif code == SUBMITTED:
                value = s
            stack[depth] = value
            depth += 1
        elif code == NEGATE or LOG2 <= code <= SQRT:
            stack[depth - 1] = apply_one(code, stack[depth - 1])
        else:
            depth -= 1
            stack[depth - 1] = apply(code, stack[depth - 1], stack[depth])
    return np.inf if math.isnan(stack[0]) else -stack[0]
