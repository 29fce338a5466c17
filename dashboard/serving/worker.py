"""The serving process: one loop reads all requests, threads answer those that are whole.

A thread of gunicorn's own `gthread` reads while it waits, so that as many slow clients as there are threads stop the
site. Here a request takes a thread once all of it is there. Slow ones wait in the loop until their deadline, and where
there are too many connections, the one that has waited longest is closed.
"""

from __future__ import annotations

import errno
import os
import selectors
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any

from gunicorn.errors import ConfigError
from gunicorn.http.errors import NoMoreData
from gunicorn.http.parser import RequestParser
from gunicorn.http.wsgi import create
from gunicorn.workers.base import Worker

from shadowtime.dashboard.access.addresses import is_trusted
from shadowtime.dashboard.access.refusal import no_room
from shadowtime.dashboard.api.uploads import FIELDS
from shadowtime.dashboard.serving.arriving import Arriving, Limits, NotTaken, Room, Source
from shadowtime.dashboard.serving.connection import Answering, Connection
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
        self._done: deque[Callable[[], None]] = deque()
        self._threads = ThreadPoolExecutor(self.cfg.threads, "answer")
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
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _turn(self, seconds: float) -> None:
        """Handle what happens within some seconds."""
        for key, _ in self._poller.select(seconds):
            key.data()
        while self._done:
            self._done.popleft()()

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
            while len(self._open) + self._answering >= self.cfg.worker_connections and self._close_longest():
                pass
            address = client[0] if isinstance(client, tuple) else ""
            # A proxy sends for many; it reads slow clients itself.
            whose = "" if is_trusted(address, self._settings) else address
            arriving = Arriving(self._room, whose, self._settings.store, time.monotonic())
            self._watch(Connection(sock, client, sock.getsockname(), arriving))

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
        self._answering += 1
        source = connection.arriving.source()

        def answered(future: Any) -> None:
            self._done.append(partial(self._finish, connection, source, bool(future.result())))
            with suppress(BlockingIOError, OSError):
                os.write(self.PIPE[1], b".")

        self._threads.submit(self._answer, connection, source).add_done_callback(answered)

    def _finish(self, connection: Connection, source: Source, goes_on: bool) -> None:
        self._answering -= 1
        source.close()
        self._watch(connection)
        if goes_on and self.alive and not connection.arriving.closes:
            self._go_on(connection, connection.arriving.next)
        else:
            connection.leave(time.monotonic(), LINGER)

    def _answer(self, connection: Connection, source: Source) -> bool:
        """Answer one request in a thread; return whether another one may follow."""
        sock, request = Answering(connection.sock), None
        try:
            request = next(RequestParser(self.cfg, source, connection.client))
            return self._respond(request, sock, connection)
        except (NoMoreData, StopIteration, ConnectionError, TimeoutError) as error:
            self.log.debug("A connection ended: %s", error)
        except OSError as error:
            if error.errno not in (errno.EPIPE, errno.ENOTCONN):
                self.log.exception("A request was not answered")
        except Exception as error:
            self.handle_error(request, sock, connection.client, error)
        return False

    def _respond(self, request: Any, sock: Any, connection: Connection) -> bool:
        began = datetime.now()
        response, environ = create(request, sock, connection.client, connection.server, self.cfg)
        environ["wsgi.multithread"] = True
        if connection.arriving.closes or not self.alive:
            response.force_close()
        try:
            parts = self.wsgi(environ, response.start_response)
            try:
                if isinstance(parts, environ["wsgi.file_wrapper"]):
                    response.write_file(parts)
                else:
                    for part in parts:
                        response.write(part)
                response.close()
            finally:
                self.log.access(response, request, environ, datetime.now() - began)
                if hasattr(parts, "close"):
                    parts.close()
        except OSError:
            raise
        except Exception:
            if response.headers_sent:
                self.log.exception("An answer broke off")
                return False
            raise
        return not response.should_close()
