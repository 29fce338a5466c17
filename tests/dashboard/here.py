"""The intake's child without a process of its own, for tests that are not about that process."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from typing import Any

from shadowtime.dashboard.intake import __main__ as child
from shadowtime.dashboard.intake import fidelity, preview, priority, questions, sites, slurm_sites, sweeps
from shadowtime.workers.settings import Settings

QUESTIONS: dict[str, Callable] = {
    "add": questions.add,
    "ask": questions.ask,
    "columns": questions.columns,
    "draw": questions.draw,
    "fidelity": fidelity.fidelity,
    "preview": preview.preview,
    "priority": priority.priority,
    "site": sites.site,
    "slurm_site": slurm_sites.slurm_site,
    "sweep": sweeps.sweep,
}


class ChildHere:
    """Answers as the child does, through JSON too; it starts in 10 ms and not in 600."""

    alive = True

    def __init__(self, environment: Mapping[str, str]):
        self._desk = questions.Desk(Settings.from_environment({**os.environ, **environment}))

    def ask(self, question: Mapping[str, Any], timeout: float) -> dict[str, Any]:
        asked = json.loads(json.dumps(question))
        reply = child._answer(QUESTIONS[asked["question"]], self._desk, asked["values"])
        return json.loads(json.dumps(reply))

    def end(self) -> None:
        """There is no process to end."""
