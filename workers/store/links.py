"""Short links as files: a code made from what it stands for, and all that a later laboratory needs to answer it.

A link keeps, beside its address, the questions of the runs that it shows and the digests of their tables: a run may
be deleted, and asked again, and whether the answer is the same to the last bit can still be said.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from engine.errors import InvalidParameter
from workers.errors import NotFound
from workers.spec import RunSpec
from workers.store import disk
from workers.store.base import utc_now

CODE = re.compile(r"[a-z2-7]{8,52}", re.ASCII)
SHORTEST = 8
LONGEST_TARGET = 4_000
LONGEST_TITLE = 120


@dataclass(frozen=True)
class LinkedRun:
    """A run as it was when a link to it was made."""

    spec: str
    """Its question as canonical JSON, whose SHA-256 is the run's digest."""
    jobs: int = 0
    ended: str = ""
    """When it had finished; empty where it had not."""
    tables: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of each table."""
    metrics: Mapping[str, Any] = field(default_factory=dict)

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.spec.encode()).hexdigest()

    @property
    def id(self) -> str:
        return self.digest[:16]

    @property
    def question(self) -> RunSpec:
        return RunSpec.from_json(self.spec)


@dataclass(frozen=True)
class Link:
    """What a code stands for."""

    code: str
    target: str
    """A path of this site, with its view."""
    title: str = ""
    made: str = ""
    """In UTC."""
    runs: Sequence[LinkedRun] = ()


class FileLinks:
    """All links below one folder."""

    def __init__(self, root: Path):
        self.root = root

    def make(self, target: str, title: str = "", runs: Sequence[LinkedRun] = ()) -> tuple[Link, bool]:
        """The link to a path of this site; the same path with the same title is found: False.

        A run that had not finished when its link was made is told now, where it has.

        Raises
        ------
        InvalidParameter
            For what is no path of this site (a link leads nowhere else), and for a title that is too long.
        """
        _check(target)
        title = _title(title)
        whole = _code(target, title)
        length = SHORTEST
        while (taken := self._read(whole[:length])) and (taken.target, taken.title) != (target, title):
            length += 1
        made = taken.made if taken else utc_now()
        link = Link(whole[:length], target, title, made, _fuller(taken.runs if taken else (), runs))
        if taken is None or taken.runs != link.runs:
            content = {name: value for name, value in asdict(link).items() if name != "code"}
            disk.replace_file(self.root / f"{link.code}.json", json.dumps(content, ensure_ascii=False).encode())
        return link, taken is None

    def read(self, code: str) -> Link:
        """What a code stands for; NotFound for one that was never given."""
        link = self._read(code) if isinstance(code, str) and CODE.fullmatch(code) else None
        if link is None:
            raise NotFound("link", code)
        return link

    def all(self) -> Iterator[Link]:
        """Every link, in the order of their codes."""
        for path in sorted(self.root.glob("*.json")):
            with suppress(FileNotFoundError):  # of another process, which renames it now
                yield read_link(path)

    def _read(self, code: str) -> Link | None:
        try:
            return read_link(self.root / f"{code}.json")
        except FileNotFoundError:
            return None


def read_link(path: Path) -> Link:
    """The link in a file. Keys that a later version added are left aside; those that an earlier one had not are
    empty."""
    values = json.loads(path.read_bytes())
    known = LinkedRun.__dataclass_fields__
    runs = [LinkedRun(**{name: run[name] for name in known if name in run}) for run in values.get("runs", ())]
    return Link(path.stem, values["target"], values.get("title", ""), values.get("made", ""), tuple(runs))


def is_code_of(link: Link) -> bool:
    """Whether its code is made from what it leads to."""
    return len(link.code) >= SHORTEST and _code(link.target, link.title).startswith(link.code)


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


def _code(target: str, title: str) -> str:
    """The whole code, of which a link takes as much as it needs."""
    text = f"{target}\n{title}" if title else target
    return base64.b32encode(hashlib.sha256(text.encode()).digest()).decode().lower().rstrip("=")


def _fuller(kept: Sequence[LinkedRun], runs: Sequence[LinkedRun]) -> tuple[LinkedRun, ...]:
    """What is known of the runs: as they were when the link was made, or when they first had tables."""
    known = {run.spec: run for run in runs}
    return tuple(run if run.tables else known.get(run.spec, run) for run in kept) if kept else tuple(runs)
