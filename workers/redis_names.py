"""Name everything of one store in Redis, so that several stores can share a server.

RQ's names of jobs, executions and registries come from the ids of jobs and the names of queues, which carry the
store's identity.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Names:
    """Names of the store with this identity, which has letters and digits only."""

    store: str

    def queue(self, priority: str) -> str:
        """Return RQ's name of the queue of a priority."""
        return f"shadowtime-{self.store}-{priority}"

    def job(self, work: str) -> str:
        """Return RQ's id of the job for a piece of work, such as the digest of a run."""
        return f"{self.store}-{work}"

    def work(self, job: str) -> str:
        """Return the piece of work of a job."""
        return job.removeprefix(f"{self.store}-")

    def key(self, what: str) -> str:
        """Return the name of a key of ours, such as `live` or `beat:<work>`."""
        return f"shadowtime:{self.store}:{what}"
