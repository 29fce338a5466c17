"""Notices as a visitor may use them: about runs that they may change and all sweeps, each seen by its owner alone."""

from __future__ import annotations

from shadowtime.dashboard.access import visitors
from shadowtime.workers.errors import Conflict
from shadowtime.workers.notices.address import check
from shadowtime.workers.records.notices import RUN, Notice
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import Store


class GuardedNotices:
    """Notices of the visitor."""

    def __init__(self, store: Store):
        self._notices = store.notices

    def ask(self, settings: Settings, kind: str, subject: str, address: str, link: str) -> tuple[Notice, bool]:
        """Ask for a notice at the end of a run or a sweep that the visitor may change; False: it was asked before.

        Raises
        ------
        InvalidParameter
            For an address to which nothing is sent.
        TooMuch
            When the visitor has asked for too many.
        """
        known = check(address, settings)
        return self._notices.ask(kind, subject, _owner(), known, link, settings.max_notices)

    def of(self, subject: str) -> list[Notice]:
        """Return the visitor's own, oldest first."""
        return self._notices.of(subject, _owner())

    def withdraw(self, code: str) -> None:
        """Delete one of the visitor's own; NotFound for any other."""
        self._notices.withdraw(code, _owner())


def _owner() -> str:
    """Return the key of the visitor: the name or the token, or else the address, as limits count it."""
    visitor = visitors.here()
    visitors.note_private()
    return visitor.owner or visitor.client


def refuse_ended(kind: str, reference: str, status: str, *, is_unfinished: bool) -> None:
    """Raise Conflict for a run or a sweep that has ended: no notice would follow."""
    if not is_unfinished:
        what = "run" if kind == RUN else "experiment"
        raise Conflict(f"{what} {reference} is {status}; notices are sent when one ends")
