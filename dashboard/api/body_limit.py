"""Requests whose bodies have a limit, whether a client states their length or sends them in chunks."""

from __future__ import annotations

from typing import Any

from flask import Request
from werkzeug.exceptions import RequestEntityTooLarge

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.engine.workload.limits import bytes_in_words

LONGEST = 2_000_000
"""Bytes of a body that is read whole, such as that of a callback of Dash. The largest that a page sends holds the
selected rows of the list of runs: 1,000 rows are about 1 MB. A file has its own limit, and is read in pieces."""


class BoundedRequest(Request):
    """A request that refuses a body of more than LONGEST bytes before anything parses it."""

    def get_data(self, cache: bool = True, as_text: bool = False, parse_form_data: bool = False) -> Any:
        """Return the body as werkzeug does.

        Raises
        ------
        Refusal
            413 for a body that is too long.
        """
        self.max_content_length = LONGEST + 1  # werkzeug cuts a body in chunks there, without an error
        try:
            data = super().get_data(cache, as_text, parse_form_data)  # type: ignore[call-overload]
        except RequestEntityTooLarge:
            raise too_long(LONGEST) from None
        if len(data) > LONGEST:
            raise too_long(LONGEST)
        return data


def too_long(limit: int) -> Refusal:
    """Return the refusal of a body of more than `limit` bytes."""
    return Refusal(413, f"The body has more than {bytes_in_words(limit)}, the limit here.")
