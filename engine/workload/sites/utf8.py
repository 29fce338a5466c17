"""Bytes of texts, made valid UTF-8."""

from __future__ import annotations

import codecs
from collections.abc import Iterator


def as_utf8(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the same bytes; those that are no UTF-8 become U+FFFD."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    for piece in pieces:
        is_whole = not decoder.getstate()[0]
        yield piece if is_whole and piece.isascii() else decoder.decode(piece).encode()
    if rest := decoder.decode(b"", final=True):
        yield rest.encode()
