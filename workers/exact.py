"""The exact bound of a run that has too many jobs for it at once: work of its own, once the run is finished.

Such a run is judged at once by the bound of windows of its jobs, which is proven too. The exact one takes seconds to
minutes: it is asked for as the run finishes, a worker proves it, and from then on it stands in the run's summary. What
was asked for is a file until it is answered, so that no kill makes it forgotten.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from shadowtime.engine.bounds.cut import cut
from shadowtime.engine.bounds.registry import Bounds, check
from shadowtime.engine.bounds.work import work_of
from shadowtime.engine.errors import EngineError
from shadowtime.engine.metrics.jobs import floored
from shadowtime.engine.platform import Platform
from shadowtime.engine.registry import find_family
from shadowtime.workers.errors import NotFound
from shadowtime.workers.execute import load_workload
from shadowtime.workers.queue import BOUND, PARTS_PRIORITY, RunQueue
from shadowtime.workers.store import Store, disk
from shadowtime.workers.store.base import Run
from shadowtime.workers.store.run import BOUND_FILE, EXACT, QUEUED_BOUND

log = logging.getLogger(__name__)

FOLDER = "bounds"
METRIC = "max_bounded_stretch"
WINDOW = "cut_window"
MOST_LOST = 3
SURE = 3.0
"""Seconds for which nobody must hold a proof before it is queued again."""
LOST = "the worker stopped each time; the bound may need more memory than there is"


def is_wanted(summary: Mapping[str, Any]) -> bool:
    """Whether a run's largest stretch stands beside a bound of windows only."""
    return summary.get("bound_names", {}).get(METRIC) == WINDOW


def ask(root: Path, digest: str, summary: dict[str, Any]) -> None:
    """Note on disk, and in the summary of a run that is about to finish, that its exact bound is to be proven."""
    summary[EXACT] = QUEUED_BOUND
    folder = root / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    disk.replace_file(_asked(root, digest), b'{"lost": 0}')


def run_bound(identity: str, store: Store, root: Path) -> str:
    """Prove the exact bound of the run that `bound-<digest>` names; whatever happens is in the store afterwards.

    NotFound where nothing of this kind was asked for.
    """
    digest = parse(identity)
    if not _asked(root, digest).exists():
        raise NotFound("bound", identity)
    try:
        run = store.runs.get(digest)
        if not run.status.is_finished:
            return run.status.status
        answer: dict[str, Any] = {"status": "finished", "bound": prove(run, store)}
    except NotFound:  # deleted meanwhile
        _asked(root, digest).unlink(missing_ok=True)
        return "unknown"
    except (EngineError, MemoryError, OSError) as error:
        log.exception("the exact bound of run %s", digest[:16])
        answer = {"status": "failed", "error": str(error) or f"internal error ({type(error).__name__})"}
    _put(root, digest, answer)
    return str(answer["status"])


def prove(run: Run, store: Store) -> float:
    """The smallest largest bounded stretch of the jobs that ended, whatever the schedule.

    Raises
    ------
    SimulationError
        When the run is better than that: then the run or the bound is wrong.
    """
    summary = run.summary or {}
    workload, tau = load_workload(run.spec, store), float(summary["tau"])
    work = work_of(
        find_family(workload.kind), workload, Platform.of(workload, run.spec.platform).lanes, run.table("jobs")
    )
    least = cut(work, floored(work.runtime, tau), summary["bounds"][METRIC])
    check(summary["metrics"], Bounds({METRIC: least}, {METRIC: "cut"}))
    return least


class Proofs:
    """Looks after the bounds that were asked for; `scan` it every few seconds."""

    def __init__(self, store: Store, root: Path, queue: RunQueue, clock: Callable[[], float] = time.monotonic):
        self._store, self._root, self._queue, self._clock = store, root, queue, clock
        self._missing: dict[str, float] = {}

    def scan(self) -> list[str]:
        """Ids that were queued now: of finished runs whose bound nobody holds."""
        wanted = [BOUND + path.stem for path in sorted((self._root / FOLDER).glob("*.json")) if self._is_due(path)]
        if not wanted:
            self._missing.clear()
            return []
        held, now = self._queue.held(wanted), self._clock()
        self._missing = {one: self._missing.get(one, now) for one in wanted if one not in held}
        late = [one for one, since in self._missing.items() if now - since >= SURE or not self._queue.knows(one)]
        for identity in late:
            self._queue.enqueue(identity, PARTS_PRIORITY)
        return late

    def lost(self, identity: str) -> None:
        """The process that proved ended without a word; after several times there is no exact bound."""
        digest = parse(identity)
        path = _asked(self._root, digest)
        if not path.exists():
            return
        lost = int(json.loads(path.read_bytes())["lost"]) + 1
        log.warning("the process that proved the bound of run %s is gone", digest[:16])
        if lost >= MOST_LOST:
            _put(self._root, digest, {"status": "failed", "error": LOST})
        else:
            disk.replace_file(path, json.dumps({"lost": lost}).encode())

    def _is_due(self, path: Path) -> bool:
        """Its run is finished; of a run that is there no more, what was asked is forgotten."""
        try:
            status = self._store.runs.get(path.stem).status
        except NotFound:
            path.unlink(missing_ok=True)
            return False
        return status.is_finished


def parse(identity: str) -> str:
    """The digest in `bound-<digest>`; NotFound for what is none."""
    digest = identity.removeprefix(BOUND)
    if not identity.startswith(BOUND) or len(digest) != 64 or set(digest) - set("0123456789abcdef"):
        raise NotFound("bound", identity)
    return digest


def _asked(root: Path, digest: str) -> Path:
    return root / FOLDER / f"{digest}.json"


def _put(root: Path, digest: str, answer: Mapping[str, Any]) -> None:
    """The answer beside the run, then the question away."""
    folder = root / "runs" / digest
    if folder.is_dir():
        disk.replace_file(folder / BOUND_FILE, json.dumps(dict(answer)).encode())
    _asked(root, digest).unlink(missing_ok=True)
