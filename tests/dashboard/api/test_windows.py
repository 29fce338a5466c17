"""Pieces of a finished run: what a window, an instant, a point and a life hold."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest

from shadowtime.dashboard.viewer import instants
from shadowtime.dashboard.viewer.windows import Windows
from shadowtime.engine import tables
from shadowtime.engine.tables import SEGMENTS, SERIES
from shadowtime.workers.execute import execute, load_workload
from shadowtime.workers.store.base import TABLES
from tests.reading_tiles import unbundle


@pytest.fixture
def ask(site, finished):
    """A piece of EASY on the four-job example: header and tables, or JSON.

    0     1 1 1 1 1 1 . 2 3 3 3 ...
    6     . 4 4 4 . . . 2 . . .
          0 3   53    100 110    1110
    """

    def piece(path: str):
        answer = site.client.get(f"/api/runs/{finished}/{path}")
        assert answer.status_code == 200, answer.text
        if answer.is_json:
            return answer.json
        return unbundle(answer.data)

    return piece


def test_cells_say_which_share_of_them_is_held(ask):
    _, parts = ask("window?from=0&to=110&nodes=0-9&columns=11&rows=10")
    header, cells = parts["cells"]
    grid = header["grid"]
    held = cells["held0"].reshape(grid["rows"], grid["columns"])

    assert (grid["rows"], grid["columns"], grid["each"]) == (10, 11, 1)
    assert held[0].tolist() == pytest.approx([255] * 11, abs=1)
    assert held[9].tolist() == pytest.approx([178, 255, 255, 255, 255, 76, 0, 0, 0, 0, 255], abs=1)
    assert parts["areas"][1]["useful"].tolist() == pytest.approx([8.8, 10, 10, 10, 10, 7.2, 6, 6, 6, 6, 10])


def test_a_window_of_few_rectangles_has_them_and_their_jobs(ask):
    _, parts = ask("window?from=60&to=105&nodes=6-9&columns=9&rows=2")
    _, segments = parts["segments"]

    assert parts["jobs"][1]["job_id"].tolist() == [2]
    assert (segments["job"].tolist(), segments["start"].tolist()) == ([0], [100.0])
    assert parts["cells"][0]["grid"]["each"] == 2


def test_a_ramp_is_averaged_and_a_search_lit(ask):
    header, parts = ask("window?from=100&to=110&columns=1&rows=1&by=size&edges=2,8&find=size+10")

    assert header["found"] == 1
    assert parts["cells"][1]["mean0"].tolist() == [255] and parts["cells"][1]["lit0"].tolist() == [1]


def test_an_instant_tells_who_is_there(ask):
    found = ask("instant?at=3")

    assert [one["row"] for one in found["holders"]] == [0, 3] and found["holders"][1]["ranges"] == [[6, 9]]
    assert (found["queue"], found["counts"], found["held"]) == ([1, 2], [2, 2], [10.0, 0.0])
    assert found["promise"] == {"row": 1, "size": 10, "time": 100.0}
    assert (found["running"], found["useful"], found["queued"], found["before"], found["after"]) == (
        2.0,
        10.0,
        2.0,
        2.0,
        53.0,
    )


def test_a_point_is_a_rectangle_or_the_nearest(ask):
    _, there = ask("point?at=20&lane=7&tier=0")
    _, near = ask("point?at=57&lane=7&tier=0&near=5")
    _, nothing = ask("point?at=70&lane=7&tier=0&near=5")

    assert there["jobs"][1]["job_id"].tolist() == near["jobs"][1]["job_id"].tolist() == [4]
    assert nothing["segments"][0]["rows"] == 0


def test_a_life_has_rectangles_events_and_whom_these_name(ask):
    _, parts = ask("life?job=4")
    events = parts["events"][1]

    assert parts["jobs"][1]["job_id"].tolist() == [4, 2]
    assert parts["segments"][1]["start"].tolist() == [3.0]
    assert set(events["other"][events["other"] >= 0]) == {1}


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("window?from=9&to=3", "a window begins before it ends"),
        ("window?nodes=7", "it must be like 0-99"),
        ("window?by=job", "it must be one of size, stretch, wait"),
        ("window?by=", "it must be one of size, stretch, wait"),
        ("window?find=everything", "it must be like 'job 7'"),
        ("instant", "a number of seconds"),
        ("life?job=x", "a whole number"),
        ("life?job=--1", "a whole number"),
        ("life?job=%C2%B2", "a whole number"),
        ("window?nodes=%C2%B2-%C2%B3", "it must be like 0-99"),
        ("window?nodes=3-2", "it must be like 0-99"),
        ("window?whole=yes", "a whole number from 0 to 1"),
        ("window?rectangles=2", "a whole number from 0 to 1"),
        ("segments?after=-1", "a whole number from 0 to"),
        ("events?small=true", "a whole number from 0 to 1"),
        ("groups?by=color", "by = 'color', but it must be one of user, account,"),
        ("groups?by=user", "These jobs have no user; known: size_class, area_class."),
        ("groups?most=101", "most = '101', but it must be a whole number from 1 to 100."),
        ("groups?points=1001", "points = '1001', but it must be a whole number from 1 to 1000."),
        ("groups.csv?by=color", "by = 'color'"),
        ("groups.csv?by=", "by = '', but it must be one of user,"),
        ("classes?of=", "of = '', but it must be one of wait,"),
        ("classes?by=user", "by = 'user', but it must be one of size_class, area_class."),
        ("classes?of=color", "of = 'color', but it must be one of wait, flow, stretch."),
    ],
)
def test_a_wrong_question_gets_a_sentence(site, finished, path, sentence):
    answer = site.client.get(f"/api/runs/{finished}/{path}")

    assert answer.status_code == 400
    assert sentence in answer.json["error"]


def test_a_large_run_is_not_sent_whole_to_who_wants_a_small_one(site, finished, monkeypatch):
    monkeypatch.setattr("shadowtime.dashboard.api.open_runs.LARGE", 3)
    for name in ("segments", "jobs"):
        assert site.client.get(f"/api/runs/{finished}/{name}").status_code == 200
        assert site.client.get(f"/api/runs/{finished}/{name}?small=1").status_code == 413


def test_sums_hold_what_counting_gives(ask, monkeypatch):
    """Both ways to the far view."""
    from shadowtime.dashboard.viewer import windows

    _, summed = ask("window?columns=300&rows=5")
    monkeypatch.setattr(windows, "FINE", 10**9)
    _, counted = ask("window?columns=300&rows=5&rectangles=0")

    one, other = (parts["cells"][1]["held0"].astype(int) for parts in (summed, counted))
    assert one.max() == 255 and np.abs(one - other).max() <= 1


MANY = 1_500_000
PIECES = ("view", "window?columns=11&rows=10", "instant?at=700000", "point?at=700000.5&lane=3&tier=0", "life?job=2")


@pytest.fixture
def large(site) -> str:
    """A finished run of so many rectangles, one a second, all of job 1 but the last few."""
    digest = site.ask(algorithm="fcfs").json["id"]
    run = site.store.runs.get(digest)
    outcome = execute(run.spec, load_workload(run.spec, site.store))
    table = tables.empty(SEGMENTS, MANY)
    table["start"][:] = np.arange(MANY)
    table["end"][:], table["share"][:], table["last"][:] = table["start"] + 1.0, 1.0, 5
    table["job"][-4:] = np.arange(4)
    series = tables.empty(SERIES, 2)
    series["time"][1] = MANY
    found = {name: getattr(outcome.schedule, name) for name in TABLES} | {"segments": table, "series": series}
    status = site.store.runs.begin(run.digest)
    assert site.store.runs.finish(run.digest, status.attempt, found, outcome.summary)
    return run.id


def test_a_large_run_opens_without_its_columns_in_memory(site, finished, large, monkeypatch):
    monkeypatch.setattr(tables, "PART", 100_000)
    for piece in PIECES:  # what is imported or compiled once
        site.client.get(f"/api/runs/{finished}/{piece}")
    column = 8 * MANY

    for piece in PIECES:
        tracemalloc.start()
        answer = site.client.get(f"/api/runs/{large}/{piece}")
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert answer.status_code == 200, answer.text
        assert peak < column, (piece, peak, column)


def test_a_job_in_the_background_is_promised_the_foreground_until_it_comes_there():
    jobs = tables.empty(tables.JOBS, 2)
    jobs["job_id"][:], jobs["release"][:], jobs["start"][:], jobs["end"][:] = (1, 2), (0, 5), (0, 5), (100, 160)
    jobs["processors"][:] = 4
    segments = tables.empty(SEGMENTS, 3)
    for name, values in {
        "job": (0, 1, 1), "last": (3, 3, 3), "tier": (0, 1, 0), "start": (0, 5, 100), "end": (100, 100, 160),
    }.items():  # fmt: skip
        segments[name][:] = values
    events = tables.empty(tables.EVENTS, 1)
    events["time"][:], events["kind"][:], events["job"][:], events["value"][:] = 7, tables.RESERVE, 1, 100
    windows = Windows(jobs, segments, events, {"time": np.zeros(1)}, 4, (0.0, 160.0))

    promises = [instants.instant(windows, t)["promise"] for t in (6.0, 50.0, 100.0)]

    assert promises == [None, {"row": 1, "size": 4, "time": 100.0}, None]
