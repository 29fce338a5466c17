"""Notices of private runs go to their owners alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from shadowtime.workers.notices.sender import send_due
from shadowtime.workers.people import SCOPES
from shadowtime.workers.private import salted
from tests.workers.notices.receiver import receiver
from tests.workers.samples import spec, summary, tables


def private(ended, owner):
    """Record a finished private run of an owner; return its digest."""
    run = salted(spec(), owner, ended.store.key())
    ended.store.runs.accept(run, jobs=4, owner=owner)
    status = ended.store.runs.begin(run.digest)
    ended.store.runs.finish(run.digest, status.attempt, tables(), summary(run))
    return run.digest


def token(ended, person, *groups):
    return ended.store.tokens.create(person, SCOPES, groups)[1]


@pytest.mark.parametrize(
    ("owner", "sent"), [("user:ben", 1), ("user:anna", 0), ("group:hpc", 1), ("group:ops", 0), ("group:ai", 1)]
)
def test_a_notice_goes_to_an_owner_of_the_run_alone(ended, owner, sent):
    token(ended, "ben", "hpc")
    ended.store.tokens.revoke(token(ended, "ben", "ops").id)
    digest = private(ended, owner)
    with receiver() as server:
        ended.ask(server.url, digest, owner="user:ben")
        assert send_due(ended.store, ended.settings) == sent

    assert len(server.requests) == sent
    assert len(ended.store.notices.of(digest, "user:ben")) == sent, "a notice that is not sent is deleted"


@pytest.mark.parametrize("more", [{"groups_header": "X-Forwarded-Groups"}, {"oidc_issuer": "https://login.example"}])
def test_who_is_in_a_group_by_a_proxy_counts_as_a_member(ended, more):
    ended.store.tokens.revoke(token(ended, "ben", "hpc").id)
    digest = private(ended, "group:hpc")
    with receiver() as server:
        ended.ask(server.url, digest, owner="user:ben")
        assert send_due(ended.store, replace(ended.settings, **more)) == 1
