"""GET /api/live: what happens to runs, as server-sent events."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from operator import attrgetter
from typing import Any

from flask import Blueprint, Response, request

from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.access.guard import Guarded
from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api import answers
from shadowtime.dashboard.api.context import context
from shadowtime.dashboard.api.hub import PARK, Hub, Message, Stream, event
from shadowtime.dashboard.sharing import urls
from shadowtime.workers.live import Reader
from shadowtime.workers.redis_names import Names
from shadowtime.workers.store import Run
from shadowtime.workers.store.base import UNFINISHED

blueprint = Blueprint("live", __name__)

BEAT = 15.0
"""Seconds after which an idle stream sends a heartbeat."""
RETRY = 2000
"""Milliseconds after which a browser reopens a broken stream."""
MOST_RUNS = 200
CONTENT_TYPE = "text/event-stream; charset=utf-8"


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
    later = here.store.later()  # messages are sent later, to the visitor of this request
    with ExitStack() as stack:
        stream = stack.enter_context(here.hub.stream(runs, visitors.here().client, here.settings.max_streams))
        seen = here.store.runs.get_all(runs)  # afterwards: what happens from now on is heard
        stream.runs = frozenset(run.id for run in seen)
        pieces = _events(here.hub, later, stream, seen, last)
        park = request.environ.get(PARK)
        if park:
            park(stream)
        response = Response(pieces if park else _waiting(stream, pieces), content_type=CONTENT_TYPE)
        response.call_on_close(stack.pop_all().close)
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


def _events(hub: Hub, later: Callable[[], Guarded], stream: Stream, seen: Sequence[Run], last: str) -> Iterator[bytes]:
    """The events of a stream; an empty piece where nothing has happened yet."""
    sent: dict[str, tuple] = {}
    private = {run.id for run in seen if run.is_private}
    changes = hub.changes
    yield f"retry: {RETRY}\n\n".encode() + _queue(hub.redis)
    yield from _news(_since(hub, seen, last), sent)
    stream.due = time.monotonic() + BEAT
    while True:
        yield from _news(stream.take(), sent)
        if changes == hub.changes and time.monotonic() < stream.due:
            yield b""
            continue
        # A message may be lost with Redis, so now and then the store is read, which is never wrong; and the link, the
        # token or the session by which a visitor opened a private run may have ended.
        changes, stream.due = hub.changes, time.monotonic() + BEAT
        yield _queue(hub.redis)
        unfinished = {run for run in stream.runs if sent.get(run, UNFINISHED)[0] in UNFINISHED}
        found = later().runs.get_all(sorted(private | unfinished))
        stream.runs -= private - {run.id for run in found}
        yield from _news([_stored(run) for run in found if run.id in unfinished], sent)


def _waiting(stream: Stream, pieces: Iterator[bytes]) -> Iterator[bytes]:
    """The pieces that hold something: where a server keeps a thread for the stream, that waits."""
    for piece in pieces:
        if piece:
            yield piece
        else:
            stream.wait()


def _since(hub: Hub, seen: Sequence[Run], last: str) -> Iterator[Message]:
    """The state of each run, unless the client had it in the message `last`."""
    for run in sorted(seen, key=attrgetter("id")):
        latest = hub.latest(run.id)
        if latest is None or not last:
            yield _stored(run)
        elif latest.is_after(last):
            yield latest


def _stored(run: Run) -> Message:
    """How a run stands by the records."""
    return Message("", answers.news(run.id, run.status))


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
