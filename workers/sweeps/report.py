"""Build the object that `shadowtime sweep --json` prints."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from shadowtime.workers.sweeps.outcomes import Outcomes
from shadowtime.workers.sweeps.points import points

EXAMPLES = 10
"""Numbers of runs that are listed with a reason."""


def runs(outcomes: Outcomes, names: Sequence[str], indices: Iterable[int] | None = None) -> list[dict[str, Any]]:
    """Return runs by their numbers, one object each; without `indices`, all of them."""
    spec = outcomes.spec
    found = []
    for index in range(len(spec)) if indices is None else indices:
        cell = spec.cell(index)
        known = outcomes.of(index)
        found.append(
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
    return found


def report(outcomes: Outcomes, names: Sequence[str], name: str = "") -> dict[str, Any]:
    """Return the whole object of `shadowtime sweep --json`."""
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
    """Return why runs failed: each message once, the most frequent first, with some of the runs."""
    found: dict[str, list[int]] = {}
    for index in outcomes.failed():
        found.setdefault(outcomes.errors.get(index, ""), []).append(index)
    return [
        {"error": error, "runs": len(indices), "first": indices[:EXAMPLES]}
        for error, indices in sorted(found.items(), key=lambda item: -len(item[1]))
    ]
