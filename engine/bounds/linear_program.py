"""Linear programs by HiGHS: the only module that sets its options and checks its result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shadowtime.engine.errors import SimulationError
from shadowtime.engine.runner.watch import Watch


class NoOptimum(SimulationError):
    """HiGHS ended without an optimum."""


@dataclass(frozen=True, eq=False)
class Program:
    """Minimise `cost x + offset` with `low <= x <= high` and `row_low <= A x <= row_high`.

    A is given by triplets: `value[e]` in row `row[e]` and column `column[e]`, at most one entry a position.
    """

    cost: np.ndarray
    low: np.ndarray
    high: np.ndarray
    row_low: np.ndarray
    row_high: np.ndarray
    row: np.ndarray
    column: np.ndarray
    value: np.ndarray
    offset: float = 0.0


class Solver:
    """A program inside HiGHS, to which rows may be added.

    Dual simplex, one thread, seed 0: of several optimal vertices, each run finds the same one. The number of threads
    never changes: HiGHS starts its scheduler once a process and fails, returning zeros, when the number changes later.
    """

    def __init__(self, program: Program, watch: Watch | None = None):
        import highspy

        self._watch = watch or Watch()
        self._kind = highspy
        self._highs = highspy.Highs()
        for name, value in (("output_flag", False), ("threads", 1), ("random_seed", 0), ("solver", "simplex")):
            self._highs.setOptionValue(name, value)
        assert len(program.value) < 2**31, "HiGHS counts entries in 32 bits"
        lp = highspy.HighsLp()
        lp.num_col_, lp.num_row_ = len(program.cost), len(program.row_low)
        lp.col_cost_, lp.col_lower_, lp.col_upper_ = program.cost, program.low, program.high
        lp.row_lower_, lp.row_upper_, lp.offset_ = program.row_low, program.row_high, program.offset
        order = np.lexsort((program.row, program.column))
        lp.a_matrix_.format_ = highspy.MatrixFormat.kColwise
        lp.a_matrix_.start_ = np.searchsorted(program.column[order], np.arange(lp.num_col_ + 1)).astype("i4")
        lp.a_matrix_.index_ = program.row[order].astype("i4")
        lp.a_matrix_.value_ = program.value[order].astype("f8")
        self._check(self._highs.passModel(lp), "take the program")
        self._highs.HandleUserInterrupt = False
        if watch is not None:
            self._highs.cbSimplexInterrupt += self._on_iteration

    def solve(self) -> tuple[float, np.ndarray]:
        """Return the least value and an optimal x.

        Raises
        ------
        Stopped
            If the computation was cancelled.
        NoOptimum
            If HiGHS ends without one, as it may where numbers differ by many orders of magnitude.
        """
        self._watch.look()
        status = self._highs.run()
        self._watch.look()
        self._check(status, "solve the program")
        ended = self._highs.getModelStatus()
        if ended != self._kind.HighsModelStatus.kOptimal:
            status_text = self._highs.modelStatusToString(ended)
            raise NoOptimum(f"the linear program ended without an optimum: status {status_text!r} of HiGHS")
        return float(self._highs.getObjectiveValue()), np.array(self._highs.getSolution().col_value)

    def duals(self) -> np.ndarray:
        """Return the dual value of each row; after `NoOptimum`, those that HiGHS reached, if any."""
        return np.array(self._highs.getSolution().row_dual)

    def add_rows(self, low: Sequence[float], columns: Sequence[np.ndarray], values: Sequence[np.ndarray]) -> None:
        """Add rows `values x >= low`."""
        starts = np.concatenate([[0], np.cumsum([len(c) for c in columns])]).astype("i4")
        status = self._highs.addRows(
            len(low), np.asarray(low, "f8"), np.full(len(low), self._kind.kHighsInf), int(starts[-1]), starts[:-1],
            np.concatenate(columns).astype("i4"), np.concatenate(values).astype("f8"),
        )  # fmt: skip
        self._check(status, "take more rows")

    def _on_iteration(self, event: Any) -> None:
        """Report progress to the watch and let it cancel: HiGHS calls back between iterations, after its presolve."""
        done = event.data_out.simplex_iteration_count
        self._watch.share = done / (done + max(1, self._highs.getNumRow()))  # the number of iterations is unknown
        if self._watch.stop:
            event.interrupt()

    def _check(self, status: Any, what: str) -> None:
        if status == self._kind.HighsStatus.kError:
            raise SimulationError(f"HiGHS could not {what}")
