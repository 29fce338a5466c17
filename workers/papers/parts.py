"""Recompute a paper on the workers: recorded first, then one part in the queue for each worker.

A part works until nothing is left, or until other work waits for its worker; then it is queued again.
"""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from shadowtime.engine.errors import EngineError, UnknownName
from shadowtime.workers.connection import connect
from shadowtime.workers.errors import Conflict, NotFound, QueueAway
from shadowtime.workers.kinds import PART, kind_of
from shadowtime.workers.papers.groups import find_group, make
from shadowtime.workers.papers.kept import results, study_of, unfinished
from shadowtime.workers.papers.registry import SCALES
from shadowtime.workers.papers.share import Share, ShiftOver
from shadowtime.workers.queue import PARTS_PRIORITY, RunQueue
from shadowtime.workers.records.database import DatabaseAway
from shadowtime.workers.records.papers import (
    CANCELLED,
    FAILED,
    FINISHED,
    QUEUED,
    RUNNING,
    UNFINISHED,
    Papers,
    Study,
    StudyStatus,
)
from shadowtime.workers.redis_names import Names
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import Store, VisibleStore

log = logging.getLogger(__name__)

MOST_PARTS = 64
NUMBER = re.compile(r"\d{1,6}", re.ASCII)
MOST_LOST = 3
SHORTEST_SHIFT = 5.0
"""Seconds that a part may work although other work waits."""
LOST_AFTER = 3.0
"""Seconds without a heartbeat before a part is queued again."""
LATER = "shift over"
"""State of a part that is queued again."""
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

    def study(self, papers: Papers) -> Study:
        """Return its study."""
        return study_of(papers, self.name, self.scale)


def submit(store: VisibleStore, queue: RunQueue, name: str, scale: str) -> tuple[StudyStatus, bool]:
    """Request that a paper is recomputed; False: it is being recomputed already.

    Results of an attempt that was stopped or failed are used again; after a finished one everything is recomputed.
    """
    study = study_of(store.papers, find_group(name).name, scale)
    parts = min(MOST_PARTS, max(1, queue.health().workers))
    status, is_new = study.request(StudyStatus(QUEUED, study.now(), parts))
    if is_new:
        try:
            _push(queue, study, status)
        except QueueAway:
            log.warning("the queue is away: the parts of %s wait in the store", study.name)
    return status, is_new


def cancel(store: VisibleStore, name: str, scale: str) -> StudyStatus:
    """Stop recomputing; answers of cells stay for the next time. Conflict when it is not being recomputed."""
    study = study_of(store.papers, find_group(name).name, scale)
    status = study.change(UNFINISHED, status=CANCELLED)
    if status is None:
        raise Conflict(f"{study.name} at {scale} scale is not being recomputed")
    return status


def run_part(part_id: str, settings: Settings, store: Store) -> str:
    """Execute a part in a forked worker; the store then holds its results or the error."""
    part = Part.parse(part_id)
    try:
        return _run(part, settings, store)
    except DatabaseAway as error:
        log.warning("%s is left for later: %s", part_id, error)
        return LATER


def _run(part: Part, settings: Settings, store: Store) -> str:
    study = part.study(store.papers)
    status = study.status()
    if status is None or not status.is_unfinished:
        return "nothing to do"
    if status.status == QUEUED:
        study.change((QUEUED,), status=RUNNING)
    queue = RunQueue(connect(settings.redis_url, timeout=2.0), Names(store.identity))
    began = time.monotonic()
    longest = settings.run_timeout / 2

    def is_over() -> bool:
        now = study.status()
        worked = time.monotonic() - began
        if now is None or not now.is_unfinished or worked > longest:
            return True
        return worked > SHORTEST_SHIFT and _others_wait(queue)

    try:
        with Share(study, queue, _expected(store.papers, part), is_over) as share:
            result, _ = make(find_group(part.name), part.scale, lambda sentence: None, share.run)
    except ShiftOver:
        return LATER
    except DatabaseAway:
        raise
    except Exception as error:  # of any kind: the part would fail in the same way each time
        log.exception("recomputing %s at %s scale failed", part.name, part.scale)
        sentence = str(error) if isinstance(error, EngineError) else f"internal error ({type(error).__name__})"
        study.change(UNFINISHED, status=FAILED, error=sentence)
        return FAILED
    used, now = study.processor_seconds(), study.status()
    if now is not None and now.is_unfinished:
        made = study.now()
        wall = _between(now.started, made, result["seconds"])
        result |= {"made": made, "seconds": wall, "processor_seconds": used, "workers": now.parts}
        study.finish(result, UNFINISHED)
    return FINISHED


class Parts:
    """Keep the parts of all studies in the queue; call `scan` every few seconds."""

    def __init__(self, store: Store, queue: RunQueue, clock: Callable[[], float] = time.monotonic):
        self._papers, self._queue, self._clock = store.papers, queue, clock
        self._missing: dict[str, float] = {}

    def scan(self) -> list[str]:
        """Queue lost parts and return their ids; Redis is not queried without open studies."""
        expected = [part for name, scale, status in unfinished(self._papers) for part in _parts(name, scale, status)]
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

    def renew(self, part_id: str, worker: str) -> None:
        """A part has no lease: its heartbeat in Redis holds it."""

    def left(self, part_id: str) -> None:
        """Queue a part again that a worker has left, unless the study has ended; without a database, `scan` does."""
        try:
            status = self._study(part_id).status()
        except DatabaseAway as error:
            log.warning("%s is not queued again yet: %s", part_id, error)
            return
        if status is not None and status.is_unfinished:
            self._queue.enqueue(part_id, PARTS_PRIORITY)

    def spare(self, part_id: str) -> bool:
        """Leave a part whose process was asked to stop to the next scan: nothing of it is stored."""
        return True

    def lost(self, part_id: str, sentence: str = "") -> None:
        """Count a part whose process ended without a result; after several the study fails."""
        log.warning("the process of %s was lost", part_id)
        try:
            self._study(part_id).lose(MOST_LOST, LOST)
        except OSError as error:  # also DatabaseAway
            log.warning("it was not counted: %s", error)

    def _study(self, part_id: str) -> Study:
        return Part.parse(part_id).study(self._papers)


def _parts(name: str, scale: str, status: StudyStatus) -> list[Part]:
    return [Part(name, scale, number) for number in range(status.parts)]


def _push(queue: RunQueue, study: Study, status: StudyStatus) -> None:
    for part in _parts(study.name, study.scale, status):
        queue.enqueue(part.id, PARTS_PRIORITY)


def _others_wait(queue: RunQueue) -> bool:
    """Return whether other work waits for a worker; False when Redis does not answer."""
    try:
        return any(kind_of(waiting) is not PART for waiting in queue.waiting())
    except QueueAway:
        return False


def _expected(papers: Papers, part: Part) -> int:
    """Return the number of cells of the study's last run; 0 when unknown."""
    found, _ = results(papers, part.name, part.scale)
    return max((int(one["cells"]) for one in found), default=0)


def _between(started: str | None, ended: str, otherwise: float) -> float:
    """Return the seconds between two times; `otherwise` without the first, or if the clock was set back since."""
    passed = (datetime.fromisoformat(ended) - datetime.fromisoformat(started)).total_seconds() if started else 0.0
    return passed if passed > 0 else otherwise
