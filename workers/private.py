"""Give private runs ids that only their owner can compute.

The id of a public run is the digest of its question, so that the same question finds it. A private question holds a
salt: a keyed digest (HMAC) of the question and its owner, under a key that never leaves the store. The owner finds the
run again with the same question; for all others the question has another id.
"""

from __future__ import annotations

import hashlib
import hmac
from dataclasses import replace

from shadowtime.workers.spec import SALT_DIGITS, RunSpec


def salted(spec: RunSpec, owner: str, key: bytes) -> RunSpec:
    """Return the private question of `owner`; `key` is the key of the store."""
    text = f"{owner}\n{replace(spec, salt='').json}"
    return replace(spec, salt=hmac.new(key, text.encode(), hashlib.sha256).hexdigest()[:SALT_DIGITS])
