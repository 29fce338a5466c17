"""Imported by the process from which others are forked: what workers and web processes import, and two algorithms."""

from gunicorn.app import wsgiapp

from shadowtime.dashboard import app
from shadowtime.dashboard.serving import worker as serving
from shadowtime.workers import worker
from tests.workers import gated_worker

__all__ = ["app", "gated_worker", "serving", "wsgiapp"]

worker.warm()
