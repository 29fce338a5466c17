"""How gunicorn serves `dashboard.app:server()`: `gunicorn -c python:shadowtime.dashboard.serving.gunicorn`."""

import gc
import os
import resource
import sys
import threading
from typing import Any

from gunicorn.glogging import Logger

from shadowtime.dashboard.serving import heaps
from shadowtime.dashboard.serving.first_visit import FirstVisit
from shadowtime.engine.errors import EngineError, InvalidParameter
from shadowtime.workers import logs, processes
from shadowtime.workers.settings import MOST_PORT, Settings

bind = f"{os.environ.get('HOST') or '127.0.0.1'}:{os.environ.get('PORT') or '8050'}"

# One process: its one reader thread follows all live runs, and its caches are shared by all requests.
# A thread is held by each request that is answered; requests that are still on their way, and live streams, hold none.
workers = 1
worker_class = "shadowtime.dashboard.serving.worker.ReadingWorker"
threads = 128
worker_connections = 4000

# A list of 200 ids in full has 13,000 bytes; `arriving` limits a head.
limit_request_line = 0

# gunicorn would believe these headers of all processes of this machine; `access.addresses` believes SHADOWTIME_PROXIES.
forwarded_allow_ips = ""
forwarder_headers = ""
secure_scheme_headers: dict[str, str] = {}

# A stop waits so long for answers that are being written.
graceful_timeout = 1

loglevel = "warning"


class Lines(Logger):
    """The log of gunicorn, in the form that SHADOWTIME_LOG sets."""

    def setup(self, cfg: Any) -> None:
        """As gunicorn has it, but for the form."""
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.setFormatter(logs.JsonLines())


if logs.is_json():
    logger_class = Lines
control_socket_disable = True


FILES = 8192
"""Open files: a thread has three or four, a connection one. Many systems allow 1,024 unless a process raises that."""


def post_worker_init(worker: Any) -> None:
    """Little memory kept for later, room for open files; and, beside the answer to the first visitor, what the first
    window of a run would wait for."""
    heaps.thrifty()
    threading.Thread(target=heaps.keep_trimmed, name="heaps", daemon=True).start()
    few, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    limit = FILES if most == resource.RLIM_INFINITY else min(FILES, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(few, limit), most))
    if logs.is_json():
        logs.configure(Settings.from_environment())

    def warm() -> None:
        from shadowtime.dashboard.viewer import raster

        raster.warm()
        settle()

    worker.wsgi = FirstVisit(worker.wsgi, threading.Thread(target=warm, name="warm", daemon=True).start)
    dispatch()
    settle()


def settle() -> None:
    """Pass over what is there now from now on: looking through it each time held up all requests for 60 ms."""
    gc.collect()
    gc.freeze()


def on_starting(server: Any) -> None:
    """Refuse a wrong setting in one line; let this process and the one that it forks to serve end without a search for
    cycles in memory."""
    try:
        check_settings()
    except EngineError as error:
        print(f"web: {error}", file=sys.stderr, flush=True)
        sys.exit(2)
    processes.end_quickly()


def check_settings() -> None:
    """Raise EngineError for a setting with which no process could serve."""
    from shadowtime.workers.checked_settings import checked
    from shadowtime.workers.connection import connect

    port = os.environ.get("PORT") or "0"
    if not (port.isdecimal() and int(port) <= MOST_PORT):
        raise InvalidParameter(f"PORT = {port[:80]!r}, but it must be a whole number from 0 to {MOST_PORT}")
    connect(checked(os.environ).redis_url).close()


def dispatch() -> None:
    """Record what workers must have, too; then queue what was accepted and waits in the records only, every
    few seconds, as each worker does."""
    from shadowtime.workers import laboratory, recover
    from shadowtime.workers.queue import open_queue
    from shadowtime.workers.store import store_of

    settings = Settings.from_environment()
    store = store_of(settings)
    recover.run_logged(lambda: laboratory.record(store, settings))
    recover.watch(store, open_queue(settings, store), threading.Event())
