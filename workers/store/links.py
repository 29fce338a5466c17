"""Short links as files: a code made from what it stands for."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

from engine.errors import InvalidParameter
from workers.errors import NotFound
from workers.store import disk
from workers.store.base import utc_now

CODE = re.compile(r"[a-z2-7]{8,52}", re.ASCII)
SHORTEST = 8
LONGEST_TARGET = 4_000


class FileLinks:
    """All links below one folder."""

    def __init__(self, root: Path):
        self.root = root

    def make(self, target: str) -> str:
        """The code of a path of this site; the same path has the same code.

        Raises
        ------
        InvalidParameter
            For what is no path of this site: a link leads nowhere else.
        """
        if not re.fullmatch(r"/(?![/\\])[\x21-\x7e]*", target, re.ASCII) or len(target) > LONGEST_TARGET:
            raise InvalidParameter(
                f"a link leads to a page of this site, with at most {LONGEST_TARGET:,} characters; "
                f"{target[:80]!r} does not"
            )
        whole = base64.b32encode(hashlib.sha256(target.encode()).digest()).decode().lower().rstrip("=")
        length = SHORTEST
        while (taken := self._target(whole[:length])) not in (None, target):
            length += 1
        if taken is None:
            content = json.dumps({"target": target, "made": utc_now()}).encode()
            disk.replace_file(self.root / f"{whole[:length]}.json", content)
        return whole[:length]

    def read(self, code: str) -> str:
        target = self._target(code) if isinstance(code, str) and CODE.fullmatch(code) else None
        if target is None:
            raise NotFound("link", code)
        return target

    def _target(self, code: str) -> str | None:
        try:
            return json.loads((self.root / f"{code}.json").read_bytes())["target"]
        except FileNotFoundError:
            return None
