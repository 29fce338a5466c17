"""The serving process: one loop reads all requests, threads answer those that are whole.

A thread of gunicorn's own `gthread` reads while it waits, so that as many slow clients as there are threads stop the
site. Here a request takes a thread once all of it is there, a few at a time. Slow ones wait in the loop until their
deadline, and where there are too many connections, the one that has waited longest is closed. Nor does a live stream
hold a thread: its connection stays in the loop until there is news of it.
"""

from __future__ import annotations

import errno
import os
import selectors
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from functools import partial
from threading import Lock
from typing import Any

from gunicorn.errors import ConfigError
from gunicorn.http.errors import NoMoreData
from gunicorn.http.parser import RequestParser
from gunicorn.http.wsgi import create
from gunicorn.workers.base import Worker

from shadowtime.dashboard.access.addresses import is_trusted, network_of
from shadowtime.dashboard.access.refusal import no_room
from shadowtime.dashboard.api.hub import PARK
from shadowtime.dashboard.api.uploads import FIELDS
from shadowtime.dashboard.serving.answer import Answer
from shadowtime.dashboard.serving.arriving import Arriving, Limits, NotTaken, Room
from shadowtime.dashboard.serving.connection import Connection
from shadowtime.dashboard.serving.threads import MOST, MOST_REMOTE, STUCK, Threads, let_others_compute
from shadowtime.workers.settings import Settings

EVERY = 1.0
"""Seconds between two looks at deadlines."""
ACCEPTED = 64
"""Connections that are accepted before others are looked after."""
MOST_WAITING = 1000
"""Whole requests that wait for a thread."""
LINGER = 2.0
"""Seconds for which a connection is read after its last answer."""
SHARE = 4
"""Files of the greatest size that one client may have on their way, and four times as many that all have."""
LATE = "The request did not arrive in time."
BUSY = "Too many requests wait for an answer here. Send it again in a moment."


class ReadingWorker(Worker):
    """A worker of gunicorn whose threads never wait for a client's request."""

    @classmethod
    def check_config(cls, cfg: Any, log: Any) -> None:
        """Refuse what is a proxy's work."""
        if cfg.is_ssl:
            raise ConfigError("certfile and keyfile are not taken here: a proxy in front has to speak TLS")

    def init_process(self) -> None:
        settings = Settings.from_environment()
        most = settings.max_upload + FIELDS
        self._settings = settings
        self._room = Room(Limits(most, SHARE * most, SHARE * SHARE * most))
        self._poller = selectors.DefaultSelector()
        self._open: dict[Connection, None] = {}
        """Connections that are read, longest wait first."""
        self._answering = 0
        self._parked: dict[Connection, Answer] = {}
        """Live streams that wait for news."""
        self._lock = Lock()
        self._done: list[Callable[[], None]] = []
        is_remote = settings.database.startswith("postgresql") or bool(settings.blobs)
        self._threads = Threads(self.cfg.threads, MOST_REMOTE if is_remote else MOST)
        super().init_process()

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Begin to stop."""
        self.alive = False

    def run(self) -> None:
        """Serve until the process is asked to stop."""
        for listener in self.sockets:
            listener.setblocking(False)
            self._poller.register(listener.fileno(), selectors.EVENT_READ, partial(self._accept, listener))
        self._poller.register(self.PIPE[0], selectors.EVENT_READ, self._wake)
        looked = time.monotonic()
        while self.alive and self.ppid == os.getppid():
            self.notify()
            self._turn(EVERY)
            if (now := time.monotonic()) - looked >= EVERY:
                looked = now
                self._close_late(now)
        for listener in self.sockets:
            self._poller.unregister(listener.fileno())
            listener.close()
        until = time.monotonic() + self.cfg.graceful_timeout
        while self._answering and (left := until - time.monotonic()) > 0:
            self.notify()
            self._turn(min(left, EVERY))
        self._threads.stop()

    def _turn(self, seconds: float) -> None:
        """Handle what happens within some seconds."""
        for key, _ in self._poller.select(min(seconds, STUCK) if self._threads.is_full else seconds):
            key.data()
        self._threads.allow_more(time.monotonic())
        with self._lock:
            acts, self._done = self._done, []
        for act in acts:
            act()

    def _wake(self) -> None:
        with suppress(BlockingIOError):
            os.read(self.PIPE[0], 4096)

    def _accept(self, listener: Any) -> None:
        for _ in range(ACCEPTED):
            try:
                sock, client = listener.sock.accept()
            except BlockingIOError:
                return
            except OSError as error:
                if error.errno == errno.ECONNABORTED:
                    continue
                if error.errno not in (errno.EMFILE, errno.ENFILE):
                    raise
                if not self._close_longest():
                    return
                continue
            while self._connections >= self.cfg.worker_connections and self._close_longest():
                pass
            address = client[0] if isinstance(client, tuple) else ""
            # A proxy sends for many; it reads slow clients itself.
            whose = "" if is_trusted(address, self._settings) else network_of(address)
            arriving = Arriving(self._room, whose, self._settings.store, time.monotonic())
            self._watch(Connection(sock, client, sock.getsockname(), arriving))

    @property
    def _connections(self) -> int:
        return len(self._open) + len(self._parked) + self._answering

    def _watch(self, connection: Connection) -> None:
        self._open[connection] = None
        self._poller.register(connection.sock, selectors.EVENT_READ, partial(self._read, connection))

    def _unwatch(self, connection: Connection) -> None:
        del self._open[connection]
        self._poller.unregister(connection.sock)

    def _close(self, connection: Connection) -> None:
        self._unwatch(connection)
        connection.close()

    def _close_longest(self) -> bool:
        """Close the connection that has waited longest; return whether there was one."""
        longest = next(iter(self._open), None)
        if longest is not None:
            self._close(longest)
        return longest is not None

    def _close_late(self, now: float) -> None:
        for connection in [one for one in self._open if one.deadline <= now]:
            if connection.is_leaving or connection.arriving.is_idle:
                self._close(connection)
            else:
                self._refuse(connection, 408, LATE)
        for answer in [one for one in self._parked.values() if one.stream and one.stream.due <= now]:
            self._go_on_with(answer)

    def _refuse(self, connection: Connection, status: int, sentence: str) -> None:
        connection.refuse(status, sentence)
        connection.leave(time.monotonic(), LINGER)

    def _read(self, connection: Connection) -> None:
        if connection not in self._open:
            return  # closed earlier in this turn
        data = connection.read()
        if data is None:
            return
        if not data:
            self._close(connection)
        elif not connection.is_leaving:
            self._go_on(connection, partial(connection.arriving.take, data))

    def _go_on(self, connection: Connection, take: Callable[[float], None]) -> None:
        """Take what came of a request, and hand it on where it is whole."""
        arriving = connection.arriving
        try:
            take(time.monotonic())
        except NotTaken as error:
            self._refuse(connection, error.status, error.sentence)
        except OSError as error:
            if refusal := no_room(error):
                self._refuse(connection, refusal.status, refusal.sentence)
            else:
                self.log.exception("A body could not be kept")
                self._close(connection)
        else:
            if arriving.is_whole:
                self._hand_on(connection)
            elif arriving.expects:
                arriving.expects = False
                connection.proceed()

    def _hand_on(self, connection: Connection) -> None:
        """Have a thread answer the whole request of a connection."""
        if self._answering >= self.cfg.threads + MOST_WAITING:
            self._refuse(connection, 429, BUSY)
            return
        self._unwatch(connection)
        self._give_thread(Answer(connection, connection.arriving.source()))

    def _give_thread(self, answer: Answer) -> None:
        self._answering += 1

        def task() -> None:
            goes_on = False
            try:
                goes_on = self._answer(answer)
            finally:
                self._call_soon(partial(self._finish, answer, goes_on))

        self._threads.submit(task, answer.patience)

    def _call_soon(self, act: Callable[[], None]) -> None:
        """Have the loop call `act`; from any thread. The first of those that wait wakes the loop."""
        with self._lock:
            is_first = not self._done
            self._done.append(act)
        if is_first:
            with suppress(BlockingIOError, OSError):
                os.write(self.PIPE[1], b".")

    def _finish(self, answer: Answer, goes_on: bool) -> None:
        connection = answer.connection
        self._answering -= 1
        if answer.waits:
            self._park(answer)
            return
        answer.source.close()
        self._watch(connection)
        if goes_on and self.alive and not connection.arriving.closes:
            self._go_on(connection, connection.arriving.next)
        else:
            connection.leave(time.monotonic(), LINGER)

    def _park(self, answer: Answer) -> None:
        """Keep a stream in the loop until there is news of it, or its client leaves."""
        self._parked[answer.connection] = answer
        self._poller.register(answer.connection.sock, selectors.EVENT_READ, partial(self._hear, answer))
        if answer.stream and answer.stream.has_news:  # it came before the stream was parked
            self._go_on_with(answer)

    def _hear(self, answer: Answer) -> None:
        """Take the end of a parked connection; a client that follows a stream has nothing else to say."""
        if answer.connection in self._parked and answer.connection.read() == b"":
            answer.is_left = True
            self._go_on_with(answer)

    def _go_on_with(self, answer: Answer) -> None:
        """Let a thread write what there is of a parked stream."""
        if self._parked.pop(answer.connection, None) is not None:
            self._poller.unregister(answer.connection.sock)
            self._give_thread(answer)

    def _answer(self, answer: Answer) -> bool:
        """Write an answer, or the next part of a stream, in a thread; return whether another request may follow."""
        try:
            if answer.parts is None:
                self._begin(answer)
            return self._write(answer)
        except (NoMoreData, StopIteration, ConnectionError, TimeoutError) as error:
            self.log.debug("A connection ended: %s", error)
        except OSError as error:
            if error.errno not in (errno.EPIPE, errno.ENOTCONN):
                self.log.exception("A request was not answered")
        except Exception as error:
            self.handle_error(answer.request, answer.sock, answer.connection.client, error)
        return False

    def _begin(self, answer: Answer) -> None:
        """Read a request and have the application answer it."""
        connection = answer.connection
        answer.request = next(RequestParser(self.cfg, answer.source, connection.client))
        response, environ = create(answer.request, answer.sock, connection.client, connection.server, self.cfg)
        environ["wsgi.multithread"] = True
        environ[PARK] = partial(self._follow, answer)
        if connection.arriving.closes or not self.alive:
            response.force_close()
        answer.response, answer.environ = response, environ
        answer.parts = self.wsgi(environ, response.start_response)

    def _follow(self, answer: Answer, stream: Any) -> None:
        """Take the news of a stream into its answer."""
        answer.stream = stream
        stream.on_news = partial(self._call_soon, partial(self._go_on_with, answer))

    def _write(self, answer: Answer) -> bool:
        """Write all there is; a stream waits after an empty part. Return whether another request may follow."""
        response, parts = answer.response, answer.parts
        answer.waits = False
        try:
            if isinstance(parts, answer.environ["wsgi.file_wrapper"]):
                with let_others_compute():
                    response.write_file(parts)
            else:
                for part in () if answer.is_left else parts:
                    if answer.stream is not None and not part:
                        answer.waits = True
                        return True
                    response.write(part)
            response.close()
        except OSError:
            raise
        except Exception:
            if response.headers_sent:
                self.log.exception("An answer broke off")
                return False
            raise
        finally:
            if not answer.waits:
                self.log.access(response, answer.request, answer.environ, datetime.now() - answer.began)
                if hasattr(parts, "close"):
                    parts.close()
        return not response.should_close()
