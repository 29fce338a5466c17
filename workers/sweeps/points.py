"""Compute figures of each point of a sweep: its runs are samples, one a seed, in blocks of independent draws."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from shadowtime.engine.metrics.intervals import BATCHES
from shadowtime.engine.metrics.nature import Nature
from shadowtime.engine.metrics.registry import find_metric
from shadowtime.engine.statistics.blocks import LEVEL, neighbours
from shadowtime.engine.statistics.intervals import Means, doubts, means
from shadowtime.engine.workload.words import count, were
from shadowtime.workers.sweeps.blocks import ONE_LOG, blocks_of, by_point, is_fixed
from shadowtime.workers.sweeps.outcomes import FAILED, FINISHED, Outcomes

OF_ONE_RUN = f"the intervals of a single long run, from batch means, are those at {LEVEL:.0%}"
OUTSIDE = "the mean over all jobs lies outside the interval, which is that of the mean without the jobs of the warm-up"
ROUNDING = 1e-6
"""Relative difference below which the load of a run is the one of its point: the conversion reaches it within 1e-12."""


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
    Beside the identity of a point: `n` finished runs, `failed`, `pending`, `metrics` and `warnings`. A metric has the
    number of independent `blocks`, mean, std, min, max, low and high (None where that needs more blocks), and
    `interval`, the method of the last two; where it has a bound also `mean_of_ratios` and `ratio_of_sums` against it,
    which differ.
    """
    spec = outcomes.spec
    _, workloads, loads, variants = spec.shape
    chosen = [name for name in outcomes.names if only is None or name in set(only)]
    natures = {name: nature_of(outcomes, name) for name in chosen}
    blocks = blocks_of(outcomes)
    known = {name: statistics(outcomes, name, blocks, level=level) for name in chosen}
    found = {name: _columns(outcomes, name, one) for name, one in known.items()}
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
            of_batches = outcomes.intervals.get(first, {}) if n == 1 and len(spec.seeds) == 1 else {}
            _from_batches(point["metrics"], of_batches)
            point["warnings"] = [
                *([OF_ONE_RUN] if of_batches and level != LEVEL else []),
                *_of_runs(point["failed"], len(spec.seeds)),
                *_of_jobs(outcomes, at),
                *_warnings(outcomes, at, point["metrics"], natures),
            ]
        rows.append(point)
    return rows


def statistics(outcomes: Outcomes, name: str, blocks: np.ndarray, *, level: float = LEVEL) -> Means:
    """Return mean and interval of one metric over blocks, by workload, load and variant."""
    values = by_point(outcomes.grid(outcomes.metrics[name]), blocks)
    return means(values, nature_of(outcomes, name), level=level)


def nature_of(outcomes: Outcomes, name: str) -> Nature:
    """Return the nature of a metric, without an end of its range that some run exceeds."""
    return find_metric(name).nature.around(outcomes.metrics[name])


def _columns(outcomes: Outcomes, name: str, known: Means) -> dict[str, Any]:
    """Return the columns of one metric, by workload, load and variant, and the method of its intervals."""
    columns: dict[str, Any] = {key: getattr(known, key) for key in ("mean", "std", "min", "max", "low", "high")}
    columns |= {"blocks": known.blocks, "interval": known.method}
    if name in outcomes.bounds:
        values, bounds = outcomes.grid(outcomes.metrics[name]), outcomes.grid(outcomes.bounds[name])
        both = np.isfinite(values) & np.isfinite(bounds) & (bounds > 0)
        with np.errstate(invalid="ignore", divide="ignore"):
            columns["mean_of_ratios"] = np.where(both, values / bounds, 0.0).sum(axis=0) / both.sum(axis=0)
            columns["ratio_of_sums"] = np.where(both, values, 0.0).sum(axis=0) / np.where(both, bounds, 0.0).sum(axis=0)
    return columns


def _of_point(columns: Mapping[str, Any], at: tuple[int, ...]) -> dict[str, Any] | None:
    """Return one metric of one point; None where none of its runs has it."""
    blocks = int(columns["blocks"][at])
    if blocks == 0:
        return None
    numbers = {key: finite(column[at]) for key, column in columns.items() if key not in ("blocks", "interval")}
    return {**numbers, "blocks": blocks, "interval": columns["interval"] if blocks > 1 else None}


def _from_batches(metrics: dict[str, Any], intervals: Mapping[str, Any]) -> None:
    """Take the intervals of a single long run: batch means after a warm-up."""
    for name, one in intervals.items():
        if name in metrics:
            metrics[name] |= {
                "low": one["low"],
                "high": one["high"],
                "interval": "batch means",
                "blocks": BATCHES,
            }


def _of_runs(failed: int, seeds: int) -> list[str]:
    """Return that runs failed, if any: those that did not may be the easier ones."""
    return [f"{failed} of {count(seeds, 'run')} failed; the figures are those of the others"] if failed else []


def _of_jobs(outcomes: Outcomes, at: tuple[int, ...]) -> list[str]:
    """Return where a point is not what its labels say: rejected jobs, and a load measured on another machine."""
    place, found = int(np.ravel_multi_index(at, outcomes.spec.shape[1:])), []
    rejected, offered = (
        _finite(outcomes.metrics[name][place :: outcomes.spec.points]) if name in outcomes.metrics else np.zeros(0)
        for name in ("rejected", "offered_load")
    )
    if rejected.any():
        most = int(rejected.max())
        found.append(f"up to {count(most, 'job')} of a run {were(most)} rejected; the figures leave them out")
    load = outcomes.spec.load(at[1])
    if load and len(offered) and not np.allclose(offered, load, rtol=ROUNDING, atol=0.0):
        found.append(
            f"load {load:g} is measured on the workload's own machine; on the machine of these runs the offered load "
            f"is {offered.mean():.3g} on average"
        )
    return found


def _warnings(
    outcomes: Outcomes, at: tuple[int, ...], metrics: Mapping[str, Any], natures: Mapping[str, Nature]
) -> list[str]:
    """Return reasons not to trust the intervals of a point: for all its metrics, or naming the metrics."""
    place = int(np.ravel_multi_index(at, outcomes.spec.shape[1:]))
    columns = {name: outcomes.metrics[name][place :: outcomes.spec.points] for name in metrics}
    n = int((outcomes.status[place :: outcomes.spec.points] == FINISHED).sum())
    every = (column[place :: outcomes.spec.points] for column in outcomes.metrics.values())  # also those not shown
    if n > 1 and columns and all(map(_equal, every)):
        return [f"all {n} samples are equal: seeds change nothing here, so they are no independent draws"]
    stated: dict[str, list[str]] = {}
    for name, column in columns.items():
        for sentence in _of_metric(outcomes, place, name, column, metrics[name], natures[name]):
            stated.setdefault(sentence, []).append(name)
    if n > 1 and is_fixed(outcomes, at[0]):
        stated[ONE_LOG] = list(metrics)
    everywhere = [sentence for sentence, names in stated.items() if len(names) == len(metrics)]
    some = [f"{', '.join(names)}: {sentence}" for sentence, names in stated.items() if len(names) < len(metrics)]
    return [*everywhere, *some]


def _of_metric(
    outcomes: Outcomes, place: int, name: str, column: np.ndarray, one: Mapping[str, Any], nature: Nature
) -> list[str]:
    """Return reasons not to trust the interval of one metric."""
    if one["interval"] == "batch means":
        sentence = outcomes.intervals[place][name]["warning"]
        outside = OUTSIDE if not one["low"] <= one["mean"] <= one["high"] else None
        return [found for found in (sentence, outside) if found]
    spread = one["std"] if one["std"] is not None else 0.0
    found = doubts(one["blocks"], one["mean"], spread, nature)
    resembling = neighbours(column)
    return [*found, resembling] if resembling else found


def _finite(column: np.ndarray) -> np.ndarray:
    return column[np.isfinite(column)]


def _equal(column: np.ndarray) -> bool:
    known = _finite(column)
    return len(known) == 0 or bool((known == known[0]).all())


def _parameters(outcomes: Outcomes, first: int) -> Mapping[str, Any]:
    """Return the parameters of the first known run of a point."""
    step = outcomes.spec.points
    known = (outcomes.parameters.get(index) for index in range(first, len(outcomes.spec), step))
    return next((one for one in known if one is not None), outcomes.parameters_of(first))


def finite(value: Any) -> float | None:
    """Return a finite number for JSON, else None."""
    return float(value) if np.isfinite(value) else None
