"""Store short links as files: a code computed from the target, and all that a later version needs to show it.

A link stores its address, the questions of the runs that it shows and the digests of their tables: if a run is deleted
and recomputed, the result can still be compared bit by bit.

The code of a public link is computed from its target. The code of a secret link, to private runs, also holds random
bits: knowing the code grants access. A revoked link stays as a file, so that its code is never used again.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from shadowtime.engine.errors import InvalidParameter
from shadowtime.workers.digest import Digested
from shadowtime.workers.errors import NotFound
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import disk
from shadowtime.workers.store.base import utc_now

CODE = re.compile(r"[a-z2-7]{8,52}", re.ASCII)
SHORTEST, SECRET = 8, 26
"""Minimum letters of a code, of 5 bits each; a secret code has 130 bits."""
LONGEST_TARGET = 4_000
LONGEST_TITLE = 120


@dataclass(frozen=True)
class LinkedRun(Digested):
    """A run as it was when a link to it was made."""

    spec: str
    """Its question as canonical JSON, whose SHA-256 is the run's digest."""
    jobs: int = 0
    ended: str = ""
    """When it had finished; empty for an unfinished run."""
    tables: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of each table."""
    metrics: Mapping[str, Any] = field(default_factory=dict)

    @property
    def json(self) -> str:
        """The question, as it is stored."""
        return self.spec

    @property
    def question(self) -> RunSpec:
        return RunSpec.from_json(self.spec)


@dataclass(frozen=True)
class Link:
    """The target of a code."""

    code: str
    target: str
    """A path of this site, with its view."""
    title: str = ""
    made: str = ""
    """In UTC."""
    runs: Sequence[LinkedRun] = ()
    owner: str | None = None
    """The user who made it, if known."""
    salt: str = ""
    """Random part of a secret code."""
    revoked: str = ""
    """When it was revoked, in UTC."""

    @property
    def is_secret(self) -> bool:
        """Return whether its code grants access to private runs."""
        return bool(self.salt)


class FileLinks:
    """All links below one folder."""

    def __init__(self, root: Path):
        self.root = root

    def make(
        self,
        target: str,
        title: str = "",
        runs: Sequence[LinkedRun] = (),
        *,
        owner: str | None = None,
        secret: bool = False,
    ) -> tuple[Link, bool]:
        """Create the link to a path of this site; return False if the same path, title and owner have one.

        If a run was unfinished when its link was made and has finished since, the link is updated.

        Raises
        ------
        InvalidParameter
            For a target that is not a path of this site, or a title that is too long.
        """
        _check(target)
        link = Link("", target, _title(title), utc_now(), owner=owner)
        found = self._secret(link) if secret else self._public(link)
        taken = self._read(found.code)
        link = replace(found, runs=_fuller(taken.runs if taken else (), runs))
        if taken is None or taken.runs != link.runs:
            self._write(link)
        return link, taken is None

    def read(self, code: str) -> Link:
        """Return the link of a code; NotFound for one that is unknown or was revoked."""
        link = self._read(code) if isinstance(code, str) and CODE.fullmatch(code) else None
        if link is None or link.revoked:
            raise NotFound("link", code)
        return link

    def revoke(self, code: str) -> None:
        """Revoke a code for good. NotFound as for `read`."""
        self._write(replace(self.read(code), revoked=utc_now()))

    def all(self) -> Iterator[Link]:
        """Yield every link that is not revoked, in the order of their codes."""
        for path in sorted(self.root.glob("*.json")):
            with suppress(FileNotFoundError):  # another process is just renaming this file
                link = read_link(path)
                if not link.revoked:
                    yield link

    def _public(self, link: Link) -> Link:
        """Return the link with a code computed from its content, as short as is free or its own already."""
        whole = _code(link)
        for length in range(SHORTEST, len(whole) + 1):
            taken = self._read(whole[:length])
            if taken is None:
                return replace(link, code=whole[:length])
            if not taken.revoked and _is_same(taken, link):
                return taken
        return self._secret(link)  # each of its codes was revoked

    def _secret(self, new: Link) -> Link:
        """Return the link with a random code: the existing one of the same content, else a new one."""
        for link in self.all():
            if link.is_secret and _is_same(link, new):
                return link
        salted = replace(new, salt=secrets.token_hex(20))
        return replace(salted, code=_code(salted)[:SECRET])

    def _write(self, link: Link) -> None:
        content = {name: value for name, value in asdict(link).items() if name != "code"}
        disk.replace_file(self.root / f"{link.code}.json", json.dumps(content, ensure_ascii=False).encode())

    def _read(self, code: str) -> Link | None:
        try:
            return read_link(self.root / f"{code}.json")
        except FileNotFoundError:
            return None


def read_link(path: Path) -> Link:
    """Return the link in a file. Keys of later versions are ignored; keys that an earlier version did not have are
    empty."""
    values = json.loads(path.read_bytes())
    known = LinkedRun.__dataclass_fields__
    runs = [LinkedRun(**{name: run[name] for name in known if name in run}) for run in values.get("runs", ())]
    more = {name: values[name] for name in ("owner", "salt", "revoked") if name in values}
    return Link(path.stem, values["target"], values.get("title", ""), values.get("made", ""), tuple(runs), **more)


def is_code_of(link: Link) -> bool:
    """Return whether its code is computed from its content."""
    return len(link.code) >= SHORTEST and _code(link).startswith(link.code)


def _check(target: str) -> None:
    if not re.fullmatch(r"/(?![/\\])[\x21-\x7e]*", target, re.ASCII) or len(target) > LONGEST_TARGET:
        raise InvalidParameter(
            f"a link leads to a page of this site, with at most {LONGEST_TARGET:,} characters; {target[:80]!r} does not"
        )


def _title(text: str) -> str:
    title = " ".join("".join(letter if letter.isprintable() else " " for letter in text).split())
    if len(title) > LONGEST_TITLE:
        raise InvalidParameter(f"a title has at most {LONGEST_TITLE} characters, this one {len(title):,}")
    return title


def _is_same(link: Link, other: Link) -> bool:
    return (link.target, link.title, link.owner) == (other.target, other.title, other.owner)


def _code(link: Link) -> str:
    """Return the whole code, of which a link uses as much as it needs."""
    text = f"{link.target}\n{link.title}" if link.title else link.target
    if link.owner or link.salt:
        text = f"{text}\n\n{link.owner or ''}\n{link.salt}"
    return base64.b32encode(hashlib.sha256(text.encode()).digest()).decode().lower().rstrip("=")


def _fuller(kept: Sequence[LinkedRun], runs: Sequence[LinkedRun]) -> tuple[LinkedRun, ...]:
    """Merge the runs of a link: as they were when the link was made, or when they first had tables."""
    known = {run.spec: run for run in runs}
    return tuple(run if run.tables else known.get(run.spec, run) for run in kept) if kept else tuple(runs)
