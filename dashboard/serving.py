"""How gunicorn serves `dashboard.app:server()`: `gunicorn -c python:dashboard.serving`."""

import os
import resource
import threading
from typing import Any

from gunicorn.glogging import Logger

from workers import logs
from workers.settings import Settings

bind = f"{os.environ.get('HOST') or '127.0.0.1'}:{os.environ.get('PORT') or '8050'}"

# One process: its one reader thread follows all live runs, and its caches are shared by all requests.
# A thread is held by each open live stream, one per browser.
workers = 1
worker_class = "gthread"
threads = 320
keepalive = 30

# Open live streams never end by themselves; without this a stop would wait for them for 30 s.
graceful_timeout = 1

loglevel = "warning"


class Lines(Logger):
    """What gunicorn says, in the form that SHADOWTIME_LOG sets, as everything else."""

    def setup(self, cfg: Any) -> None:
        """As gunicorn has it, but for the form."""
        super().setup(cfg)
        for handler in self.error_log.handlers:
            handler.setFormatter(logs.JsonLines())


if logs.is_json():
    logger_class = Lines
control_socket_disable = True


FILES = 8192
"""Open files: each thread has three or four, each stream one. Many systems allow 1,024 until they are asked."""


def post_worker_init(worker: Any) -> None:
    """Room for open files; and, beside the first requests, what the first window of a large run would wait for."""
    few, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if most == resource.RLIM_INFINITY else min(FILES, most)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(few, wanted), most))
    if logs.is_json():
        logs.configure(Settings.from_environment())

    def warm() -> None:
        from dashboard.raster import warm

        warm()

    threading.Thread(target=warm, name="warm", daemon=True).start()
