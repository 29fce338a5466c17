"""A sweep that was sent, understood: its workloads are looked at, nothing is accepted yet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shadowtime.dashboard.intake.questions import Desk
from shadowtime.workers.sweeps.reading import read, read_toml
from shadowtime.workers.sweeps.submission import Stored, seconds

PLACE = "the sweep"


def sweep(desk: Desk, question: Mapping[str, Any] | None = None, toml: str | None = None) -> dict[str, Any]:
    """The canonical question of a JSON object or a TOML text, what its workloads are called, and what it may take.

    Raises QuestionError: in one sentence.
    """
    find, most = Stored(desk.store).find, desk.settings.max_sweep_runs
    asked = read(question or {}, PLACE, find, most) if toml is None else read_toml(toml, PLACE, find, most)
    return {
        "spec": asked.spec.json,
        "name": asked.name,
        "workloads": list(asked.workloads),
        "seconds": seconds(desk.store, asked.spec),
    }
