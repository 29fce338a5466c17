"""Several algorithms on one workload."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shadowtime.dashboard.face.schedule import Schedule, simulate
from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.platform import Platform
from shadowtime.engine.workload.job import Workload

if TYPE_CHECKING:
    import pandas as pd


class Comparison:
    """Schedules of one workload by several algorithms, by name: `comparison["easy"]` is one.

    Examples
    --------
    >>> import shadowtime as st
    >>> comparison = st.compare(st.generate("uniform", {"jobs": 50}, seed=1), ["fcfs", "easy"])
    >>> list(comparison), len(comparison["easy"].jobs)
    (['fcfs', 'easy'], 50)
    """

    def __init__(self, schedules: Mapping[str, Schedule]):
        self.schedules = dict(schedules)

    def __getitem__(self, name: str) -> Schedule:
        return self.schedules[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.schedules)

    def __len__(self) -> int:
        return len(self.schedules)

    def __repr__(self) -> str:
        name = next(iter(self.schedules.values())).workload.name
        return f"<comparison on {name}: {', '.join(self.schedules)}>"

    def to_frame(self) -> pd.DataFrame:
        """Return the metrics: one row a metric, one column an algorithm, and `bound`, the least bound of all runs.

        The runs may have finished different jobs (one rejects what another takes): of their bounds the least holds for
        each of them.

        Examples
        --------
        >>> import shadowtime as st
        >>> comparison = st.compare(st.generate("uniform", {"jobs": 50}, seed=1), ["fcfs", "easy"])
        >>> comparison.to_frame().columns.tolist()
        ['fcfs', 'easy', 'bound']
        """
        import pandas as pd

        found = {name: dict(schedule.metrics()) for name, schedule in self.schedules.items()}
        proven = [schedule.bounds() for schedule in self.schedules.values()]
        common = [name for name in proven[0] if all(name in one for one in proven)]
        frame = pd.DataFrame(found)
        frame["bound"] = pd.Series({name: min(one[name] for one in proven) for name in common}, dtype="f8")
        return frame

    def report(self, path: str | Path, *, start: float | None = None, end: float | None = None) -> Path:
        """Write the offline report of two to six schedules, linked under one another, and return its path.

        The first is the baseline of all changes.

        Parameters
        ----------
        path, start, end
            As of `Schedule.report`.

        Raises
        ------
        InvalidParameter
            For more than six schedules, or a window without length.

        Examples
        --------
        >>> import shadowtime as st, tempfile
        >>> comparison = st.compare(st.generate("uniform", {"jobs": 5}, seed=1), ["fcfs", "easy"])
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     comparison.report(f"{folder}/all.html").name
        'all.html'
        """
        from shadowtime.dashboard.face.report import write

        return write(self.schedules, path, start, end)

    def _repr_html_(self) -> str:
        return self.to_frame()._repr_html_()


def compare(
    workload: Workload,
    algorithms: Sequence[str | tuple[str, Mapping[str, Any]] | Any],
    *,
    platform: Platform | Mapping[str, Any] | None = None,
    estimates: str | None = None,
    seed: int = 0,
    tau: float | None = None,
) -> Comparison:
    """Run several algorithms on one workload and return their schedules side by side.

    Parameters
    ----------
    workload
        Of a kind that all of them take.
    algorithms
        Each a name, a name with parameters (`("measy", {"migration_cost": 20})`), or a policy.
    platform, estimates, seed, tau
        As of `simulate`, the same for all.

    Raises
    ------
    QuestionError, SimulationError
        As `simulate`; also for an empty list or an algorithm that stands in it twice.

    Examples
    --------
    >>> import shadowtime as st
    >>> st.compare(st.generate("uniform", {"jobs": 50}, seed=1), ["fcfs", "easy"])
    <comparison on uniform:jobs=50: fcfs, easy>
    """
    if not algorithms:
        raise InvalidParameter("algorithms is empty, but at least one is needed")
    schedules: dict[str, Schedule] = {}
    for one in algorithms:
        chosen, parameters = one if isinstance(one, tuple) else (one, None)
        schedule = simulate(workload, chosen, parameters, platform=platform, estimates=estimates, seed=seed, tau=tau)
        name = " ".join([schedule.algorithm, *(f"{key}={value}" for key, value in (parameters or {}).items())])
        if name in schedules:
            raise InvalidParameter(f"{name} stands twice among the algorithms")
        schedules[name] = schedule
    return Comparison(schedules)
