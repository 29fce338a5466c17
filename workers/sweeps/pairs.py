"""Compare variants of a sweep on the same instances, and rank all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.metrics.registry import find_metric
from shadowtime.engine.statistics.blocks import ALPHA, LEVEL, block_means, too_few_for_interval, too_few_for_test
from shadowtime.engine.statistics.comparison import Comparison, as_family, compare
from shadowtime.engine.statistics.ranking import block_table, rank
from shadowtime.workers.sweeps.blocks import blocks_of
from shadowtime.workers.sweeps.outcomes import FINISHED, Outcomes
from shadowtime.workers.sweeps.points import finite


def pairs(
    outcomes: Outcomes, names: Sequence[str], metric: str, a: int, b: int, *, level: float = LEVEL
) -> dict[str, Any]:
    """Compare variant `a` with variant `b`: over all instances, and point by point.

    An instance is a seed, a workload and a load; tests and intervals count blocks. `better` is the variant that the
    signed-rank test prefers at 5 %, after Holm over the points.
    """
    table, blocks = table_of(outcomes, metric), blocks_of(outcomes)
    places = list(np.ndindex(table.shape[1:3]))
    own = [compared(table[:, [w]][:, :, [load]], blocks[:, [w]], a, b, level) for w, load in places]
    return {
        "metric": metric,
        "better_is": find_metric(metric).better,
        "a": {"variant": a, "name": outcomes.spec.variant_name(a)},
        "b": {"variant": b, "name": outcomes.spec.variant_name(b)},
        "level": level,
        "all": _as_dict(compared(table, blocks, a, b, level), metric),
        "points": [
            {
                "workload": names[workload],
                "load": outcomes.spec.load(load),
                "place": {"workload": workload, "load": load},
                **_as_dict(one, metric),
            }
            for (workload, load), one in zip(places, as_family(own), strict=True)
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
    """Return all variants by their mean rank over the blocks of instances where all have a value, the best first.

    Each is compared with the first one by the signed-rank test, adjusted after Holm for several tests; `friedman` is
    the p of Friedman's test that there is no difference at all, and mean ranks further apart than
    `critical_difference` differ (Nemenyi, 5 %). With a workload or load named, only that one counts.
    """
    whole, blocks = table_of(outcomes, metric), blocks_of(outcomes)
    if workload is not None:
        whole, blocks = whole[:, [workload]], blocks[:, [workload]]
    if load is not None:
        whole = whole[:, :, [load]]
    is_whole = np.isfinite(whole).all(axis=-1)
    table = np.where(is_whole[..., None], whole, np.nan)
    rows = table.reshape(-1, *table.shape[2:])
    ranks = rank(block_table(rows, numbered(blocks))[0], falls=find_metric(metric).better == "higher")
    first = ranks.order[0]
    against = as_family([compared(table, blocks, n, first, level) for n in ranks.order[1:]])
    few = [too_few_for_interval(ranks.blocks), too_few_for_test(ranks.blocks, comparisons=max(1, len(against)))]
    return {
        "metric": metric,
        "better_is": find_metric(metric).better,
        "workload": None if workload is None else names[workload],
        "load": None if load is None else outcomes.spec.load(load),
        "blocks": ranks.blocks,
        "instances": int(is_whole.sum()),
        "left_out": int((~is_whole).sum()),
        "friedman": finite(ranks.friedman_p),
        "critical_difference": finite(ranks.critical_difference),
        "groups": [list(group) for group in ranks.groups],
        "warnings": [sentence for sentence in few if sentence and ranks.blocks],
        "ranking": [
            {
                "place": place,
                "variant": n,
                "name": outcomes.spec.variant_name(n),
                "mean_rank": finite(ranks.mean_ranks[n]),
                "mean": finite(np.nanmean(block_means(rows[..., n], numbered(blocks)))) if is_whole.any() else None,
                "against_first": None if place == 1 else _as_dict(against[place - 2], metric),
                "p_adjusted": None if place == 1 else against[place - 2].p_adjusted,
                "differs_from_first": None if place == 1 else against[place - 2].is_significant(),
            }
            for place, n in enumerate(ranks.order, 1)
        ],
    }


def compared(table: np.ndarray, blocks: np.ndarray, a: int, b: int, level: float = LEVEL) -> Comparison:
    """Compare two variants over all blocks; `table` is by seed, workload, load and variant, `blocks` as `blocks_of`."""
    rows = table.reshape(-1, *table.shape[2:])
    return compare(rows[..., a], rows[..., b], numbered(blocks), level=level)


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


def numbered(blocks: np.ndarray) -> np.ndarray:
    """Return the blocks of the rows, numbered from 0 without gaps."""
    return np.unique(blocks.ravel(), return_inverse=True)[1]


def table_of(outcomes: Outcomes, metric: str) -> np.ndarray:
    """Return a metric by seed, workload, load and variant; NaN where there is none."""
    find_metric(metric)
    column = outcomes.metrics.get(metric)
    if column is None:
        column = np.full(len(outcomes.spec), np.nan)
    return np.where(outcomes.grid(outcomes.status) == FINISHED, outcomes.grid(column), np.nan)


def _as_dict(found: Comparison, metric: str) -> dict[str, Any]:
    better = find_metric(metric).better
    preferred = None
    if found.is_significant(ALPHA) and better != "neither":
        preferred = "a" if (found.rank_biserial < 0.0) == (better == "lower") else "b"
    return {
        "blocks": found.blocks,
        "n": found.instances,
        "left_out": found.left_out,
        "log_ratio": finite(found.log_ratio.mean),
        "low": finite(found.log_ratio.low),
        "high": finite(found.log_ratio.high),
        "ratio": finite(found.ratio.mean),
        "ratio_low": finite(found.ratio.low),
        "ratio_high": finite(found.ratio.high),
        "difference": finite(found.difference.mean),
        "difference_low": finite(found.difference.low),
        "difference_high": finite(found.difference.high),
        "tested": found.tested,
        "smaller": found.smaller,
        "larger": found.larger,
        "equal": found.equal,
        "p": found.p,
        "p_adjusted": found.p_adjusted,
        "sign_p": found.sign_p,
        "sign_p_adjusted": found.sign_p_adjusted,
        "smallest_p": found.smallest_p,
        "rank_biserial": finite(found.rank_biserial),
        "rank_biserial_low": finite(found.rank_biserial_low),
        "rank_biserial_high": finite(found.rank_biserial_high),
        "better": preferred,
        "warnings": found.warnings,
    }
