"""One sweep as its page reads it: what was swept, what a figure may be drawn against, the values behind each point."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from shadowtime.dashboard.components import naming, results
from shadowtime.dashboard.components.sweep_answers import grid, known
from shadowtime.dashboard.context import Context
from shadowtime.dashboard.figures.sweep_panel import Panel, Series
from shadowtime.dashboard.look.definitions import known_metric
from shadowtime.engine.metrics.nature import LARGEST_RATIO, Nature
from shadowtime.engine.metrics.nature import RATIO as MEAN_RATIO
from shadowtime.engine.registry import find_conversion, find_generator, look_up_family
from shadowtime.engine.statistics.intervals import Means, means
from shadowtime.engine.workload.conversions.conversion import SAME
from shadowtime.workers.records.sweeps import Sweep
from shadowtime.workers.sweeps.blocks import blocks_of, by_point
from shadowtime.workers.sweeps.outcomes import FINISHED, Outcomes
from shadowtime.workers.sweeps.points import nature_of

LOAD, WORKLOAD = "load", "workload"
MOST_LINES = 8
"""Variants that a figure shows unless others are chosen; more cannot be distinguished."""
MOST_PANELS = 12
RATIO = "ratio"
"""Values over their proven bounds, instead of the values."""


@dataclass(frozen=True)
class Choice:
    """What of a sweep a figure shows."""

    metric: str
    axis: str
    variants: tuple[int, ...]
    scale: str = ""
    """RATIO, or empty for the values themselves."""


class SweepView:
    """A sweep and what came of it so far."""

    def __init__(self, context: Context, reference: str):
        self.context = context
        self.sweep: Sweep = context.store.sweeps.get(reference)
        self.outcomes: Outcomes = known(context.store).get(self.sweep).outcomes
        self.spec = self.outcomes.spec

    @cached_property
    def grid(self) -> Mapping[str, Any]:
        """Names of what was swept, in order."""
        return grid(self.spec, self.sweep.status.workloads)

    @cached_property
    def counts(self) -> Mapping[str, int]:
        """Runs pending, finished, failed."""
        return self.outcomes.counts()

    @cached_property
    def variant_names(self) -> list[str]:
        """`MEASY migration_cost=20`: each algorithm as people write it, with the parameters that were given."""
        found = []
        for n, variant in enumerate(self.spec.variants):
            said = self.spec.variant_name(n).removeprefix(variant["algorithm"])
            found.append(naming.algorithm_words(variant["algorithm"]) + said)
        return found

    @property
    def title(self) -> str:
        """Its name, or its question in short."""
        algorithms = ", ".join(map(naming.algorithm_words, self.algorithms[:4]))
        return self.sweep.status.name or f"{algorithms} on {', '.join(self.grid['workloads'][:2])}"

    @property
    def algorithms(self) -> list[str]:
        return list(dict.fromkeys(variant["algorithm"] for variant in self.spec.variants))

    @cached_property
    def metric_names(self) -> list[str]:
        """What can be shown: first what people judge by."""
        first = [name for name in (*results.HEADLINES, *results.SUMMARY) if name in self.outcomes.names]
        return list(dict.fromkeys([*first, *self.outcomes.names]))

    @property
    def headline(self) -> str:
        """The metric that is shown unless another is chosen."""
        bounded = [name for name in results.HEADLINES if name in self.outcomes.bounds]
        names = [look_up_family(self.kind).objective, *bounded, *self.metric_names]
        return next((name for name in names if name in self.outcomes.names), "mean_flow")

    @cached_property
    def kind(self) -> str:
        """The kind of the first workload as algorithms get it; empty where a file's is not known without reading it."""
        source = self.spec.workloads[0]
        kind = find_generator(source["generator"]).kind if "generator" in source else ""
        for conversion in self.spec.conversions:
            made = find_conversion(conversion["name"]).makes
            kind = made if made != SAME else kind
        return kind

    @cached_property
    def workload_names(self) -> list[str]:
        """What people call the workloads in a figure: of draws of one generator, what they differ in."""
        names = list(self.grid["workloads"])
        split = [(name.partition(":")[0], name.partition(":")[2].split(",")) for name in names]
        shared = set.intersection(*(set(parts) for _, parts in split))
        if len(names) < 2 or len({head for head, _ in split}) > 1 or not all(":" in name for name in names):
            return names
        short = [", ".join(part for part in parts if part not in shared) for _, parts in split]
        return short if all(short) and len(set(short)) == len(short) else names

    @cached_property
    def swept(self) -> dict[str, list[Any]]:
        """Parameters of algorithms that have several values, in order."""
        found: dict[tuple[str, str], list[Any]] = {}
        for variant in self.spec.variants:
            for name, value in variant["parameters"].items():
                known = found.setdefault((variant["algorithm"], name), [])
                if value not in known:
                    known.append(value)
        return {name: sorted(values, key=_order) for (_, name), values in found.items() if len(values) > 1}

    @property
    def axes(self) -> list[str]:
        """What a figure may be drawn against; the first is the default."""
        found = [LOAD] if len(self.spec.loads) > 1 else []
        found += list(self.swept)
        return found + ([WORKLOAD] if len(self.grid["workloads"]) > 1 or not found else [])

    def variants(self, chosen: Sequence[int] = ()) -> tuple[int, ...]:
        """Those that were chosen and exist; the first ones where none were."""
        known = range(len(self.spec.variants))
        return tuple(n for n in chosen if n in known) or tuple(known)[:MOST_LINES]

    def values(self, metric: str, scale: str = "") -> np.ndarray:
        """A metric by seed, workload, load and variant; NaN where it is not known."""
        column = self.outcomes.metrics.get(metric)
        if column is None or (scale == RATIO and metric not in self.outcomes.bounds):
            return np.full(self.spec.shape, np.nan)
        if scale == RATIO:
            bound = self.outcomes.bounds[metric]
            with np.errstate(divide="ignore", invalid="ignore"):
                column = np.where(bound > 0, column / bound, np.nan)
        done = self.outcomes.grid(self.outcomes.status) == FINISHED
        return np.where(done, self.outcomes.grid(column), np.nan)

    @cached_property
    def blocks(self) -> np.ndarray:
        """The block of each seed and workload."""
        return blocks_of(self.outcomes)

    @property
    def block_count(self) -> int:
        """Number of independent draws of the whole sweep."""
        return len(np.unique(self.blocks))

    def _nature(self, choice: Choice) -> Nature:
        """Range and kind of what a figure shows."""
        nature = nature_of(self.outcomes, choice.metric)
        return nature if choice.scale != RATIO else LARGEST_RATIO if nature.is_extreme else MEAN_RATIO

    def point(self, workload: int, load: int, variant: int) -> int:
        """The number of a point."""
        return int(np.ravel_multi_index((workload, load, variant), self.spec.shape[1:]))

    def place(self, point: int) -> tuple[int, int, int]:
        """Workload, load and variant of a point."""
        workload, load, variant = np.unravel_index(point, self.spec.shape[1:])
        return int(workload), int(load), int(variant)

    def point_name(self, point: int) -> str:
        """`EASY, feitelson:jobs=500, load 0.7`."""
        workload, load, variant = self.place(point)
        said = [self.variant_names[variant], self.workload_names[workload]]
        return ", ".join([*said, *([f"load {self.spec.load(load):g}"] if self.spec.loads else [])])

    def panels(self, choice: Choice) -> list[Panel]:
        """The lines of a figure, a panel for each place of what is neither axis nor line."""
        known = means(by_point(self.values(choice.metric, choice.scale), self.blocks), self._nature(choice))
        if choice.axis in self.swept:
            return self._by_parameter(choice, known)
        across = LOAD if choice.axis == WORKLOAD else WORKLOAD
        places = range(self.spec.shape[2] if across == LOAD else self.spec.shape[1])
        ticks = self.workload_names if choice.axis == WORKLOAD else [f"{load:g}" for load in self.spec.loads]
        found = []
        for place in list(places)[:MOST_PANELS]:
            lines = []
            for style, variant in enumerate(choice.variants):
                spots = [(x, place, variant) if across == LOAD else (place, x, variant) for x in range(len(ticks))]
                lines.append(self._series(known, spots, self.variant_names[variant], style))
            found.append(Panel(self._place_name(across, place), list(ticks), lines))
        return found

    def _by_parameter(self, choice: Choice, known: Means) -> list[Panel]:
        """Against a parameter: variants that differ in it alone are one line, those without it are level."""
        ticks = self.swept[choice.axis]
        lines: dict[str, dict[Any, int]] = {}
        for variant in choice.variants:
            given = self.spec.variants[variant]
            rest = {name: value for name, value in given["parameters"].items() if name != choice.axis}
            name = " ".join(
                [naming.algorithm_words(given["algorithm"]), *(f"{key}={value}" for key, value in sorted(rest.items()))]
            )
            lines.setdefault(name, {})[given["parameters"].get(choice.axis)] = variant
        found = []
        for workload in range(self.spec.shape[1]):
            for load in range(self.spec.shape[2]):
                series = []
                for style, (name, of) in enumerate(lines.items()):
                    spots = [(workload, load, of.get(value, of.get(None))) for value in ticks]
                    series.append(self._series(known, spots, name, style))
                titles = [self.workload_names[workload]] if self.spec.shape[1] > 1 else []
                titles += [self._place_name(LOAD, load)] if self.spec.loads else []
                found.append(
                    Panel(
                        ", ".join(titles),
                        [f"{value:g}" if isinstance(value, float) else str(value) for value in ticks],
                        series,
                    )
                )
        return found[:MOST_PANELS]

    def _series(self, known: Means, spots: Sequence[tuple[int, int, int | None]], name: str, style: int) -> Series:
        columns = {
            key: np.array([getattr(known, key)[spot] if spot[2] is not None else np.nan for spot in spots], float)
            for key in ("mean", "low", "high", "blocks")
        }
        points = [
            self.point(workload, load, variant) if variant is not None else -1 for workload, load, variant in spots
        ]
        return Series(name, columns["mean"], columns["low"], columns["high"], columns["blocks"], points, style)

    def _place_name(self, what: str, place: int) -> str:
        if what == WORKLOAD:
            return self.workload_names[place]
        load = self.spec.load(place)
        return f"load {load:g}" if load is not None else ""


def metric_text(name: str) -> str:
    """What a metric is, in a sentence."""
    known = known_metric(name)
    return known.text if known else ""


def _order(value: Any) -> tuple[int, Any]:
    return (0, value) if isinstance(value, int | float) else (1, str(value))
