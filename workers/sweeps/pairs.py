"""Compare variants of a sweep on the same instances, and rank all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.metrics.registry import find_metric
from shadowtime.engine.metrics.samples import LEVEL, Pair, friedman, holm, mean_ranks, paired, too_few
from shadowtime.workers.sweeps.outcomes import FINISHED, Outcomes
from shadowtime.workers.sweeps.points import finite

SIGNIFICANT = 0.05


def pairs(
    outcomes: Outcomes, names: Sequence[str], metric: str, a: int, b: int, *, level: float = LEVEL
) -> dict[str, Any]:
    """Compare variant `a` with variant `b`: over all instances, and point by point.

    An instance is a seed, a workload and a load. `better` is the variant that the sign test prefers at 5 %.
    """
    table = _table(outcomes, metric)
    return {
        "metric": metric,
        "better_is": find_metric(metric).better,
        "a": {"variant": a, "name": outcomes.spec.variant_name(a)},
        "b": {"variant": b, "name": outcomes.spec.variant_name(b)},
        "level": level,
        "all": _as_dict(paired(table[..., a].ravel(), table[..., b].ravel(), level=level), metric),
        "points": [
            {
                "workload": names[workload],
                "load": outcomes.spec.load(load),
                "place": {"workload": workload, "load": load},
                **_as_dict(paired(table[:, workload, load, a], table[:, workload, load, b], level=level), metric),
            }
            for workload, load in np.ndindex(table.shape[1:3])
        ],
    }


def ranking(
    outcomes: Outcomes,
    names: Sequence[str],
    metric: str,
    *,
    workload: int | None = None,
    load: int | None = None,
    level: float = LEVEL,
) -> dict[str, Any]:
    """Return all variants by their mean rank over the instances where all have a value, the best first.

    Each is compared with the first one by the sign test, adjusted after Holm for several tests; `friedman` is the p of
    Friedman's test that there is no difference at all. With a workload or load named, only that one counts.
    """
    whole = _table(outcomes, metric)
    chosen = whole[:, slice(None) if workload is None else [workload], slice(None) if load is None else [load], :]
    table = chosen.reshape(-1, chosen.shape[-1])
    is_whole = np.isfinite(table).all(axis=1)
    table = table[is_whole]
    falls = find_metric(metric).better == "higher"
    ranks = mean_ranks(-table if falls else table)
    order = [int(n) for n in np.argsort(np.where(np.isfinite(ranks), ranks, np.inf), kind="stable")]
    against = [paired(table[:, n], table[:, order[0]], level=level) for n in order[1:]]
    adjusted = [1.0, *holm([pair.p for pair in against])]
    few = too_few(len(table))
    return {
        "metric": metric,
        "better_is": find_metric(metric).better,
        "workload": None if workload is None else names[workload],
        "load": None if load is None else outcomes.spec.load(load),
        "instances": len(table),
        "left_out": int((~is_whole).sum()),
        "friedman": finite(friedman(table)),
        "warnings": [few] if few else [],
        "ranking": [
            {
                "place": place,
                "variant": n,
                "name": outcomes.spec.variant_name(n),
                "mean_rank": finite(ranks[n]),
                "mean": finite(table[:, n].mean()) if len(table) else None,
                "against_first": None if place == 1 else _as_dict(against[place - 2], metric),
                "p_adjusted": None if place == 1 else adjusted[place - 1],
                "differs_from_first": None if place == 1 else adjusted[place - 1] < SIGNIFICANT,
            }
            for place, n in enumerate(order, 1)
        ],
    }


def variant_of(outcomes: Outcomes, text: str, key: str) -> int:
    """Return a variant by its position (`0`) or its name (`measy migration_cost=20`).

    Raises
    ------
    InvalidParameter
        Naming the variants that there are.
    """
    known = [outcomes.spec.variant_name(n) for n in range(len(outcomes.spec.variants))]
    text = text.strip()
    if text in known:
        return known.index(text)
    if text.isascii() and text.isdigit() and len(text) < 7 and int(text) < len(known):
        return int(text)
    shown = ", ".join(f"{n} ({name})" for n, name in enumerate(known[:20]))
    raise InvalidParameter(f"{key} = {text[:80]!r}, but it must be one of the variants: {shown}")


def _table(outcomes: Outcomes, metric: str) -> np.ndarray:
    """Return a metric by seed, workload, load and variant; NaN where there is none."""
    find_metric(metric)
    column = outcomes.metrics.get(metric)
    if column is None:
        column = np.full(len(outcomes.spec), np.nan)
    return np.where(outcomes.grid(outcomes.status) == FINISHED, outcomes.grid(column), np.nan)


def _as_dict(pair: Pair, metric: str) -> dict[str, Any]:
    better = find_metric(metric).better
    preferred = None
    if pair.p < SIGNIFICANT and better != "neither":
        preferred = "a" if (pair.smaller > pair.larger) == (better == "lower") else "b"
    few = too_few(pair.n)
    return {
        "n": pair.n,
        "left_out": pair.left_out,
        "log_ratio": finite(pair.log_ratio),
        "low": finite(pair.low),
        "high": finite(pair.high),
        "ratio": finite(pair.ratio),
        "ratio_low": finite(np.exp(pair.low)),
        "ratio_high": finite(np.exp(pair.high)),
        "smaller": pair.smaller,
        "larger": pair.larger,
        "equal": pair.equal,
        "p": pair.p,
        "better": preferred,
        "warnings": [few] if few else [],
    }
