"""One question over a grid of workloads, seeds, loads, algorithms and parameters."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Generator, Mapping
from concurrent.futures import Executor
from contextlib import closing
from numbers import Integral
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shadowtime.dashboard.face import frames
from shadowtime.dashboard.face.policy import own_algorithms
from shadowtime.dashboard.face.progress import Bar
from shadowtime.dashboard.face.question import check_parts, plain
from shadowtime.dashboard.face.workload import read
from shadowtime.engine.errors import InvalidParameter, InvalidWorkload
from shadowtime.engine.workload import job
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.samples import named_sample
from shadowtime.workers.sweeps import local, pool, reading, report, tables
from shadowtime.workers.sweeps.files import check_machines, no_workload
from shadowtime.workers.sweeps.outcomes import Outcomes
from shadowtime.workers.sweeps.time_left import TimeLeft

if TYPE_CHECKING:
    import pandas as pd


class Sweep:
    """What came of a sweep: `points` and `runs` as pandas frames, `len` is the number of runs.

    Parameters
    ----------
    asked
        The question.
    outcomes
        What came of each run.

    Examples
    --------
    >>> import shadowtime as st
    >>> question = {"workloads": ["uniform:jobs=20"], "seeds": [1, 2], "algorithms": ["fcfs", "easy"]}
    >>> sweep = st.sweep(question, progress=False)
    >>> sweep, sweep.points["algorithm"].tolist()
    (<sweep of 4 runs in 2 points>, ['fcfs', 'easy'])
    """

    def __init__(self, asked: reading.SweepQuestion, outcomes: Outcomes):
        self.asked, self.outcomes = asked, outcomes

    @property
    def points(self) -> pd.DataFrame:
        """One row a point of the grid; of each metric its blocks, mean, std, min, max and 95 % interval (low, high)."""
        return self._frame("points")

    @property
    def runs(self) -> pd.DataFrame:
        """One row a run: workload, seed, load, algorithm, parameters, metrics, bounds, and why it failed."""
        return self._frame("runs")

    @property
    def failures(self) -> dict[str, int]:
        """Why runs failed: each sentence with the number of its runs; empty when all finished."""
        return {one["error"]: one["runs"] for one in report.reasons(self.outcomes)}

    def _frame(self, table: str) -> pd.DataFrame:
        import pandas as pd

        return pd.DataFrame(tables.columns(self.outcomes, self.asked.workloads, table))

    def __len__(self) -> int:
        return len(self.asked.spec)

    def __repr__(self) -> str:
        failed = self.outcomes.counts()["failed"]
        words = f", {failed:,} failed" if failed else ""
        return f"<sweep of {len(self):,} runs in {self.asked.spec.points:,} points{words}>"

    def _repr_html_(self) -> str:
        return self.points._repr_html_()


def sweep(
    question: Mapping[str, Any] | str | Path,
    *,
    executor: Executor | None = None,
    processes: int | None = None,
    progress: bool = True,
) -> Sweep:
    """Run one question over a grid and return the figures of all its points.

    Parameters
    ----------
    question
        The keys of a sweep's file (docs/how-to/sweeps.md), or the path of such a TOML file. `workloads` may also hold
        workloads themselves, or be a mapping from names to them; ranges and arrays are lists, too.
    executor
        Runs it: any `concurrent.futures.Executor`, such as dask's `client.get_executor()` or mpi4py's; it stays open.
        None: processes of this machine.
    processes
        Of this machine, where there is no executor; None: one a core.
    progress
        Whether to show a bar on standard error.

    Raises
    ------
    QuestionError
        Naming the key and the rule, or a log that does not state its machine; nothing was run. A run that fails by
        itself stands in `failures`.

    Examples
    --------
    >>> import shadowtime as st
    >>> from concurrent.futures import ThreadPoolExecutor
    >>> workload = st.generate("uniform", {"jobs": 20}, seed=1)
    >>> with ThreadPoolExecutor() as executor:
    ...     found = st.sweep(
    ...         {"workloads": {"mine": workload}, "loads": [0.5, 0.9], "algorithms": ["easy"]},
    ...         executor=executor, progress=False,
    ...     )
    >>> found.points[["workload", "load", "n"]].values.tolist()
    [['mine', 0.5, 1], ['mine', 0.9, 1]]
    """
    if processes is not None and (isinstance(processes, bool) or not isinstance(processes, Integral) or processes < 1):
        raise InvalidParameter(f"processes = {str(processes)[:40]!r}, but it must be a whole number from 1 on")
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise InvalidParameter(
            f"executor = {str(executor)[:40]!r}, but it must be a concurrent.futures.Executor; processes=4 is a number "
            "of processes of this machine"
        )
    given = _Given(Path.cwd())
    if isinstance(question, Mapping):
        check_parts(question)
        asked = reading.read(given.named(question), "the sweep", given.find, given=given.objects)
    elif not isinstance(question, str | PathLike):
        raise InvalidParameter(
            f"question = {str(question)[:40]!r}, but it must be a mapping, such as {{'workloads': ['lublin'], "
            "'algorithms': ['easy']}, or the path of a TOML file"
        )
    else:
        place = Path(question)
        given.folder = place.absolute().parent
        asked = reading.read_toml(place.read_text(encoding="utf-8-sig"), place.name, given.find)
    check_machines(asked, given.load, "as `processors` in the question")
    spec = asked.spec
    if executor is None:
        at_a_time: int | None = local.at_a_time(None if processes is None else int(processes))
        lines = local.lines(spec, given.load, processes=at_a_time)
    else:
        own = own_algorithms({variant["algorithm"] for variant in spec.variants})
        lines, at_a_time = pool.lines(spec, given.found, own, executor), None
    return Sweep(asked, _gathered(lines, Outcomes(spec), TimeLeft(len(spec), at_a_time), progress))


def _gathered(
    lines: Generator[dict[str, Any], None, None], outcomes: Outcomes, left: TimeLeft, progress: bool
) -> Outcomes:
    with closing(lines), Bar(len(outcomes.spec), sys.stderr if progress else None) as bar:
        for done, line in enumerate(lines, 1):
            outcomes.put(line)
            left.add(line)
            bar.update(done, left.sentence())
    return outcomes


class _Given:
    """Workloads of a question that no generator draws: objects, or files of a folder."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.found: dict[pool.Key, job.Workload] = {}
        self.objects: dict[str, job.Workload] = {}
        """Workloads that stand in the question themselves, by their names in it."""

    def named(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """The question as plain values, with a name in place of each workload."""
        question = {key: value if key == "workloads" else plain(value) for key, value in question.items()}
        workloads = question.get("workloads", ())
        if not isinstance(workloads, Mapping | list | tuple):
            workloads = question["workloads"] = plain(workloads)
        if isinstance(workloads, Mapping):
            names = [_stripped(name) for name in workloads]
            self.objects = dict(zip(names, workloads.values(), strict=True))
            return {**question, "workloads": names}
        if isinstance(workloads, list | tuple):
            given = [one for one in workloads if isinstance(one, job.Workload)]
            self.objects = {_stripped(one.name): one for one in given}
            if len(self.objects) < len(given):
                name = Counter(_stripped(one.name) for one in given).most_common(1)[0][0]
                raise InvalidParameter(
                    f"the sweep: two workloads have the name {name[:80]!r}: give each a name in a mapping, "
                    "such as {'workloads': {'first': one, 'second': other}}"
                )
            names = [one.name if isinstance(one, job.Workload) else one for one in workloads]
            return {**question, "workloads": names}
        return dict(question)

    def find(self, text: str, digest: str | None) -> tuple[Mapping[str, Any], str]:
        """Return identity and kind of a workload by its name."""
        workload = self.objects.get(text)
        if workload is None:
            try:
                workload = read(self.folder / text)
            except FileNotFoundError:
                if (sample := named_sample(text)) is None:
                    raise InvalidWorkload(no_workload(text)) from None
                workload = sample[0].read(sample[1])
            source = dict(workload.source)
        else:
            source = {"digest": frames.identity_of(workload), "case": None}
        if digest is not None and source["digest"] != digest:
            raise InvalidWorkload(
                f"{text[:80]!r} is another file than the configuration names: SHA-256 {source['digest']}"
            )
        self.found[source["digest"], source["case"]] = workload.with_(source=source, conversions=())
        return source, workload.kind

    def load(self, source: Mapping[str, Any]) -> job.Workload:
        """Return the workload of a run."""
        if "generator" in source:
            return generate(source["generator"], source["parameters"], source["seed"])
        return self.found[source["digest"], source["case"]]


def _stripped(name: Any) -> Any:
    """Return a name without blanks around it, as the reader of sweeps takes it; what is no text as it is."""
    return name.strip() if isinstance(name, str) else name
