"""Two to six runs on the same jobs, as their page needs them; or the reason why they cannot be compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from shadowtime.dashboard.components import compare_jobs, naming, run_groups
from shadowtime.dashboard.components.run_view import RunView, view
from shadowtime.dashboard.context import Context
from shadowtime.dashboard.look import words
from shadowtime.dashboard.serving import cache
from shadowtime.dashboard.sharing import urls
from shadowtime.dashboard.sharing.urls import Comparison
from shadowtime.engine.tables import Table, rows
from shadowtime.workers.errors import Conflict, NotFound
from shadowtime.workers.execute import load_workload
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import Run

FEWEST, MOST = 2, 6
STANDING = {
    "queued": "is queued", "running": "is still running", "failed": "has failed", "cancelled": "was cancelled",
}  # fmt: skip


class Incomparable(Conflict):
    """Runs of different workloads; `ids` job ids occur in all of them."""

    def __init__(self, sentence: str, ids: int):
        super().__init__(sentence)
        self.sentence, self.ids = sentence, ids


@dataclass(frozen=True)
class Compared:
    """The runs of a comparison, in the order of its address."""

    asked: Comparison
    runs: tuple[RunView, ...]

    @property
    def baseline(self) -> RunView:
        """What the others are held against."""
        return next((one for one in self.runs if one.run.id == self.asked.baseline), self.runs[0])

    @property
    def others(self) -> list[RunView]:
        """All but the baseline."""
        return [one for one in self.runs if one.run.id != self.baseline.run.id]

    @property
    def of(self) -> RunView:
        """The one whose jobs are held against the baseline's."""
        others = self.others
        return next((one for one in others if one.run.id == self.asked.of), others[-1])

    @cached_property
    def names(self) -> dict[str, str]:
        """What each run is called here, by id: its algorithm, with what else distinguishes it from the others."""
        return distinct({one.run.id: one.run.spec for one in self.runs}, self.runs[0].context.store)

    def name(self, one: RunView) -> str:
        """What that run is called here."""
        return self.names[one.run.id]

    def standing(self, one: RunView) -> str:
        """Return the state of an unfinished run as a sentence: `EASY is queued`."""
        state = one.status.status
        return f"{self.name(one)} {STANDING.get(state, f'is {state}')}"

    @property
    def is_whole(self) -> bool:
        """Every run has finished, so that nothing here changes any more."""
        return all(one.is_finished for one in self.runs)

    @cached_property
    def ended_alike(self) -> bool:
        """The finished runs ended the same jobs: else one could be the best by those that it rejected."""
        done = [one for one in self.runs if one.is_finished]
        without_end = {sum(one.figures()[0].get(name, 0) for name in compare_jobs.NOT_ENDED) for one in done}
        if len(without_end) != 1 or without_end == {0}:  # in most comparisons no table of jobs need be read
            return len(without_end) < 2
        return self.kept(done, "ended-alike", lambda: compare_jobs.ended_alike([one.jobs for one in done]))

    def tables(self) -> list[Table]:
        """The jobs of each run, those that are compared: all, or those whose id occurs in every run."""
        found = [one.jobs for one in self.runs]
        if not self.asked.align or not all(rows(table) for table in found):
            return found
        index = compare_jobs.by_id(found)
        return [{name: column[at] for name, column in table.items()} for table, at in zip(found, index, strict=True)]

    def outcome(self, other: RunView) -> Mapping[str, Any] | None:
        """Winners and losers of a run against the baseline; None before both have any jobs."""
        base = self.baseline
        if not rows(base.jobs) or not rows(other.jobs):
            return None

        def make() -> dict[str, Any]:
            return compare_jobs.outcome(self.pair(other))

        return self.kept([base, other], "outcome", make)

    def pair(self, other: RunView) -> compare_jobs.Pair:
        """The jobs of a run beside those of the baseline."""
        return compare_jobs.paired(self.baseline.jobs, other.jobs, other.tau, align=bool(self.asked.align))

    def kept(self, of: list[RunView], what: str, make: Callable[[], Any]) -> Any:
        """`make()`, cached where all of the runs that it is `of` have finished."""
        if not all(one.is_finished for one in of):
            return make()
        first, *more = (one.run.id for one in of)
        key = ":".join(["compare", what, self.asked.align, *more])
        return cache.remembered(of[0].context.cache, first, key, make)

    @property
    def title(self) -> str:
        """`FCFS, EASY and MEASY on KTH-SP2, week 20`."""
        store = self.runs[0].context.store
        workloads = dict.fromkeys(naming.workload_words(store, one.run.spec) for one in self.runs)
        algorithms = dict.fromkeys(naming.run_words(one.run.spec) for one in self.runs)
        return f"{words.joined(list(algorithms))} on {words.joined(list(workloads))}"


def compared(context: Context, asked: Comparison) -> Compared:
    """The runs that a link names.

    Raises NotFound: for a run that is not here.
    Raises Incomparable: when the runs are not about the same jobs, and the link does not align them; also when no id is
        shared, or one stands for several jobs of a run.
    """
    found = Compared(asked, tuple(view(context, run_id) for run_id in asked.runs[:MOST]))
    first, *others = found.runs
    for one in found.runs if asked.align else ():
        if sentence := compare_jobs.not_aligned(f"run {one.run.id}", known_jobs(one)):
            raise Incomparable(sentence, 0)
    for one in others:
        if not asked.align:
            check_same(first, one)
        elif not compare_jobs.shared(known_jobs(first), known_jobs(one))[1]:
            raise Incomparable("These runs share no job, and no job id either.", 0)
    return found


def check_same(one: RunView, other: RunView) -> None:
    """Incomparable unless both runs are about the same jobs."""
    if question(one.run.spec) == question(other.run.spec):
        return
    here, there = known_jobs(one), known_jobs(other)
    if compare_jobs.are_same(here, there):
        return
    same, ids = compare_jobs.shared(here, there)
    if not same:
        sentence = "These runs share no job."
    else:
        sentence = f"These runs share {same:,} of {rows(here):,} and {rows(there):,} jobs."
    hint = "Align by job id only if the ids mean the same jobs." if ids else "Their job ids differ, too."
    raise Incomparable(f"{sentence} {hint}", ids)


def question(spec: RunSpec) -> tuple[Any, ...]:
    """Which jobs a run is about: equal, they are the same."""
    return dict(spec.workload), [dict(step) for step in spec.conversions], spec.seed if spec.conversions else 0


def known_jobs(one: RunView) -> Table:
    """The jobs of a run; where none of it has been written yet, that of its workload."""
    return one.jobs if rows(one.jobs) else load_workload(one.run.spec, one.context.store).jobs


def distinct(specs: Mapping[str, RunSpec], store: Any) -> dict[str, str]:
    """A short name for each run: the algorithm, and of two alike their parameters, workload, machine or id."""
    ways: tuple[Callable[[RunSpec, Sequence[RunSpec]], str], ...] = (
        _said,
        lambda spec, _: naming.workload_words(store, spec),
        lambda spec, _: naming.platform_words(spec.platform),
        lambda spec, _: "actual runtimes" if spec.estimates == "actual" else "as requested",
        lambda spec, _: f"engine {spec.engine_version.split('+')[-1]}",
        lambda spec, _: spec.id[:6],
    )
    names = {key: naming.run_words(spec) for key, spec in specs.items()}
    for way in ways:
        for name in {name for name in names.values() if list(names.values()).count(name) > 1}:
            alike = [key for key, known in names.items() if known == name]
            said = {key: way(specs[key], [specs[other] for other in alike]) for key in alike}
            if len(set(said.values())) > 1:
                names |= {key: f"{name}, {said[key]}" if said[key] else name for key in alike}
    return names


def _said(spec: RunSpec, alike: Sequence[RunSpec]) -> str:
    """The parameters of a run in which runs of one name differ: those that are not the defaults, but all of them if
    what these runs share is not the defaults either."""
    differing: dict[str, Any] = {}
    shared: dict[str, Any] = {}
    for name, value in spec.parameters.items():
        is_shared = all(other.parameters.get(name) == value for other in alike)
        (shared if is_shared else differing)[name] = value
    says = naming.parameter_words if naming.said_parameters(spec.algorithm, shared) else naming.said_parameters
    return ", ".join(says(spec.algorithm, differing))


def mates(context: Context, asked: Comparison, limit: int = 30) -> list[tuple[str, str]]:
    """Runs that could be added: address and name of the latest on the same jobs."""
    spec = context.store.runs.get(asked.runs[0]).spec
    found: dict[str, RunSpec] = {}
    for run in latest(context, view(context, asked.runs[0]).workload_digest):
        try:
            if run.id not in asked.runs and question(run.spec) == question(spec):
                found[run.id] = run.spec
        except NotFound:
            continue  # deleted meanwhile
        if len(found) == limit:
            break
    return [(run_id, name) for run_id, name in distinct(found, context.store).items()]


def latest(context: Context, digest: str, most: int = 200, at_once: int = 40) -> Iterator[Run]:
    """The latest runs of a workload, read a few at a time: mostly the first few are enough."""
    after = None
    for _ in range(0, most, at_once):
        page = context.store.runs.list(workload=digest[:16], limit=at_once, after=after)
        yield from page.rows
        if (after := page.next) is None:
            break


def groups(context: Context, limit: int = 8) -> list[tuple[str, str]]:
    """What could be compared: address and name of the latest runs on the same jobs, most recent first; runs of
    experiments, which are compared on their own pages, only where there are no others."""
    alike: dict[str, dict[str, RunSpec]] = {}
    states, listed = ["finished", "running"], context.store.runs.list
    own = listed(status=states, without=run_groups.OF_EXPERIMENT, limit=200).rows
    for run in own or listed(status=states, limit=200).rows:
        try:
            alike.setdefault(repr(question(run.spec)), {})[run.id] = run.spec
        except NotFound:
            continue
    found = []
    for specs in alike.values():
        if len(specs) < FEWEST:
            continue
        chosen = dict(list(specs.items())[:MOST][::-1])
        names = words.joined(list(distinct(chosen, context.store).values()))
        workload = naming.workload_words(context.store, next(iter(chosen.values())))
        found.append((urls.compare(Comparison(runs=tuple(chosen))), f"{names} on {workload}"))
    return found[:limit]
