"""The papers as programs: each claim, what the paper says, what comes out here, and whether they agree."""

from __future__ import annotations

from shadowtime.workers.papers.registry import Paper, find_paper, papers

__all__ = ["Paper", "find_paper", "papers"]
