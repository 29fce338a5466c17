"""GET /api/live: what happens to runs, as server-sent events."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from typing import Any

from flask import Blueprint, Response, request

from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.access.guard import Guarded
from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api import answers
from shadowtime.dashboard.api.context import context
from shadowtime.dashboard.api.hub import Hub, Message, Stream, event
from shadowtime.dashboard.sharing import urls
from shadowtime.workers.errors import NotFound
from shadowtime.workers.live import Reader
from shadowtime.workers.redis_names import Names
from shadowtime.workers.store import Run
from shadowtime.workers.store.base import UNFINISHED

blueprint = Blueprint("live", __name__)

BEAT = 15.0
"""Seconds after which an idle stream sends a heartbeat."""
LOOK = 2.0
"""Seconds between checks of the client's connection: a write fails only two beats after it was closed."""
RETRY = 2000
"""Milliseconds after which a browser reopens a broken stream."""
MOST_RUNS = 200


def listen(redis_url: str, names: Names, hub: Hub) -> Reader:
    """Start the reader that passes messages of workers to the hub."""

    def pass_on(position: str, said: dict[str, Any]) -> None:
        hub.publish(Message(position, answers.heard(said)))

    reader = Reader(redis_url, names, pass_on, hub.say)
    reader.start()
    return reader


@blueprint.get("/api/live")
def live() -> Response:
    """Server-sent events of the runs named in `runs`.

    `run`: how a run stands, the body of `GET /api/runs` without its summary; first for each run, unless it said
    nothing since `Last-Event-ID` (or `last` in the query). `queue`: {"redis": true or false}, first of all, at each
    change, and every 15 s.
    """
    here = context()
    runs = run_ids(request.args.get("runs", ""))
    last = request.headers.get("Last-Event-ID") or request.args.get("last", "")
    stack = ExitStack()
    store = here.store.fixed()  # messages are sent later, to the visitor of this request
    seen = [run for run in runs if _found(store, run)]
    stream = stack.enter_context(here.hub.stream(seen, visitors.here().client, here.settings.max_streams))
    events = _events(here.hub, store, stream, last, request.environ.get("gunicorn.socket"))
    response = Response(events, content_type="text/event-stream; charset=utf-8")
    response.call_on_close(stack.close)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"  # nginx would hold events back until it has 4 kB
    return response


def run_ids(text: str) -> list[str]:
    """The ids of a list `a,b,c`, each as its first 16 digits.

    Raises Refusal: 400 for a text that is no id, or too many of them.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    if len(names) > MOST_RUNS:
        raise Refusal(400, f"{len(names):,} runs are named; {MOST_RUNS} at a time is the most.")
    for name in names:
        if not urls.ID.fullmatch(name):
            raise Refusal(400, f"{name[:80]!r} is no run's id: 16 or 64 hexadecimal digits.")
    return list(dict.fromkeys(name[:16] for name in names))


def _found(store: Guarded, run: str) -> Run | None:
    """Return the run, if the visitor of the guarded `store` may see it."""
    try:
        return store.runs.get(run)
    except NotFound:
        return None


def _events(hub: Hub, store: Guarded, stream: Stream, last: str, client: socket.socket | None) -> Iterator[bytes]:
    sent: dict[str, tuple] = {}
    private = {run for run in stream.runs if (found := _found(store, run)) and found.is_private}
    changes = hub.changes
    yield f"retry: {RETRY}\n\n".encode() + _queue(hub.redis)
    yield from _news(_since(hub, store, stream, last), sent)
    beat = time.monotonic() + BEAT
    while not _has_left(client):
        messages = stream.take(min(LOOK, max(0.0, beat - time.monotonic())))
        yield from _news(messages, sent)
        if changes == hub.changes and time.monotonic() < beat:
            continue
        # A message may be lost with Redis, so now and then the store is read, which is never wrong; and a link by
        # which a visitor opened a private run may be revoked.
        changes, beat = hub.changes, time.monotonic() + BEAT
        yield _queue(hub.redis)
        stream.runs -= {run for run in private if _found(store, run) is None}
        unfinished = [run for run in stream.runs if sent.get(run, UNFINISHED)[0] in UNFINISHED]
        yield from _news(_stored(store, unfinished), sent)


def _has_left(client: socket.socket | None) -> bool:
    """Return whether the client closed the connection: reading it then gives its end."""
    try:
        return client is not None and client.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True


def _since(hub: Hub, store: Guarded, stream: Stream, last: str) -> Iterator[Message]:
    """The state of each run, unless the client had it in the message `last`."""
    for run in sorted(stream.runs):
        latest = hub.latest(run)
        if latest is None or not last:
            yield from _stored(store, [run])
        elif latest.is_after(last):
            yield latest


def _stored(store: Guarded, runs: list[str]) -> Iterator[Message]:
    """How runs stand by their status files; one that was deleted is not sent of."""
    for run in runs:
        if found := _found(store, run):
            yield Message("", answers.news(found.id, found.status))


def _news(messages: Iterator[Message] | list[Message], sent: dict[str, tuple]) -> Iterator[bytes]:
    """Events for what the client was not sent yet."""
    for message in messages:
        run = message.run["id"]
        if _standing(message.run) != sent.get(run):
            sent[run] = _standing(message.run)
            yield message.event


def _standing(run: Mapping[str, Any]) -> tuple:
    """What distinguishes two messages of a run; store and stream give the same."""
    return run["status"], run["attempt"], run["progress"], run["error"]


def _queue(redis: bool) -> bytes:
    return event("queue", {"redis": redis})
