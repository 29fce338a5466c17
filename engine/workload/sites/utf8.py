"""Bytes of texts, made valid UTF-8."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import cast

ODD_BYTES = "shadowtime.windows-1252"
"""How bytes that are no UTF-8 are decoded: as Windows-1252, which has all letters of Latin-1, so that names that differ
stay different; U+FFFD for the five bytes that it leaves out. A value of `errors` for `bytes.decode`."""


def _as_windows_1252(error: UnicodeError) -> tuple[str, int]:
    fault = cast(UnicodeDecodeError, error)
    return fault.object[fault.start : fault.end].decode("windows-1252", errors="replace"), fault.end


codecs.register_error(ODD_BYTES, _as_windows_1252)


def as_utf8(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Yield the same texts in UTF-8; see ODD_BYTES."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors=ODD_BYTES)
    for piece in pieces:
        is_whole = not decoder.getstate()[0]
        yield piece if is_whole and piece.isascii() else decoder.decode(piece).encode()
    if rest := decoder.decode(b"", final=True):
        yield rest.encode()
