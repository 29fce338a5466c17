"""What `shadowtime sweep --json` prints and scripts are told of a sweep."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from shadowtime.workers.sweeps.outcomes import Outcomes
from shadowtime.workers.sweeps.points import points

EXAMPLES = 10
"""Numbers of runs that are named with a reason."""


def runs(outcomes: Outcomes, names: Sequence[str], indices: Iterable[int] | None = None) -> list[dict[str, Any]]:
    """Runs by their numbers, one object each; all of them where none are named."""
    spec = outcomes.spec
    told = []
    for index in range(len(spec)) if indices is None else indices:
        cell = spec.cell(index)
        known = outcomes.of(index)
        told.append(
            {
                "index": index,
                "run": known["run"],
                "workload": names[cell.workload],
                "seed": spec.seeds[cell.seed],
                "load": spec.load(cell.load),
                "algorithm": spec.variants[cell.variant]["algorithm"],
                **known,
            }
        )
    return told


def report(outcomes: Outcomes, names: Sequence[str], name: str = "") -> dict[str, Any]:
    """The whole object of `shadowtime sweep --json`."""
    counts = outcomes.counts()
    return {
        "sweep": outcomes.spec.id,
        "name": name,
        "runs_total": len(outcomes.spec),
        "finished": counts["finished"],
        "failed": counts["failed"],
        "runs": runs(outcomes, names),
        "points": points(outcomes, names),
        "engine_version": outcomes.spec.engine_version,
    }


def reasons(outcomes: Outcomes) -> list[dict[str, Any]]:
    """Why runs failed: each sentence once, the most frequent first, with some of the runs."""
    found: dict[str, list[int]] = {}
    for index in outcomes.failed():
        found.setdefault(outcomes.errors.get(index, ""), []).append(index)
    return [
        {"error": error, "runs": len(indices), "first": indices[:EXAMPLES]}
        for error, indices in sorted(found.items(), key=lambda item: -len(item[1]))
    ]
