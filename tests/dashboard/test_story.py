"""A short run tells its story beside the schedule."""

from __future__ import annotations

import io

from shadowtime.dashboard.components import story
from shadowtime.dashboard.components.run_view import view
from tests.conftest import FOUR_SWF
from tests.dashboard.reading import said


def sections(lab, run_id: str) -> list:
    return story.story(view(lab, run_id))


def test_every_decision_is_a_line_with_its_reason(lab, four, finish):
    title, lines = sections(lab, finish(four, "easy").id)
    first = lines.children[0].children

    assert said(title) == "Events in order 11 events"
    assert len(lines.children) == 11
    assert (getattr(first, "data-at"), getattr(first, "data-job")) == ("0.0", "1")
    assert "backfilled: ends 47 s before the shadow time of job 2" in said(lines)


def test_instants_in_the_reasons_of_a_dated_log_are_dates(lab, finish):
    log = f"; UnixStartTime: 854000000\n; TimeZoneString: UTC\n{FOUR_SWF}"
    workload, _ = lab.store.workloads.add(io.BytesIO(log.encode()), "dated.swf")
    _, lines = sections(lab, finish(workload.id, "easy").id)

    assert "promised to start at Thu 23 Jan 06:15:10 at the latest, its shadow time" in said(lines)


def test_a_run_that_has_not_ended_has_none(lab, four, ask):
    assert sections(lab, ask(four, "easy").id) == []


def test_a_long_run_has_none(lab, four, finish, monkeypatch):
    monkeypatch.setattr(story, "LONGEST", 10)

    assert sections(lab, finish(four, "easy").id) == []
