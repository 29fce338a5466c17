"""The ads in what `condor_history` prints as JSON: a list of objects, or one object after the other."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.sites.utf8 import ODD_BYTES

LONGEST = 8_000_000
"""Characters of the longest object."""
BETWEEN = re.compile(r"[\s,\[\]]*")
"""What stands between objects."""


def ads_of_json(first: bytes, pieces: Iterator[bytes], names: frozenset[bytes]) -> Iterator[dict[bytes, bytes]]:
    """Yield, of each object, the attributes with these names in lower case.

    Raises
    ------
    InvalidWorkload
        If the text is cut, or no JSON.
    """
    decoder, parse = codecs.getincrementaldecoder("utf-8")(errors=ODD_BYTES), json.JSONDecoder().raw_decode
    text, found = "", 0
    for piece in chain([first], pieces, [b""]):
        text += decoder.decode(piece, final=not piece)
        at = _after(text, 0)
        while at < len(text):
            try:
                ad, end = parse(text, at)
            except json.JSONDecodeError:
                if piece and len(text) - at <= LONGEST:
                    break
                raise InvalidWorkload(f"ad {found + 1:,} is cut, or no JSON.") from None
            except (ValueError, RecursionError):
                raise InvalidWorkload(f"ad {found + 1:,} holds a number or a list that is too long.") from None
            if not isinstance(ad, dict):
                raise InvalidWorkload(f"ad {found + 1:,} is no object of JSON.")
            found += 1
            yield _attributes(ad, names)
            at = _after(text, end)
        text = text[at:]


def _after(text: str, at: int) -> int:
    between = BETWEEN.match(text, at)
    return between.end() if between else at


def _attributes(ad: dict[str, Any], names: frozenset[bytes]) -> dict[bytes, bytes]:
    """Return the attributes as they are written in text, without quotes."""
    named = ((name.lower().encode(errors="replace"), value) for name, value in ad.items())
    return {name: str(value).encode(errors="replace") for name, value in named if name in names}
