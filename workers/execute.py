"""From a question to its answer: what the command line and the worker both do."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from shadowtime.engine.bounds.registry import Bounds, check, lower_bounds
from shadowtime.engine.errors import EngineError
from shadowtime.engine.metrics.intervals import intervals
from shadowtime.engine.metrics.jobs import tau_of
from shadowtime.engine.metrics.run import degradation_from_bound
from shadowtime.engine.metrics.summary import summarize
from shadowtime.engine.platform import Platform
from shadowtime.engine.schedule import Schedule, Slice
from shadowtime.engine.simulation import Simulation
from shadowtime.engine.tables import Table
from shadowtime.engine.workload.job import Workload
from shadowtime.workers.conversions import convert_all
from shadowtime.workers.early_bounds import EarlyBounds
from shadowtime.workers.forecast import Forecast
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.spool import FileSpool
from shadowtime.workers.store.base import EXTRA_TABLES, TABLES

if TYPE_CHECKING:
    from shadowtime.workers.store import Run, VisibleStore

SLICE_SECONDS = 0.1
"""Seconds between two slices of a run that is shown live."""


@dataclass(frozen=True)
class Outcome:
    """What a run gives: its tables, and the object of `simulate --json`."""

    schedule: Schedule
    summary: dict[str, Any]

    def tables(self) -> dict[str, Table]:
        """Return the tables of the schedule by name, as a store keeps them."""
        return {name: getattr(self.schedule, name) for name in (*TABLES, *EXTRA_TABLES)}


def load_workload(spec: RunSpec, store: VisibleStore) -> Workload:
    """The jobs of a question, from the store, with its conversions applied.

    Raises
    ------
    NotFound
        When the store does not have (any more) the file that the question names.
    """
    return convert_all(store.workloads.load_source(spec.workload), spec.conversions, spec.seed)


def tau_of_run(run: Run, store: VisibleStore) -> float:
    """Return the floor of the bounded stretch of a run [s]: its summary's, before its end what its workload names.

    Raises
    ------
    NotFound
        When the run has not ended and its workload was deleted.
    """
    summary, spec = run.summary or {}, run.spec
    if "tau" in summary:
        return float(summary["tau"])
    is_stored = "digest" in spec.workload and not spec.workload.get("case") and not spec.conversions
    return tau_of(store.workloads.get(spec.workload["digest"]) if is_stored else load_workload(spec, store))


def execute(
    spec: RunSpec,
    workload: Workload,
    on_piece: Callable[[Slice], None] | None = None,
    *,
    tau: float | None = None,
    load_s: float = 0.0,
    bounds: Callable[..., Bounds] | None = None,
    spool: FileSpool | None = None,
    most_segments: int = 0,
    has_intervals: bool = True,
) -> Outcome:
    """Run the question on its workload, conversions applied already.

    Parameters
    ----------
    on_piece
        Hears of every slice; what it raises ends the run.
    tau
        Floor of the bounded stretch [s]; None: what the workload says, else 10.
    load_s
        What getting the workload took, for the summary.
    bounds
        Returns the bounds, for callers with many runs on the same jobs; None: they are computed during the simulation.
    spool
        Where rectangles and events go that are too many to hold; None: they are held in memory. Where its disk has no
        room for them, as forecast while the run goes on, rectangles are not kept, and the report says so.
    most_segments
        Rectangles above which none are kept: the report says so, and all other tables and figures are whole; 0: any
        number is kept.
    has_intervals
        Whether the summary has the confidence intervals of means, a tenth of the time of a run of a thousand jobs.

    Raises
    ------
    SimulationError
        When the policy breaks a rule, or a figure comes out better than is possible.
    """
    tau = tau_of(workload) if tau is None else tau
    run = Simulation(
        workload,
        spec.algorithm,
        spec.parameters,
        platform=spec.platform,
        estimates=spec.estimates,
        seed=spec.seed,
        sink=spool,
    )
    migrates = run.algorithm is None or run.algorithm.migrates
    bounds = bounds or EarlyBounds(workload, run.platform, tau, migrates=migrates)
    forecast = Forecast(spool, most_segments, is_live=on_piece is not None)
    for piece in run.slices() if on_piece is None else run.slices(seconds=SLICE_SECONDS):
        if on_piece is not None:
            on_piece(piece)
        if why := forecast.hear(piece):
            run.drop_rectangles(why)
    schedule = run.schedule()
    began = time.perf_counter()
    metrics, proven = measure(schedule, workload, run.platform, tau, migrates=migrates, bounds=bounds)
    timing = {
        "load_s": load_s,
        "compile_s": schedule.timing.get("compile_s", 0.0),
        "simulate_s": schedule.timing.get("simulate_s", 0.0),
        "tables_s": schedule.timing.get("tables_s", 0.0),
        "metrics_s": time.perf_counter() - began,
    }
    summary = {
        "run": spec.id,
        "algorithm": spec.algorithm,
        "workload": workload.name,
        "jobs": len(workload),
        "metrics": metrics,
        "bounds": dict(proven.values),
        "bound_names": dict(proven.names),
        "intervals": intervals(schedule, tau) if has_intervals else {},
        "counters": dict(schedule.counters),
        "timing": timing,
        "tau": tau,
        "platform": dict(spec.platform),
        "report": [*workload.report, *schedule.notes, *([schedule.dropped] if schedule.dropped else [])],
        "engine_version": spec.engine_version,
    }
    return Outcome(schedule, summary)


def check_figures(summary: Mapping[str, Any]) -> None:
    """Refuse figures that cannot be stored.

    Raises
    ------
    EngineError
        Naming the first one that is no number, text or list of such.
    """
    for part in ("metrics", "bounds", "counters"):
        if not _is_json(summary[part]):
            name, value = next(item for item in summary[part].items() if not _is_json(item[1]))
            raise EngineError(f"{name} in the {part} of the run is {str(value)[:40]}, which is no figure")


def _is_json(value: Any) -> bool:
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return False
    return True


def measure(
    schedule: Any,
    workload: Workload,
    platform: Platform,
    tau: float,
    *,
    migrates: bool,
    bounds: Callable[..., Bounds] = lower_bounds,
) -> tuple[dict[str, Any], Bounds]:
    """Metrics of a schedule and the bounds that hold for it.

    Raises
    ------
    SimulationError
        When a figure is better than is possible.
    """
    metrics = summarize(schedule, workload, platform, tau)
    if schedule.counters.get("overcommitted"):
        return metrics, Bounds()  # a schedule on more lanes than the machine has may beat every bound
    proven = bounds(workload, platform, tau, jobs=schedule.jobs, migrates=migrates)
    check(metrics, proven)
    if metrics.get("max_bounded_stretch") and proven.values.get("max_bounded_stretch"):
        metrics["degradation_from_bound"] = degradation_from_bound(
            metrics["max_bounded_stretch"], proven.values["max_bounded_stretch"]
        )
    return metrics, proven
