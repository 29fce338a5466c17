"""Accept a question as a queued run, or cancel it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from shadowtime.engine import registry as policies
from shadowtime.engine.errors import InvalidParameter, QuestionError
from shadowtime.engine.workload.job import Workload
from shadowtime.workers import admission
from shadowtime.workers.admission import Limits
from shadowtime.workers.conversions import convert_all
from shadowtime.workers.errors import QueueAway
from shadowtime.workers.live import Publisher
from shadowtime.workers.private import salted
from shadowtime.workers.queue import RunQueue
from shadowtime.workers.spec import SEED, RunSpec, canonical
from shadowtime.workers.store import Run, Status, Store
from shadowtime.workers.store.base import PRIORITIES

KEYS = ("workload", "algorithm", "conversions", "parameters", "platform", "estimates", "seed", "priority", "private")
NO_OWNER = "private runs need a signed-in user: set SHADOWTIME_TOKEN or a trusted proxy that names the user"
REMEMBERED = 4
"""Workloads, converted, of the latest questions: people put several questions on the same one."""


def accept(
    store: Store,
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
        The client, and how much may wait.
    owner
        The owner of the run when the request says that it is private.

    Parameters
    ----------
    client, limits
        Who asks, and how much may wait.
    owner
        Whose run it is when the request says that it is private.

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
    if request.get("private"):
        spec, owner = private(store, spec, owner)
    else:
        owner = None
    priority = request.get("priority")
    return spec, admit(store, queue, spec, jobs, priority=priority, client=client, limits=limits, owner=owner)


def admit(
    store: Store,
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
    priority = priority or "default"
    if priority not in PRIORITIES:
        raise InvalidParameter(f"priority = {str(priority)[:40]!r}, but it must be one of {', '.join(PRIORITIES)}")
    if client is not None and limits is not None and not _is_known(store, spec):
        admission.check(store, limits, client, jobs, priority)
    if not store.runs.accept(spec, jobs=jobs, priority=priority, client=client, owner=owner):
        return False
    enqueue(store, queue, spec.digest)
    return True


def private(store: Store, spec: RunSpec, owner: str | None) -> tuple[RunSpec, str]:
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


def question(store: Store, request: Mapping[str, Any]) -> tuple[RunSpec, int]:
    """Return the spec of a request, and its number of jobs; nothing is accepted yet. Raises as `accept`."""
    _check(request)
    policies.find(request["algorithm"])  # a wrong name is reported before a long log is read
    seed = SEED.check(request.get("seed") or 0, "a run")
    reference, _, case = request["workload"].partition("#")
    known: Any = (store, store.workloads.get(reference).digest, case or None)
    workload = _converted(*known, canonical(request.get("conversions") or []), seed)
    spec = RunSpec.of(
        workload,
        request["algorithm"],
        request.get("parameters"),
        request.get("platform"),
        request.get("estimates"),
        seed,
    )
    return spec, len(workload)


def cancel(store: Store, queue: RunQueue, reference: str) -> Status:
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


def enqueue(store: Store, queue: RunQueue, digest: str) -> None:
    """Queue an accepted run and publish its state; without Redis, `workers.recover` queues it later."""
    status = store.runs.get(digest).status
    try:
        queue.enqueue(digest, status.priority, client=status.client)
    except QueueAway:
        return
    if status.status == "queued":
        Publisher(queue.connection, queue.names).publish(digest, status)


@lru_cache(maxsize=REMEMBERED)
def _converted(store: Store, digest: str, case: str | None, conversions: str, seed: int) -> Workload:
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
        ("estimates", str, "a text"), ("private", bool, "true or false"),
    ):  # fmt: skip
        if request.get(key) is not None and not isinstance(request[key], kind):
            raise InvalidParameter(f"{key} must be {words}")
    try:
        canonical({**request})
    except (TypeError, ValueError) as error:
        raise QuestionError(f"the question holds values that JSON cannot hold: {error}") from None


def _is_known(store: Store, spec: RunSpec) -> bool:
    """Return whether the question was accepted before: then finding it costs nothing."""
    try:
        run: Run = store.runs.get(spec.digest)
    except LookupError:
        return False
    return run.status.status not in ("failed", "cancelled")
