"""Who sees new runs: all who reach the server, the visitor, or a group of the visitor."""

from __future__ import annotations

from typing import Any

from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.workers import submit
from shadowtime.workers.people import group_of, key_of_group


def owner_of(question: dict[str, Any]) -> str | None:
    """Return the key of whom the runs of a request belong to, by its `private` and `group`; None for public runs.

    Raises
    ------
    InvalidParameter
        For private runs where visitors are not identified.
    Refusal
        400 for values that contradict each other, 403 for a group that the visitor is not in.
    """
    owner = _owner_of(question)
    group = group_of(owner)
    visitors.note(visibility=f"group {group}" if group else "private" if owner else "public")
    return owner


def _owner_of(question: dict[str, Any]) -> str | None:
    is_private, group = question.get("private"), question.get("group")
    if group is None:
        return submit.known(visitors.here().owner) if is_private else None
    if is_private is False:
        raise Refusal(400, "group needs private runs, but private is false.")
    if not isinstance(group, str) or group not in visitors.here().groups:
        raise Refusal(403, f"You are not in the group {str(group)[:80]!r}.")
    return key_of_group(group)
