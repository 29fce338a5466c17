"""Reproduce papers: each claim, the paper's value, our value, and whether they agree."""

from __future__ import annotations

from shadowtime.workers.papers.registry import Paper, find_paper, papers

__all__ = ["Paper", "find_paper", "papers"]
