"""Read large JSON texts as a stream: one object after the other, never the whole text.

Bytes that are no UTF-8 count as Windows-1252. Several texts may follow each other, as when monthly files are joined.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import ijson

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.limits import Limits, bytes_in_words
from shadowtime.engine.workload.sites.utf8 import as_utf8

CHUNK = 65_536
"""Bytes that are parsed at a time."""
MARK = 40
"""Column of the place of an error in the context that the parser shows."""
BESIDE = 30
"""Characters of the context on each side of the place."""
FAULTS = (ijson.JSONError, ArithmeticError, ValueError)
"""What the parser raises; the last two for numbers of too many digits."""
BREAKS = bytes.maketrans(b"\r\n", b"  ")


def objects(pieces: Iterator[bytes], limits: Limits, *paths: str) -> Iterator[tuple[int, Any]]:
    """Yield the values at `paths` in the order of the text, each with the position of its path.

    A path is that of ijson: `jobs.item` gives each value of the list `jobs` of an object, `item` those of a list. One
    that ends with `:pairs` gives the pairs of name and value in an object.

    Raises
    ------
    InvalidWorkload
        If the text is not JSON (with the line), ends early, or a value has more bytes than a JSON instance may have.
    """
    found = [ijson.sendable_list() for _ in paths]
    parsers = [_parser(events, path) for events, path in zip(found, paths, strict=True)]
    line, given, unseen = 1, 0, 0
    for piece in as_utf8(pieces):
        for first in range(0, len(piece), CHUNK):
            chunk = piece[first : first + CHUNK]
            for parser in parsers:
                try:
                    parser.send(chunk)
                except FAULTS as error:
                    at = line + chunk.count(b"\n", 0, _place(str(error), chunk))
                    raise InvalidWorkload(f"line {at:,} is not JSON: {_reason(error)}{_after(given)}.") from None
            line += chunk.count(b"\n")
            unseen += len(chunk)
            for position, events in enumerate(found):
                for value in events:
                    yield position, value
                given += len(events)
                unseen = 0 if events else unseen
                events.clear()
            if unseen > limits.json:
                raise InvalidWorkload(
                    f"line {line:,}: a record has more than {bytes_in_words(limits.json)}, the limit."
                )
    try:
        for parser in parsers:
            parser.close()
    except FAULTS:
        raise InvalidWorkload(f"its JSON ends in the middle, at line {line:,}{_after(given)}. Send it again.") from None


def _parser(events: list, path: str) -> Any:
    if path.endswith(":pairs"):
        return ijson.kvitems_coro(events, path.removesuffix(":pairs"), multiple_values=True)
    return ijson.items_coro(events, path, multiple_values=True)


def _place(message: str, chunk: bytes) -> int:
    """Return where in a chunk an error is, by the context that the message shows; 0 if that is not found."""
    context = message.partition("\n")[2].partition("\n")[0]
    before, after = context[MARK - BESIDE : MARK].encode(), context[MARK:].encode()
    found = chunk.translate(BREAKS).find(before + after)
    return found + len(before) if found >= 0 else 0


def _reason(error: Exception) -> str:
    if not isinstance(error, ijson.JSONError):
        return "a number has too many digits"
    return str(error).split("\n", 1)[0].partition(":")[2].strip().rstrip(".")[:120] or "it breaks off"


def _after(given: int) -> str:
    return f", after {given:,} {'record' if given == 1 else 'records'}" if given else ""
