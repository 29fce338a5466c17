"""The store as the visitor may see it: public runs, one's own, those of one's groups, and those that a link opens.

The routes and pages of the web process have this store and no other. What a visitor may not see is *not known here*, as
a run that never was: a route that is added says so, too, without a word about it there. Methods that are not
written down here are not there at all.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Unpack

from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.access.notices import GuardedNotices
from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.workers.errors import Damaged, NotFound
from shadowtime.workers.people import group_of
from shadowtime.workers.private import salted
from shadowtime.workers.records.links import Link, LinkedRun
from shadowtime.workers.records.marks import Marks
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import Run, Status, Store
from shadowtime.workers.store.base import Listing, Page
from shadowtime.workers.store.live import LiveSource

READ_ONLY = "This run is private: a link lets you read it, not change it."
NOT_YOURS = "This run is private: only its owner can share it."
NOT_READ = "This run is private: this needs the scope read, which this token does not have."


@dataclass(frozen=True)
class Viewer:
    """What a visitor may see depends on this: the visitor, and the links that they opened."""

    owner: str | None = None
    owners: tuple[str, ...] = ()
    """Keys of what the visitor owns, also with a group."""
    is_editor: bool = False
    codes: tuple[str, ...] = ()


def viewer() -> Viewer:
    """The visitor who sent the current request."""
    return _viewer(visitors.here(), visitors.codes())


def _viewer(visitor: visitors.Visitor, codes: tuple[str, ...]) -> Viewer:
    return Viewer(visitor.owner, visitor.owners, visitor.is_editor, codes)


class Guarded:
    """A store guarded for the visitor that `who` returns at each call."""

    def __init__(self, store: Store, who: Callable[[], Viewer] = viewer):
        self._store = store
        self._who = who
        self.runs = GuardedRuns(store, who)
        self.links = GuardedLinks(store, who)
        self.notices = GuardedNotices(store)
        self.workloads, self.sweeps, self.reruns = store.workloads, store.sweeps, store.reruns
        self.papers, self.key, self.asked = store.papers, store.key, store.asked
        self.check, self.require_room = store.check, store.require_room

    def later(self) -> Callable[[], Guarded]:
        """Return a function that opens the store for the visitor of this request once more, also after the request is
        answered: a token or a session that has ended since opens nothing."""
        again, codes = visitors.again(), visitors.codes()

        def now() -> Guarded:
            known = _viewer(again(), codes)
            return Guarded(self._store, lambda: known)

        return now


class GuardedRuns:
    """Runs, without other people's private ones."""

    def __init__(self, store: Store, who: Callable[[], Viewer]):
        self._store, self._runs, self._who = store, store.runs, who
        runs = store.runs
        # Of all runs, for their places in the queue and how long they will take.
        self.listed, self.unfinished, self.algorithms_and_jobs = runs.listed, runs.unfinished, runs.algorithms_and_jobs
        self.load, self.usual_seconds, self.seconds_per_job = runs.load, runs.usual_seconds, runs.seconds_per_job
        self.counts_of_all = runs.counts_of_all
        self.accept, self.accept_all = runs.accept, runs.accept_all

    def get(self, reference: str) -> Run:
        """NotFound for an unknown id, and for a run that is not to be seen."""
        run = self._runs.get(reference)
        if not self._sees(run):
            raise NotFound("run", reference)
        if run.is_private:
            visitors.note_private()
        return run

    def get_all(self, references: Sequence[str]) -> list[Run]:
        """The runs of these ids that are to be seen."""
        runs = [run for run in self._runs.get_all(references) if self._sees(run)]
        if any(run.is_private for run in runs):
            visitors.note_private()
        return runs

    def question(self, reference: str) -> RunSpec:
        """The question of a run, also of a deleted one. NotFound as for `get`."""
        with suppress(NotFound):
            return self.get(reference).spec
        spec = self._runs.question(reference)
        if spec.salt:
            raise NotFound("run", reference)
        return spec

    def live(self, digest: str) -> LiveSource:
        """What a running run has written so far."""
        return self._runs.live(self.get(digest).digest)

    def list(self, **asked: Unpack[Listing]) -> Page:
        """Public runs, one's own and those of one's groups, newest first: a link opens a run, it does not list it."""
        owners = self._who().owners
        if owners:
            visitors.note_private()
        return self._runs.list(**asked, owners=owners)

    def counts(self, text: str = "", without: str = "") -> Any:
        """As for `list`."""
        return self._runs.counts(text, owners=self._who().owners, without=without)

    def cancel(self, digest: str) -> Status:
        """As of the store; Refusal for another person's private run."""
        return self._runs.cancel(self._to_be_changed(digest))

    def delete(self, reference: str) -> None:
        """As of the store; Refusal for another person's private run."""
        self._runs.delete(self._to_be_changed(reference))

    def mark(self, reference: str, changes: Mapping[str, Any]) -> Marks:
        """As of the store; Refusal for another person's private run."""
        return self._runs.mark(self._to_be_changed(reference), changes)

    def check_change(self, reference: str) -> None:
        """Raise NotFound for a run that this visitor does not see, Refusal for another person's private run."""
        self._to_be_changed(reference)

    def _to_be_changed(self, reference: str) -> str:
        run = self.get(reference)
        if run.is_private and not self._owns(run):
            raise Refusal(403, READ_ONLY)
        return run.digest

    def _owns(self, run: Run) -> bool:
        return run.status.owner in self._who().owners

    def _sees(self, run: Run) -> bool:
        return not run.is_private or self._owns(run) or any(self._opens(code, run) for code in self._who().codes)

    def _opens(self, code: str, run: Run) -> bool:
        try:
            link = self._store.links.read(code)
        except NotFound:  # revoked, or never given
            return False
        return link.is_secret and any(kept.digest == run.digest for kept in link.runs)


class GuardedLinks:
    """Links: anyone who has the code may open one; only its owner, and owners of what it opens, may revoke it."""

    def __init__(self, store: Store, who: Callable[[], Viewer]):
        self._store, self._links, self._who = store, store.links, who

    def make(self, target: str, title: str = "", runs: Sequence[LinkedRun] = ()) -> tuple[Link, bool]:
        """As of the store, owned by the visitor; Refusal for another person's private run."""
        who = self._who()
        private = [kept for kept in runs if kept.question.salt]
        if private and not visitors.may_read():
            raise Refusal(403, NOT_READ)
        if any(self._store.runs.get(kept.digest).status.owner not in who.owners for kept in private):
            raise Refusal(403, NOT_YOURS)
        return self._links.make(target, title, runs, owner=who.owner, secret=bool(private))

    def read(self, code: str) -> Link:
        """As of the store; a secret one is gone with any of its runs, but for its owner."""
        link = self._links.read(code)
        if link.is_secret and link.owner != self._who().owner and not all(map(self._is_here, link.runs)):
            raise NotFound("link", code)
        return link

    def revoke(self, code: str) -> None:
        """As of the store; Refusal for another person's."""
        try:
            link = self._links.read(code)
        except Damaged:
            found = next((link for link in self._links.all() if link.code == code), None)
            if found is None:  # revoked before it was damaged
                raise NotFound("link", code) from None
            link = found
        if not self.is_mine(link):
            raise Refusal(403, "This link belongs to another person: only its owner can revoke it.")
        self._links.revoke(code)

    def mine(self) -> list[Link]:
        """Return the links that the visitor may revoke, newest first."""
        return sorted(filter(self.is_mine, self._links.all()), key=lambda link: (link.made, link.code), reverse=True)

    def is_mine(self, link: Link) -> bool:
        """Return whether the visitor owns it, or is in the groups whose runs it opens; a link without a known owner
        belongs to every editor."""
        who = self._who()
        if not link.owner:
            return who.is_editor
        return link.owner == who.owner or (link.is_secret and self._is_of_groups(link, who.owners))

    def owner_to_rerun(self, kept: LinkedRun) -> str | None:
        """Return the key of the owner of a linked run, which is one of the visitor's; None for a public run.

        Raises
        ------
        Refusal
            For a private run where the visitor's token may not read, and for one of another owner: a link opens a run,
            but who queues it in the name of its owner has to be that owner. Whose a deleted run was follows from its
            salt.
        """
        if not kept.question.salt:
            return None
        if not visitors.may_read():
            raise Refusal(403, NOT_READ)
        owners = self._who().owners
        owner = self._owner(kept)
        if owner in owners:
            return owner
        for mine in owners if owner is None else ():
            if salted(kept.question, mine, self._store.key()) == kept.question:
                return mine
        raise Refusal(403, READ_ONLY)

    def _is_of_groups(self, link: Link, owners: Sequence[str]) -> bool:
        groups = [owner for owner in owners if group_of(owner)]
        private = [kept for kept in link.runs if kept.question.salt]
        return bool(groups and private) and all(self._owner(kept) in groups for kept in private)

    def _owner(self, kept: LinkedRun) -> str | None:
        """Return the key of the owner of a linked run; None for a public run, and for a deleted one."""
        with suppress(NotFound):
            return self._store.runs.get(kept.digest).status.owner
        return None

    def _is_here(self, kept: LinkedRun) -> bool:
        with suppress(NotFound):
            return bool(self._store.runs.get(kept.digest))
        return False
