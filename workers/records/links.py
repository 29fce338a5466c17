"""Record short links: a code computed from the target, and all that a later version needs to show it.

A link stores its address, the questions of the runs that it shows and the digests of their tables: if a run is deleted
and recomputed, the result can still be compared bit by bit.

The code of a public link is computed from its target. The code of a secret link, to private runs, also holds random
bits: knowing the code grants access. A revoked link stays as a row, so that its code is never used again.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, select

from shadowtime.engine.errors import InvalidParameter
from shadowtime.workers.digest import Digested
from shadowtime.workers.errors import Damaged, NotFound
from shadowtime.workers.records import checksum
from shadowtime.workers.records.database import Database, alone, rows, upsert
from shadowtime.workers.records.printable import printable
from shadowtime.workers.records.schema import links
from shadowtime.workers.spec import RunSpec

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
    is_damaged: bool = False
    """Its row differs from what was written: it leads nowhere, and is only listed."""

    @property
    def is_secret(self) -> bool:
        """Return whether its code grants access to private runs."""
        return bool(self.salt)


class Links:
    """All links of a database."""

    def __init__(
        self,
        database: Database,
        with_room: Callable[[Callable[[], None]], None] = lambda act: act(),
        require_room: Callable[[], None] = lambda: None,
    ):
        """`with_room` deletes, again with more room if the disk is full; `require_room` refuses such a disk."""
        self._database = database
        self._with_room = with_room
        self._require_room = require_room

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

        If a run was unfinished when its link was made and has finished since, the link is updated. A damaged link is
        written again when it is made again.

        Raises
        ------
        InvalidParameter
            For a target that is not a path of this site, or a title that is too long.
        """
        _check(target)
        words = _title(title)
        with self._database.write() as connection:
            new = Link("", target, words, self._database.now(connection), owner=owner)
            alone(connection, f"link {target}")  # else two simultaneous calls would both return True
            found = _secret(connection, new) if secret else _public(connection, new)
            taken = _read(connection, found.code)
            is_new = taken is None or taken.is_damaged
            if is_new:
                self._require_room()
            link = replace(found, runs=_fuller(() if taken is None else taken.runs, runs), is_damaged=False)
            if taken is None or taken != link:
                upsert(connection, links, row_of(link))
        return link, is_new

    def read(self, code: str) -> Link:
        """Return the link of a code.

        Raises
        ------
        NotFound
            For a code that is unknown or was revoked.
        Damaged
            When its row differs from what was written.
        """
        link = None
        if isinstance(code, str) and CODE.fullmatch(code):
            with self._database.read() as connection:
                link = _read(connection, code)
        if link is not None and link.is_damaged:
            raise Damaged(f"short link {code} is damaged: its row is not what was written; make the link again")
        if link is None or link.revoked:
            raise NotFound("link", code)
        return link

    def revoke(self, code: str) -> None:
        """Revoke a code for good. NotFound as for `read`; a damaged one can be revoked."""
        self._with_room(lambda: self._revoke(code))

    def _revoke(self, code: str) -> None:
        with self._database.write() as connection:
            link = _read(connection, code) if CODE.fullmatch(code) else None
            if link is None or link.revoked:
                raise NotFound("link", code)
            upsert(connection, links, row_of(replace(link, revoked=self._database.now(connection), is_damaged=False)))

    def all(self) -> list[Link]:
        """Return every link that is not revoked, in the order of their codes; also damaged ones."""
        with self._database.read() as connection:
            found = [_link(row) for row in rows(connection, select(links).order_by(links.c.code))]
        return [link for link in found if not link.revoked]


def row_of(link: Link) -> dict[str, Any]:
    """Return the row of a link."""
    values = {name: getattr(link, name) for name in ("code", "target", "title", "made", "owner", "salt", "revoked")}
    return checksum.sealed(
        links, {**values, "runs": json.dumps([asdict(run) for run in link.runs], ensure_ascii=False)}
    )


def of_values(code: str, values: Mapping[str, Any]) -> Link:
    """Return the link that a JSON object describes. Keys of later versions are ignored; keys that an earlier version
    did not have are empty."""
    known = LinkedRun.__dataclass_fields__
    runs = [LinkedRun(**{name: run[name] for name in known if name in run}) for run in values.get("runs") or ()]
    more = {name: values[name] for name in ("owner", "salt", "revoked") if name in values}
    return Link(code, values["target"], values.get("title", ""), values.get("made", ""), tuple(runs), **more)


def _link(row: Mapping[str, Any]) -> Link:
    if not checksum.is_intact(links, row):
        return Link(str(row["code"]), "", owner=row["owner"], revoked=row["revoked"], is_damaged=True)
    return of_values(row["code"], {**row, "runs": json.loads(row["runs"])})


def _read(connection: Connection, code: str) -> Link | None:
    found = rows(connection, select(links).where(links.c.code == code))
    return _link(found[0]) if found else None


def _public(connection: Connection, link: Link) -> Link:
    """Return the link with a code computed from its content, as short as is free or its own already."""
    whole = _code(link)
    for length in range(SHORTEST, len(whole) + 1):
        taken = _read(connection, whole[:length])
        if taken is None or (taken.is_damaged and not taken.revoked):
            return replace(link, code=whole[:length])
        if not taken.revoked and _is_same(taken, link):
            return taken
    return _secret(connection, link)  # each of its codes was revoked


def _secret(connection: Connection, new: Link) -> Link:
    """Return the link with a random code: the existing one of the same content, else a new one."""
    same = select(links).where(links.c.target == new.target, links.c.title == new.title).order_by(links.c.code)
    for link in map(_link, rows(connection, same)):
        if link.is_secret and not link.revoked and _is_same(link, new):
            return link
    salted = replace(new, salt=secrets.token_hex(20))
    return replace(salted, code=_code(salted)[:SECRET])


def is_code_of(link: Link) -> bool:
    """Return whether its code is computed from its content."""
    return len(link.code) >= SHORTEST and _code(link).startswith(link.code)


def _check(target: str) -> None:
    if not re.fullmatch(r"/(?![/\\])[\x21-\x7e]*", target, re.ASCII) or len(target) > LONGEST_TARGET:
        raise InvalidParameter(
            f"a link leads to a page of this site, with at most {LONGEST_TARGET:,} characters; {target[:80]!r} does not"
        )


def _title(text: str) -> str:
    title = " ".join(printable(text).split())
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
