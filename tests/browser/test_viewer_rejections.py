"""The panel of a rejected job gives the reason that exports give."""

from __future__ import annotations

import pytest

from shadowtime.engine import tables
from tests.browser.viewing import Viewer, log, made_tables

pytestmark = pytest.mark.browser


def test_the_panel_of_a_rejected_job_says_why(runs, page):
    found = made_tables(
        [{"job_id": 7, "processors": 2, "start": 0, "end": 9}, {"job_id": 8, "release": 1, "processors": 3}],
        [(0, 0, 1, 0, 0.0, 9.0, tables.RUN)],
        [(0.0, tables.START, 0, 0), (1.0, tables.REJECT, 1, 0), (9.0, tables.END, 0, 0)],
    )
    found["events"]["other"][1], found["jobs"]["state"][1] = tables.BY_POLICY, tables.REJECTED
    viewer = Viewer(page, runs.page_of(runs.made(found, log(2, 4), 81)))
    viewer.page.evaluate("shadowtime.viewers[0].run.loadEvents()")
    viewer.page.wait_for_function("shadowtime.viewers[0].run.events")
    steps = viewer.page.evaluate(
        "async () => { const { lifeOf } = await import('/assets/gantt/model/reasons.js');"
        " const v = shadowtime.viewers[0]; return lifeOf(v.run, 1, v.clock); }"
    )

    assert [(one["title"], one["reason"]) for one in steps][-1] == ("Rejected", ["turned away by the policy"])
