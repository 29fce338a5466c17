"""Private runs: a question that is asked in somebody's name, under an id that nobody else can work out.

The id of a public run is the digest of its question, so that whoever asks the same finds it. A private one has a salt
in its question: a keyed digest (HMAC) of the question and of who asks, under a key that never leaves the store. The
owner finds it again by asking again, and everybody else's question has another id.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import replace

from shadowtime.workers.spec import SALT_DIGITS, RunSpec


def salted(spec: RunSpec, owner: str, key: bytes) -> RunSpec:
    """The private question of `owner`; `key` is that of the store."""
    text = f"{owner}\n{replace(spec, salt='').json}"
    return replace(spec, salt=hmac.new(key, text.encode(), hashlib.sha256).hexdigest()[:SALT_DIGITS])
