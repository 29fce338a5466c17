"""A target: a small reader of bytes that a person can send, and the promise that all of them keep.

Every input gives a value or a refusal in one sentence; never another exception, never more than SLOWEST seconds or
MEMORY megabytes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from shadowtime.engine.errors import QuestionError

SLOWEST = 10
"""Seconds that an input may take, on a machine that does other things, too."""
MEMORY = 2_000
"""Megabytes that a process may hold that reads one input after the other."""
LONGEST = 4_000
"""Bytes of an input."""
SENTENCE = 2_000
"""Characters of the longest refusal: it may list what there is."""


@dataclass(frozen=True)
class Target:
    """What is read, and examples of it."""

    name: str
    text: str
    """What is read, for the table of what was tried."""
    read: Callable[[bytes], Any]
    """Reads it; what it finds wrong by itself it says by AssertionError."""
    seeds: Callable[[], Sequence[bytes]]
    """Good examples, those of the tests, from which others are made."""
    refusals: tuple[type[Exception], ...] = (QuestionError,)
    """The errors that say that the input is wrong."""
    words: Sequence[str] = ()
    """What stands in inputs of that sort: no one would guess it letter by letter."""
    is_json: bool = False
    """Seeds are changed as JSON values, too."""


def attempt(target: Target, content: bytes) -> bool:
    """Read an input; whether it was taken. What a target must not do is raised."""
    try:
        target.read(content)
    except target.refusals as refusal:
        judge(str(refusal))
        return False
    return True


def judge(sentence: str) -> None:
    """A refusal is one sentence that can be shown, logged and sent."""
    assert sentence.strip(), "a refusal without a word"
    assert len(sentence) <= SENTENCE, f"a refusal of {len(sentence):,} characters"
    assert not {"\n", "\r", "\0"} & {*sentence}, f"a refusal of several lines: {sentence!r}"
    sentence.encode()


def text(content: bytes) -> str:
    """Bytes as a text that a person could send."""
    return content.decode("utf-8", "replace")
