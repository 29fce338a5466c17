"""Accept a question as a queued run, or cancel it."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

from shadowtime.engine import registry as policies
from shadowtime.engine.errors import InvalidParameter, QuestionError
from shadowtime.engine.workload.job import Workload
from shadowtime.workers import admission
from shadowtime.workers.admission import Limits
from shadowtime.workers.conversions import convert_all
from shadowtime.workers.errors import NotFound, QueueAway
from shadowtime.workers.live import Publisher
from shadowtime.workers.private import salted
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.spec import SEED, RunSpec, canonical
from shadowtime.workers.store import Run, Status, VisibleStore
from shadowtime.workers.store.base import PRIORITIES

log = logging.getLogger(__name__)

OWN = ("algorithm", "parameters", "estimates")
"""What each of several algorithms may have of its own."""
KEYS = ("workload", *OWN, "conversions", "platform", "seed", "priority", "private", "group")
MOST_TOGETHER = 100
"""Algorithms in one request."""
NO_OWNER = "private runs need a signed-in user: set SHADOWTIME_TOKEN or a trusted proxy that names the user"
REMEMBERED = 4
"""Workloads, converted, of the latest questions: people put several questions on the same one."""


def accept(
    store: VisibleStore,
    queue: RunQueue,
    request: Mapping[str, Any],
    *,
    client: str | None = None,
    limits: Limits | None = None,
    owner: str | None = None,
) -> tuple[RunSpec, bool]:
    """Accept a question as posted to `POST /api/runs`; return its spec, and whether it is to be run now.

    False: the same question was found. True: it is new, or it failed or was cancelled and is queued again. An accepted
    run is on disk when this returns, and is run even if Redis does not answer or loses it.

    Parameters
    ----------
    client, limits
        Who asks, and how much may wait.
    owner
        Whose run it is when the request says that it is private, or of a group.

    Raises
    ------
    NotFound
        For a workload that is not stored.
    TooMuch
        When a limit is reached.
    QuestionError
        For everything else that is wrong, in one sentence.
    """
    spec, jobs = question(store, request)
    if request.get("private") or request.get("group"):
        spec, owner = private(store, spec, owner)
    else:
        owner = None
    priority = request.get("priority")
    return spec, admit(store, queue, spec, jobs, priority=priority, client=client, limits=limits, owner=owner)


def admit(
    store: VisibleStore,
    queue: RunQueue,
    spec: RunSpec,
    jobs: int,
    *,
    priority: Any = None,
    client: str | None = None,
    limits: Limits | None = None,
    owner: str | None = None,
) -> bool:
    """Accept a question that was parsed already; return whether it is to be run now. Raises as `accept`."""
    asked = [(spec, jobs)]
    return admit_all(store, queue, asked, priority=priority, client=client, limits=limits, owner=owner)[0]


def admit_all(
    store: VisibleStore,
    queue: RunQueue,
    asked: Sequence[tuple[RunSpec, int]],
    *,
    priority: Any = None,
    client: str | None = None,
    limits: Limits | None = None,
    owner: str | None = None,
    words: str | None = None,
) -> list[bool]:
    """Accept all of several questions, with their numbers of jobs, or none; return which are to be run now.

    `words` is the digest of the request's words, recorded with the runs so that they find them again. Raises as
    `accept`.
    """
    priority = priority or "default"
    if priority not in PRIORITIES:
        raise InvalidParameter(f"priority = {str(priority)[:40]!r}, but it must be one of {', '.join(PRIORITIES)}")
    stands = {spec.digest: _status(store, spec) for spec, _ in asked}
    if all(status is not None and status.is_finished for status in stands.values()):
        _remember(store, words, asked)
        return [False] * len(asked)
    fresh = {spec.digest: jobs for spec, jobs in asked if not _is_known(stands[spec.digest])}
    check = None
    if client is not None and limits is not None and fresh:
        # Many are refused here without a write; of those that come at the same moment, the transaction refuses some.
        admission.check(store, limits, client, sum(fresh.values()), priority, len(fresh))
        check = admission.check_of(limits, priority)
    if fresh:  # the log of the database may have room for a row on a disk that has none for results
        store.require_room()
    accepted = store.runs.accept_all(
        asked, priority=priority, client=client, owner=owner, words=words, check=check, needs_jobs=True
    )
    if not any(accepted):
        _remember(store, words, asked)
    for (spec, _), is_due in zip(asked, accepted, strict=True):
        if is_due:
            enqueue(store, queue, spec.digest)
    return list(accepted)


def private(store: VisibleStore, spec: RunSpec, owner: str | None) -> tuple[RunSpec, str]:
    """Return the question as a private one of `owner`, and the owner.

    Raises
    ------
    InvalidParameter
        Without an owner: the site does not identify its users.
    """
    owner = known(owner)
    return salted(spec, owner, store.key()), owner


def known(owner: str | None) -> str:
    """Return the owner. Raises as `private` without one."""
    if owner is None:
        raise InvalidParameter(NO_OWNER)
    return owner


def questions(store: VisibleStore, request: Mapping[str, Any]) -> list[tuple[RunSpec, int]]:
    """Return the specs of a request and their numbers of jobs: one, or one for each of its `algorithms`.

    Nothing is accepted yet. Raises as `accept`; a refusal of one of several names its algorithm.
    """
    several = request.get("algorithms")
    if several is None:
        return [question(store, request)]
    rest = {key: value for key, value in request.items() if key != "algorithms"}
    if not isinstance(several, list) or not 1 <= len(several) <= MOST_TOGETHER:
        raise InvalidParameter(f"algorithms must be a list of 1 to {MOST_TOGETHER} objects")
    for key in OWN:
        if key in rest:
            raise InvalidParameter(f"{key} stands in each of the algorithms, or there is one algorithm alone")
    found = []
    for one in several:
        if not isinstance(one, Mapping) or set(one) - {*OWN}:
            raise InvalidParameter(f"each of the algorithms is an object with {', '.join(OWN)}")
        try:
            found.append(question(store, {**rest, **one}))
        except QuestionError as error:
            if len(several) == 1:
                raise
            raise QuestionError(f"{str(one.get('algorithm'))[:80]}: {error}") from error
    return found


def question(store: VisibleStore, request: Mapping[str, Any]) -> tuple[RunSpec, int]:
    """Return the spec of a request, and its number of jobs; nothing is accepted yet. Raises as `accept`."""
    _check(request)
    policies.find(request["algorithm"])  # a wrong name is reported before a long log is read
    seed = SEED.check(request.get("seed") or 0, "a run")
    reference, _, case = request["workload"].partition("#")
    digest = store.workloads.get(reference).digest
    workload = _converted(store, digest, case or None, canonical(request.get("conversions") or []), seed)
    spec = RunSpec.of(
        workload,
        request["algorithm"],
        request.get("parameters"),
        request.get("platform"),
        request.get("estimates"),
        seed,
    )
    return spec, len(workload)


def cancel(store: VisibleStore, queue: RunQueue, reference: str) -> Status:
    """Cancel a run: at once while it waits, within a moment while it runs.

    Raises
    ------
    NotFound, Conflict
        For an unknown run, and for one that has ended.
    """
    run = store.runs.get(reference)
    status = store.runs.cancel(run.digest)
    try:
        if status.status == "cancelled":
            queue.remove(run.digest)
        else:
            queue.stop(run.digest)
    except QueueAway:
        # The store has recorded it: no worker starts a cancelled run, and a worker that runs it reads the store.
        return status
    Publisher(queue.connection, queue.names).publish(run.digest, status)
    return status


def enqueue(store: VisibleStore, queue: RunQueue, digest: str) -> None:
    """Queue an accepted run and publish its state. Where Redis or the database does not answer, the run stays accepted:
    `workers.recover` queues it later."""
    try:
        status = store.runs.get(digest).status
        queue.enqueue(digest, status.priority, client=status.client)
    except (NotFound, OSError) as error:
        log.warning("run %s is not queued yet: %s", digest[:16], error)
        return
    if status.status == "queued":
        Publisher(queue.connection, queue.names).publish(digest, status)


@lru_cache(maxsize=REMEMBERED)
def _converted(store: VisibleStore, digest: str, case: str | None, conversions: str, seed: int) -> Workload:
    return convert_all(store.workloads.load(digest, case), json.loads(conversions), seed)


def _check(request: Mapping[str, Any]) -> None:
    for key in request:
        if key not in KEYS:
            raise InvalidParameter(f"unknown key {str(key)[:80]!r} of a run; known: {', '.join(KEYS)}")
    for key in ("workload", "algorithm"):
        if not isinstance(request.get(key), str) or not request[key]:
            raise InvalidParameter(f"{key} must be given, as a text")
    for key, kind, words in (
        ("conversions", list, "a list"), ("parameters", Mapping, "an object"), ("platform", Mapping, "an object"),
        ("estimates", str, "a text"), ("private", bool, "true or false"), ("group", str, "a text"),
    ):  # fmt: skip
        if request.get(key) is not None and not isinstance(request[key], kind):
            raise InvalidParameter(f"{key} must be {words}")
    try:
        canonical({**request})
    except (TypeError, ValueError) as error:
        raise QuestionError(f"the configuration holds values that JSON cannot hold: {error}") from None


def _remember(store: VisibleStore, words: str | None, asked: Sequence[tuple[RunSpec, int]]) -> None:
    """Record which runs a request found, unless the disk is full or read-only: known runs are found all the same."""
    if words is not None:
        with suppress(OSError):
            store.asked.record(words, [spec.digest for spec, _ in asked])


def _is_known(status: Status | None) -> bool:
    """Return whether a question was accepted before: then finding it costs nothing."""
    return status is not None and status.status not in ("failed", "cancelled")


def _status(store: VisibleStore, spec: RunSpec) -> Status | None:
    """Return the state of the run of a question; None if it was never accepted."""
    try:
        run: Run = store.runs.get(spec.digest)
    except LookupError:
        return None
    return run.status
