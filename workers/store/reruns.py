"""Store re-runs of finished runs as files: requests and results. The run itself never changes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from shadowtime.workers.store import disk
from shadowtime.workers.store.base import utc_now

QUEUED, FINISHED, FAILED = "queued", "finished", "failed"


@dataclass(frozen=True)
class Rerun:
    """The latest re-run of a run by the engine that made it."""

    status: str
    """One of QUEUED, FINISHED, FAILED."""
    asked: str = ""
    ended: str = ""
    attempt: int = 1
    """From 1; one more each time that its worker was lost."""
    tables: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 of each table that it gave."""
    error: str = ""

    def but(self, **changes: Any) -> Rerun:
        return replace(self, **changes)


class FileReruns:
    """All re-runs below one folder, by the digest of the run."""

    def __init__(self, root: Path):
        self.root = root

    def request(self, digest: str) -> Rerun:
        """Request a re-run; a second request changes nothing while the first is queued."""
        known = self.get(digest)
        if known is not None and known.status == QUEUED:
            return known
        return self.put(digest, Rerun(QUEUED, asked=utc_now()))

    def get(self, digest: str) -> Rerun | None:
        """Return the latest re-run; None without one."""
        try:
            values = json.loads((self.root / f"{digest}.json").read_bytes())
        except FileNotFoundError:
            return None
        return Rerun(**{name: values[name] for name in Rerun.__dataclass_fields__ if name in values})

    def put(self, digest: str, rerun: Rerun) -> Rerun:
        """Store the state of a re-run."""
        disk.replace_file(self.root / f"{digest}.json", json.dumps(asdict(rerun), ensure_ascii=False).encode())
        return rerun

    def waiting(self) -> int:
        """Return the number of re-runs that are queued."""
        states = (self.get(path.stem) for path in self.root.glob("*.json"))
        return sum(state is not None and state.status == QUEUED for state in states)
