"""Changed examples: bytes as bytes, and JSON as values, so that what comes behind the parser is reached, too."""

from __future__ import annotations

import json
from random import Random
from typing import Any

NASTY: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 0.5, -0.0, 1e-300, 1e12, 1e300, 2**31 - 1, 2**31, 2**53, 2**63, 10**400,
    float("nan"), float("inf"), "", "0", "1e3", "=1+1", "<b>", "../../etc", "\u0000", "\ud800", "\u202e", "x" * 300,
    [], {}, [[]], [None],
)  # fmt: skip
"""Values that some reader somewhere did not expect."""


def nasty(random: Random) -> Any:
    return random.choice(NASTY)


def as_json(content: bytes, random: Random) -> bytes | None:
    """A JSON text with one to three of its values changed; None for a text that is no JSON."""
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        return None
    for _ in range(random.randint(1, 3)):
        value = _changed(value, random)
    return json.dumps(value, ensure_ascii=random.random() < 0.5).encode("utf-8", "surrogatepass")


def as_bytes(content: bytes, random: Random, words: tuple[bytes, ...] = ()) -> bytes:
    """Bytes after one to four accidents."""
    text = bytearray(content)
    for _ in range(random.randint(1, 4)):
        at = random.randint(0, len(text))
        to = min(len(text), at + random.randint(1, 20))
        match random.randint(0, 4):
            case 0:
                text[at:to] = random.choice(words or (b"0", b"-1", b"1e999", b"nan"))
            case 1:
                del text[at:to]
            case 2:
                text[at:at] = text[at:to]
            case 3:
                text[at:at] = bytes([random.randrange(256)])
            case 4 if at < len(text):
                text[at] ^= 1 << random.randrange(8)
    return bytes(text)


def _changed(value: Any, random: Random) -> Any:
    """`value` with something changed in it, or in its place."""
    inside = [*value] if isinstance(value, dict) else [*range(len(value))] if isinstance(value, list) else []
    if not inside or random.random() < 0.1:
        return _in_place(value, random)
    key = random.choice(inside)
    if random.random() < 0.7:
        changed = _changed(value[key], random)
        return {**value, key: changed} if isinstance(value, dict) else [*value[:key], changed, *value[key + 1 :]]
    other = value[random.choice(inside)]
    if isinstance(value, list):
        return random.choice(([*value, other], value[:key] + value[key + 1 :], [other, *value], value * 2))
    without = {name: one for name, one in value.items() if name != key}
    return random.choice((without, {**value, key: other}, {**value, str(nasty(random)): other}))


def _in_place(value: Any, random: Random) -> Any:
    if isinstance(value, int | float) and abs(value) < 1e18 and random.random() < 0.6:
        return random.choice((-value, value + 1, value - 1, value * 2, value / 2, value * 1e9, str(value), value * 0))
    if isinstance(value, str) and random.random() < 0.4:
        at = random.randint(0, len(value))
        return value[:at] + str(nasty(random)) + value[at:]
    return random.choice((nasty(random), [value], {"x": value}))
