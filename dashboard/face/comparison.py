"""Several algorithms on one workload."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shadowtime.dashboard.face.schedule import Schedule, simulate
from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.platform import Platform
from shadowtime.engine.registry import find
from shadowtime.engine.workload.job import Workload

if TYPE_CHECKING:
    import pandas as pd

BOUND = "bound"
"""Column of the least bound beside those of the schedules."""
Choice = tuple[Any, Mapping[str, Any] | None]
"""A name or a policy, and the parameters given with it."""


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
        frame[BOUND] = pd.Series({name: min(one[name] for one in proven) for name in common}, dtype="f8")
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
    algorithms: Sequence[str | tuple[str, Mapping[str, Any]] | Any] | Mapping[str, Any],
    *,
    platform: Platform | Mapping[str, Any] | None = None,
    estimates: str | None = None,
    seed: int = 0,
    tau: float | None = None,
) -> Comparison:
    """Run several algorithms on one workload and return their schedules side by side.

    A schedule is labelled by the name of its algorithm and the parameters that were given, as in "easy extra=first". A
    policy without a name is labelled by its class, with a number where several have one class: "Fcfs 1", "Fcfs 2".

    Parameters
    ----------
    workload
        Of a kind that all of them take.
    algorithms
        Each a name (`"easy"`, `"easy:extra=first"`), a name with parameters (`("measy", {"migration_cost": 20})`), or a
        policy. A mapping gives each a label of your own: `{"narrow": Mine(1), "wide": Mine(9)}`.
    platform, estimates, seed, tau
        As of `simulate`, the same for all.

    Raises
    ------
    QuestionError, SimulationError
        As `simulate`; also for an empty list or an algorithm that stands in it twice.

    Examples
    --------
    >>> import shadowtime as st
    >>> st.compare(st.generate("uniform", {"jobs": 50}, seed=1), ["fcfs", "easy", "easy:extra=first"])
    <comparison on uniform:jobs=50: fcfs, easy, easy extra=first>
    """
    options: dict[str, Any] = {"platform": platform, "estimates": estimates, "seed": seed, "tau": tau}
    chosen = _labelled(algorithms)
    return Comparison(
        {label: simulate(workload, one, parameters, **options) for label, (one, parameters) in chosen.items()}
    )


def _labelled(algorithms: Any) -> dict[str, Choice]:
    """Return what is to be run by its label; refuse two of one label before any run."""
    if isinstance(algorithms, str) or not isinstance(algorithms, Sequence | Mapping):
        shown = f"{str(algorithms)[:40]!r}"
        raise InvalidParameter(f"algorithms = {shown}, but it must be a list, such as ['fcfs', 'easy']")
    if not algorithms:
        raise InvalidParameter("algorithms is empty, but at least one is needed")
    if isinstance(algorithms, Mapping):
        for label in algorithms:
            if not isinstance(label, str) or not label.strip() or label == BOUND:
                raise InvalidParameter(f"the label {str(label)[:40]!r} of an algorithm must be a text, not {BOUND!r}")
        return {label: _choice(one) for label, one in algorithms.items()}
    choices = [_choice(one) for one in algorithms]
    labels = [_label(one, parameters) for one, parameters in choices]
    alike, seen = Counter(labels), Counter[str]()
    found: dict[str, Choice] = {}
    for label, choice in zip(labels, choices, strict=True):
        seen[label] += 1
        is_policy = not isinstance(choice[0], str)
        key = f"{label} {seen[label]}" if is_policy and alike[label] > 1 else label
        is_same = is_policy and any(choice[0] is one and choice[1] == parameters for one, parameters in found.values())
        if key in found or is_same:
            raise InvalidParameter(
                f"{label} stands twice among the algorithms: leave one out, or give both a label of their own in a "
                "mapping from labels to algorithms"
            )
        found[key] = choice
    return found


def _choice(one: Any) -> Choice:
    """Return an algorithm and its parameters."""
    if not isinstance(one, tuple):
        return one, None
    if len(one) != 2 or not isinstance(one[1], Mapping | None):
        raise InvalidParameter(
            f"algorithm = {str(one)[:60]}, but a pair must be a name and a mapping of parameters, such as "
            "('easy', {'extra': 'first'})"
        )
    return one


def _label(one: Any, parameters: Mapping[str, Any] | None) -> str:
    """Return the name of an algorithm with the parameters that were given, in its name or beside it."""
    if isinstance(one, str):
        entry = find(one)
        name, given = entry.slug, entry.with_preset(parameters)
    else:
        name, given = (one if isinstance(one, type) else type(one)).__name__, dict(parameters or {})
    return " ".join([name, *(f"{key}={value}" for key, value in given.items())])
