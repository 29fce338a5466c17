"""Recompute a paper on the workers: accepted on disk first, then one part in the queue for each worker.

A part works until nothing is left, or until other work waits for its worker; then it is queued again.
"""

from __future__ import annotations

import logging
import re
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from shadowtime.engine.errors import EngineError, UnknownName
from shadowtime.workers.connection import connect
from shadowtime.workers.errors import Conflict, NotFound, QueueAway
from shadowtime.workers.kinds import PART, kind_of
from shadowtime.workers.papers.groups import find_group, make
from shadowtime.workers.papers.kept import (
    CANCELLED,
    FAILED,
    FINISHED,
    QUEUED,
    RUNNING,
    UNFINISHED,
    Place,
    StudyStatus,
    results,
    unfinished,
)
from shadowtime.workers.papers.registry import SCALES
from shadowtime.workers.papers.share import Share, ShiftOver
from shadowtime.workers.queue import PARTS_PRIORITY, RunQueue
from shadowtime.workers.redis_names import Names
from shadowtime.workers.settings import Settings
from shadowtime.workers.store.base import utc_now

log = logging.getLogger(__name__)

MOST_PARTS = 64
NUMBER = re.compile(r"\d{1,6}", re.ASCII)
MOST_LOST = 3
SHORTEST_SHIFT = 5.0
"""Seconds that a part may work although other work waits."""
LOST_AFTER = 3.0
"""Seconds without a heartbeat before a part is queued again."""
LOST = "its workers died three times; a run of the study may need more memory than there is"


@dataclass(frozen=True)
class Part:
    """A part of a paper in the queue: `paper-measy-quick-0`."""

    name: str
    scale: str
    number: int

    @property
    def id(self) -> str:
        """Its id in the queue."""
        return f"{PART.prefix}{self.name}-{self.scale}-{self.number}"

    @classmethod
    def parse(cls, text: str) -> Part:
        """Return the part of an id; NotFound for any other text."""
        study, _, number = text.removeprefix(PART.prefix).rpartition("-")
        name, _, scale = study.rpartition("-")
        try:
            if text.startswith(PART.prefix) and scale in SCALES and NUMBER.fullmatch(number):
                return cls(find_group(name).name, scale, int(number))
        except UnknownName:
            pass  # as any other text that is none
        raise NotFound("part of a paper", text)

    def place(self, store: Path) -> Place:
        """Return the folder of its study."""
        return Place(store, self.name, self.scale)


def submit(store: Path, queue: RunQueue, name: str, scale: str) -> tuple[StudyStatus, bool]:
    """Request that a paper is recomputed; False: it is being recomputed already.

    Results of an attempt that was stopped or failed are used again; after a finished one everything is recomputed.
    """
    place = Place(store, find_group(name).name, scale)
    place.folder.mkdir(parents=True, exist_ok=True)
    known = place.status()
    if known is not None and known.is_unfinished:
        return known, False
    if known is not None and known.status == FINISHED:
        shutil.rmtree(place.cells, ignore_errors=True)
    (place.folder / "progress.json").unlink(missing_ok=True)
    parts = min(MOST_PARTS, max(1, queue.health().workers))
    status = place.put(StudyStatus(QUEUED, utc_now(), parts))
    try:
        _push(queue, place, status)
    except QueueAway:
        log.warning("the queue is away: the parts of %s wait on disk", place.name)
    return status, True


def cancel(store: Path, name: str, scale: str) -> StudyStatus:
    """Stop recomputing; results of cells stay for the next time. Conflict when it is not being recomputed."""
    place = Place(store, find_group(name).name, scale)
    if place.folder.exists():
        status = place.change(UNFINISHED, status=CANCELLED, ended=utc_now())
        if status is not None:
            return status
    raise Conflict(f"{place.name} at {scale} scale is not being recomputed")


def run_part(part_id: str, settings: Settings, names: Names) -> str:
    """Execute a part in a forked worker; the store then holds its results or the error."""
    part = Part.parse(part_id)
    place = part.place(settings.store)
    status = place.status()
    if status is None or not status.is_unfinished:
        return "nothing to do"
    if status.status == QUEUED:
        place.change((QUEUED,), status=RUNNING, started=utc_now())
    queue = RunQueue(connect(settings.redis_url, timeout=2.0), names)
    began = time.monotonic()
    longest = settings.run_timeout / 2

    def is_over() -> bool:
        now = place.status()
        worked = time.monotonic() - began
        if now is None or not now.is_unfinished or worked > longest:
            return True
        return worked > SHORTEST_SHIFT and _others_wait(queue)

    try:
        with Share(place, queue, _expected(settings.store, part), is_over) as share:
            result, _ = make(find_group(part.name), part.scale, lambda sentence: None, share.run)
    except ShiftOver:
        return "shift over"
    except (EngineError, MemoryError, TypeError, ValueError, OSError) as error:
        log.exception("recomputing %s at %s scale failed", part.name, part.scale)
        sentence = str(error) if isinstance(error, EngineError) else f"internal error ({type(error).__name__})"
        place.change(UNFINISHED, status=FAILED, ended=utc_now(), error=sentence)
        return FAILED
    now = place.status()
    if now is not None and now.is_unfinished:
        wall = _since(now.started, result["seconds"])
        place.finish({**result, "seconds": wall, "processor_seconds": place.processor_seconds(), "workers": now.parts})
    return FINISHED


class Parts:
    """Keep the parts of all studies in the queue; call `scan` every few seconds."""

    def __init__(self, store: Path, queue: RunQueue, clock: Callable[[], float] = time.monotonic):
        self._store, self._queue, self._clock = store, queue, clock
        self._missing: dict[str, float] = {}

    def scan(self) -> list[str]:
        """Queue lost parts and return their ids; Redis is not queried without open studies."""
        expected = [part for place, status in unfinished(self._store) for part in _parts(place, status)]
        if not expected:
            self._missing.clear()
            return []
        held = self._queue.held(part.id for part in expected)
        now = self._clock()
        self._missing = {part.id: self._missing.get(part.id, now) for part in expected if part.id not in held}
        late = [
            part for part, since in self._missing.items() if now - since >= LOST_AFTER or not self._queue.knows(part)
        ]
        for part in late:
            self._queue.enqueue(part, PARTS_PRIORITY)
        return late

    def check(self, part_id: str) -> None:
        """Raise NotFound for an id that names no part."""
        Part.parse(part_id)

    def left(self, part_id: str) -> None:
        """Queue a part again that a worker has left, unless the study has ended."""
        status = self._place(part_id).status()
        if status is not None and status.is_unfinished:
            self._queue.enqueue(part_id, PARTS_PRIORITY)

    def spare(self, part_id: str) -> bool:
        """Leave a part whose process was asked to stop to the next scan: nothing of it is stored."""
        return True

    def lost(self, part_id: str, sentence: str = "") -> None:
        """Count a part whose process ended without a result; after several the study fails."""
        place = self._place(part_id)
        status = place.status()
        if status is None or not status.is_unfinished:
            return
        log.warning("the process of %s was lost", part_id)
        if status.lost + 1 >= MOST_LOST:
            place.change(UNFINISHED, status=FAILED, ended=utc_now(), error=LOST)
        else:
            place.change(UNFINISHED, lost=status.lost + 1)

    def _place(self, part_id: str) -> Place:
        return Part.parse(part_id).place(self._store)


def _parts(place: Place, status: StudyStatus) -> list[Part]:
    return [Part(place.name, place.scale, number) for number in range(status.parts)]


def _push(queue: RunQueue, place: Place, status: StudyStatus) -> None:
    for part in _parts(place, status):
        queue.enqueue(part.id, PARTS_PRIORITY)


def _others_wait(queue: RunQueue) -> bool:
    """Return whether other work waits for a worker; False when Redis does not answer."""
    try:
        return any(kind_of(waiting) is not PART for waiting in queue.waiting())
    except QueueAway:
        return False


def _expected(store: Path, part: Part) -> int:
    """Return the number of cells of the study's last run; 0 when unknown."""
    return max((int(one["cells"]) for one in results(store, part.name, part.scale)), default=0)


def _since(started: str | None, otherwise: float) -> float:
    """Return the seconds since an instant; `otherwise` without one, or if the clock was set back since."""
    from datetime import UTC, datetime

    passed = (datetime.now(UTC) - datetime.fromisoformat(started)).total_seconds() if started else 0.0
    return passed if passed > 0 else otherwise
