"""Imported by the process from which workers are forked: all that a worker imports, and its common algorithms."""

from shadowtime.workers import worker
from tests.workers import gated_worker

__all__ = ["gated_worker"]

worker.warm()
