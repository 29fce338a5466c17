"""Compute figures of each point of a sweep: its runs are samples, one a seed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from shadowtime.engine.metrics.samples import LEVEL, resemblance, samples, too_few
from shadowtime.workers.sweeps.outcomes import FAILED, FINISHED, Outcomes


def points(
    outcomes: Outcomes, names: Sequence[str], *, only: Iterable[str] | None = None, level: float = LEVEL
) -> list[dict[str, Any]]:
    """Return one object a point, in the order of the grid: its identity, sample count, and each metric's statistics.

    Parameters
    ----------
    names
        Of the workloads.
    only
        Metrics; None: all that some run has.
    level
        Confidence of the intervals, in (0, 1).

    Returns
    -------
    Beside the identity of a point: `n` finished runs, `failed`, `pending`, `metrics` and `warnings`. A metric has mean,
    std, min, max, low and high (None where that needs more samples) and `interval`, the method of the last two; where
    it has a bound also `mean_of_ratios` and `ratio_of_sums` against it, which differ.
    """
    spec = outcomes.spec
    _, workloads, loads, variants = spec.shape
    chosen = [name for name in outcomes.names if only is None or name in set(only)]
    found = {name: _statistics(outcomes, name, level) for name in chosen}
    status = outcomes.grid(outcomes.status)
    done, lost = (status == FINISHED).sum(axis=0), (status == FAILED).sum(axis=0)
    rows = []
    for at in np.ndindex(workloads, loads, variants):
        workload, load, variant = at
        first = int(np.ravel_multi_index(at, (workloads, loads, variants)))
        n = int(done[at])
        point: dict[str, Any] = {
            "workload": names[workload],
            "load": spec.load(load),
            "algorithm": spec.variants[variant]["algorithm"],
            "parameters": dict(_parameters(outcomes, first)),
            "name": spec.variant_name(variant),
            "place": {"workload": workload, "load": load, "variant": variant},
            "n": n,
            "failed": int(lost[at]),
            "pending": len(spec.seeds) - n - int(lost[at]),
            "metrics": {},
            "warnings": [],
        }
        if n:
            point["metrics"] = {name: one for name, column in found.items() if (one := _of_point(column, at))}
            if n == 1 and len(spec.seeds) == 1:
                _from_batches(point["metrics"], outcomes.intervals.get(first, {}))
            point["warnings"] = _warnings(outcomes, at, point["metrics"])
        rows.append(point)
    return rows


def _statistics(outcomes: Outcomes, name: str, level: float) -> dict[str, np.ndarray]:
    """Return columns of one metric, by workload, load and variant."""
    values = outcomes.grid(outcomes.metrics[name])
    known = samples(values, level=level)
    columns = {key: getattr(known, key) for key in ("n", "mean", "std", "min", "max", "low", "high")}
    if name in outcomes.bounds:
        bounds = outcomes.grid(outcomes.bounds[name])
        both = np.isfinite(values) & np.isfinite(bounds) & (bounds > 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            columns["mean_of_ratios"] = np.where(both, values / bounds, 0.0).sum(axis=0) / both.sum(axis=0)
            columns["ratio_of_sums"] = np.where(both, values, 0.0).sum(axis=0) / np.where(both, bounds, 0.0).sum(axis=0)
    return columns


def _of_point(columns: Mapping[str, np.ndarray], at: tuple[int, ...]) -> dict[str, Any] | None:
    """Return one metric of one point; None where none of its runs has it."""
    n = int(columns["n"][at])
    if n == 0:
        return None
    found: dict[str, Any] = {key: finite(column[at]) for key, column in columns.items() if key != "n"}
    return {**found, "interval": "t" if n > 1 else None}


def _from_batches(metrics: dict[str, Any], intervals: Mapping[str, Any]) -> None:
    """Take the intervals of a single long run: batch means after a warm-up."""
    for name, one in intervals.items():
        if name in metrics:
            metrics[name] |= {"low": one["low"], "high": one["high"], "interval": "batch means"}


def _warnings(outcomes: Outcomes, at: tuple[int, ...], metrics: Mapping[str, Any]) -> list[str]:
    """Return reasons not to trust the intervals of a point: for all its metrics, or naming the metrics."""
    place = int(np.ravel_multi_index(at, outcomes.spec.shape[1:]))
    columns = {name: outcomes.metrics[name][place :: outcomes.spec.points] for name in metrics}
    n = int((outcomes.status[place :: outcomes.spec.points] == FINISHED).sum())
    said: dict[str, list[str]] = {}
    if n > 1 and columns and all(_equal(column) for column in columns.values()):
        return [f"all {n} samples are equal: seeds change nothing here, so they are no independent draws"]
    batched = {name for name, one in metrics.items() if one["interval"] == "batch means"}
    for name, column in columns.items():
        for sentence in (resemblance(column), outcomes.intervals[place][name]["warning"] if name in batched else None):
            if sentence:
                said.setdefault(sentence, []).append(name)
    few = too_few(n)
    return [*([few] if few else []), *(f"{', '.join(names)}: {sentence}" for sentence, names in said.items())]


def _equal(column: np.ndarray) -> bool:
    known = column[np.isfinite(column)]
    return len(known) == 0 or bool((known == known[0]).all())


def _parameters(outcomes: Outcomes, first: int) -> Mapping[str, Any]:
    """Return the parameters of the first known run of a point."""
    step = outcomes.spec.points
    known = (outcomes.parameters.get(index) for index in range(first, len(outcomes.spec), step))
    return next((one for one in known if one is not None), outcomes.parameters_of(first))


def finite(value: Any) -> float | None:
    """Return a finite number for JSON, else None."""
    return float(value) if np.isfinite(value) else None
