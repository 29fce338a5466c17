"""Decide whether the person who asked for a notice of a private run still owns the run."""

from __future__ import annotations

from shadowtime.workers.errors import NotFound
from shadowtime.workers.people import group_of, owner_of
from shadowtime.workers.records.notices import RUN, Notice
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import Store


def is_still_owner(store: Store, settings: Settings, notice: Notice) -> bool:
    """Return False for a private run of another owner, and for a run of a group that the asker has left.

    Tokens are recorded with their groups. A proxy and an identity provider state groups at requests only: there
    the asker counts as a member.
    """
    if notice.kind != RUN:
        return True
    try:
        run = store.runs.get(notice.subject)
    except NotFound:
        return True
    if not run.is_private or run.status.owner == notice.owner:
        return True
    group = group_of(run.status.owner)
    if group is None or settings.groups_header or settings.oidc_issuer:
        return group is not None
    given = [one for one in store.tokens.all() if owner_of(one.person) == notice.owner and group in one.groups]
    person = given[0].person if given else ""
    return not given or any(group in one.groups for one in store.tokens.of(person))
