"""What a policy in Python may not ask, say or do: one sentence each, with the instant and the job."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from shadowtime.engine.errors import PolicyError, Stalled
from shadowtime.engine.kernel import state as codes
from shadowtime.engine.kernel.loop import MOST
from shadowtime.engine.kernel.reading import reader
from shadowtime.engine.kernel.state import BACKGROUND, FOREGROUND
from shadowtime.engine.tables import REJECTIONS
from shadowtime.engine.workload.limits import LONGEST

if TYPE_CHECKING:
    from shadowtime.engine.desk import Desk
    from shadowtime.engine.families.family import Family
    from shadowtime.engine.workload.job import Workload

RUNNING = int(codes.RUNNING)
"""As Python's integer, which compares faster than numpy's."""
MOST_ALARMS = 1_000_000
"""Alarms in a row, without any act, after which a run ends in which no job makes progress and none is to come. A policy
that waits for an instant sets one alarm; one that looks each second may wait for eleven days."""
LANES = np.dtype(np.int64)
"""The type of `free_lanes`."""


class Checks:
    """The checks of a desk, on the slow paths: the desk calls them when a cheap comparison fails.

    They are no part of the desk: CPython 3.11 is slower to read an object of more than 30 attributes.
    """

    def __init__(self, desk: Desk, workload: Workload, family: Family | None, physics: Callable[[Desk], None] | None):
        self._desk, self._family, self._physics, self._parts = desk, family, physics, workload.parts
        self._can_allot = family is None or family.has_curves or len(family.allotments(workload)) > 0
        k = desk._s.k
        self.units, self.exclusive = int(k[0]["units"]), bool(k[0]["exclusive"])
        self._acts, self._next = reader(k, "acts"), reader(k, "next_release")
        self._acts_before, self._alarms = -1, 0
        self._changed: set[int] = set()
        """Jobs whose rate or share the policy set at this instant, on lanes that hold shares."""

    @property
    def _where(self) -> str:
        return f"t={self._desk.now:g}: the policy"

    def name(self, job: Any) -> str:
        """Return a job as sentences name it."""
        if isinstance(job, int | np.integer) and 0 <= job < self.units:
            owner = self._desk._owner
            return f"job {self._desk._ids[job if owner is None else owner[job]]}"
        return f"row {job}, which does not exist,"

    def may_know(self, column: str) -> None:
        """Refuse what tells true runtimes to a policy that is not clairvoyant."""
        if not self._desk._clairvoyant:
            what = "a true runtime" if column == "runtime" else f"{column}, which follows from the true runtime"
            raise PolicyError(f"a policy that is not clairvoyant asked for {what}")

    def row(self, job: Any) -> None:
        """Refuse a row that does not exist, or whose job the policy may not know yet."""
        seen = self._desk._seen
        if not isinstance(job, int | np.integer):
            raise PolicyError(f"{self._where} asked about row {str(job)[:40]}; the row of a job is one whole number")
        if 0 <= job < seen:
            return
        known = f"the rows 0 to {seen - 1}"
        if self._desk._clairvoyant:
            known = f"only {known} exist"
        else:
            known = f"only the jobs of {known} are submitted" if seen else "no job is submitted"
        raise PolicyError(f"{self._where} asked about row {job} of the jobs, but {known}")

    def acted(self, job: Any) -> None:
        """Refuse to act on what is no row of a job; the kernel refuses jobs that are not submitted or done."""
        if not isinstance(job, int | np.integer):
            raise PolicyError(f"{self._where} acted on row {str(job)[:40]}; the row of a job is one whole number")
        if not 0 <= job < self.units:
            raise PolicyError(f"{self._where} acted on row {job}, which does not exist")

    def act(self, job: int, tier: int, rate: float, share: float) -> None:
        """Refuse a tier, rate or share that the family, or the policy, gives no meaning."""
        where, family = f"{self._where} gave {self.name(job)}", self._family
        for name, value in (("rate", rate), ("share", share)):
            if not _is_number(value):
                raise PolicyError(f"{where} the {name} {str(value)[:40]!r}; it must be a number")
        if tier not in (FOREGROUND, BACKGROUND):
            raise PolicyError(f"{where} the tier {str(tier)[:40]}; it must be 0 or 1")
        if tier == BACKGROUND and self._physics is None and family is not None and family.tiers < 2:
            raise PolicyError(
                f"{where} the tier 1, but this job is {family.name}: only a policy with physics(desk), which sets the "
                "rates of jobs in the background, may place it there"
            )
        if rate > MOST:
            raise PolicyError(f"{where} the rate {rate:g}; it must be 0 to 1, the speed of the job alone on its lanes")
        if share > MOST:
            raise PolicyError(f"{where} the share {share:g}; it must be 0 to 1, the whole lane")
        if self.exclusive and 0.0 <= share != 1.0:
            raise PolicyError(f"{where} the share {share:g}; it must be 1 unless the policy has exclusive = False")
        if not self.exclusive:
            self._changed.add(job)

    def delay(self, job: int, delay: Any) -> None:
        """Refuse a delay that is no number of seconds from 0 on, as long as times of a workload may be."""
        if not (_is_number(delay) and 0.0 <= float(delay) <= LONGEST):
            raise PolicyError(
                f"{self._where} gave {self.name(job)} the delay {str(delay)[:40]}; it must be a number of seconds, "
                f"0 to {LONGEST:g}"
            )

    def reason(self, job: int, reason: Any) -> None:
        """Refuse a reason of a rejection that has no sentence."""
        if reason not in REJECTIONS:
            raise PolicyError(
                f"{self._where} rejected {self.name(job)} for the reason {str(reason)[:40]!r}; it must be one of "
                f"engine.tables.REJECTIONS, {REJECTIONS[-1]} to {REJECTIONS[0]}"
            )

    def seconds(self, what: str, value: Any) -> None:
        """Refuse what is no number in place of seconds."""
        if not _is_number(value):
            raise PolicyError(f"{self._where} gave {what} = {str(value)[:40]!r}; it must be a number of seconds")

    def has_row(self, row: int, rows: int) -> None:
        """Refuse an event beyond the buffer of one instant."""
        if row >= rows:
            raise PolicyError(f"{self._where} filled a buffer of {rows:g} rows in one instant")

    def time(self, at: Any) -> None:
        """Refuse an alarm at what is no number of seconds; the kernel refuses the past and infinity."""
        if not _is_number(at) or np.isnan(float(at)):
            raise PolicyError(f"{self._where} set an alarm at {str(at)[:40]!r}; it must be a number of seconds")

    def physics(self, desk: Desk) -> None:
        """Let the policy set its rates; refuse one above the share of the lanes where jobs need whole lanes."""
        if self._physics is not None:
            self._physics(desk)
        family = self._family
        if self._changed and family is not None and not family.shares_lanes:
            rate, share = desk._unit["rate"], desk._unit["share"]
            for job in self._changed:
                if desk._state(job) == RUNNING and rate(job) > share(job) * MOST:
                    raise PolicyError(
                        f"{self._where} gave {self.name(job)} the rate {rate(job):g} on the share {share(job):g} of "
                        f"its lanes; the rate of a {family.name} job is at most its share"
                    )
        self._changed.clear()

    def lanes(self, job: Any, lanes: Iterable[int]) -> np.ndarray:
        """Return the lanes of a list as an array; refuse what is no whole number."""
        try:
            named = np.asarray(lanes if isinstance(lanes, np.ndarray) else list(lanes))
            if named.dtype is LANES and named.ndim == 1:
                return named
            chosen = named.astype(LANES)
            if named.ndim == 1 and named.dtype.kind in "iuf" and (chosen == named).all():
                return chosen
        except (TypeError, ValueError, OverflowError):
            pass
        raise PolicyError(
            f"{self._where} placed {self.name(job)} on {str(lanes)[:40]}; lanes are a list of whole numbers, "
            f"0 to {self._desk._lanes - 1}"
        )

    def allotment(self, job: int, lanes: int, runtime: float) -> None:
        """Refuse lanes and a time that the family, or the job's curve, does not allow."""
        self.acted(job)
        family = self._family
        if family is not None and not self._can_allot:
            raise PolicyError(
                f"{self._where} allotted lanes to {self.name(job)}, but only moldable and classed jobs take other "
                f"lanes and times than their own; this job is {family.name}"
            )
        if not _is_number(lanes) or not float(lanes).is_integer():
            raise PolicyError(
                f"{self._where} allotted {str(lanes)[:40]} lanes to {self.name(job)}; it must be a whole number"
            )
        self.seconds("runtime", runtime)
        if family is not None and family.has_curves and not self._is_on_curve(job, lanes, runtime):
            raise PolicyError(
                f"{self._where} allotted {lanes} lanes for {runtime:g} s to {self.name(job)}; the time must be the "
                "one that the job's curve has for so many lanes"
            )

    def _is_on_curve(self, job: int, lanes: int, runtime: float) -> bool:
        """Return whether a moldable job takes `runtime` on `lanes` lanes; the kernel refuses wrong lanes."""
        times = self._parts["time"][self._parts["first"][job] : self._parts["first"][job + 1]]
        return not 1 <= lanes <= len(times) or float(times[int(lanes) - 1]) == runtime

    def alarms(self) -> None:
        """End a run whose policy sets alarms for ever: each act and each event counts in the kernel's `acts`."""
        if (acts := self._acts(0)) != self._acts_before:
            self._acts_before, self._alarms = acts, 0
        self._alarms += 1
        if self._alarms < MOST_ALARMS:
            return
        self._alarms = 0
        desk = self._desk
        rate = desk._unit["rate"]
        if self._next(0) < self.units or any(rate(job) > 0.0 for job in desk.running):
            return
        names = ", ".join(self.name(job).removeprefix("job ") for job in [*desk.waiting, *desk.running][:5])
        raise Stalled(
            f"{self._where} lets jobs wait for ever ({names}): it set {MOST_ALARMS:,} alarms in a row and did nothing "
            "else, no job makes progress and none is to come"
        )


def _is_number(value: Any) -> bool:
    """Return whether `value` is a real number that a float can hold, or an array of one number without dimensions."""
    is_scalar_array = isinstance(value, np.ndarray) and value.ndim == 0 and value.dtype.kind in "iuf"
    try:
        return is_scalar_array or (isinstance(value, Real) and float(value) is not None)
    except OverflowError:
        return False
