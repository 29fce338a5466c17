"""Sentences of events, written one by one and all at once."""

import pytest

from shadowtime.engine import generate, simulate, tables
from shadowtime.engine.output.notes import Notes
from shadowtime.engine.registry import find_family


def test_all_at_once_says_what_one_by_one_says():
    schedule = simulate(generate("uniform", {"jobs": 300}, seed=2), "easy")
    notes = Notes(schedule.jobs, schedule.segments)

    written = list(notes.all(schedule.events))

    assert written == [notes.of(row, schedule.events) for row in range(len(written))]
    assert any(note.startswith("backfilled: ") for note in written)


def test_two_tier_events_name_the_tier():
    jobs = tables.empty(tables.JOBS, 1)
    segments = tables.empty(tables.SEGMENTS, 2)
    segments["first"][:], segments["last"][:], segments["end"][:] = (3, 7), (4, 7), 10.0
    events = tables.empty(tables.EVENTS, 4)
    events["kind"][:] = (tables.SUBMIT, tables.START, tables.RESERVE, tables.END)
    events["time"][:], events["tier"][:] = (0, 0, 0, 10), (0, 1, 0, 1)
    events["other"][2], events["value"][2] = tables.PROMISE, 9.0

    assert list(Notes(jobs, segments, two_tier=True).all(events)) == [
        "", "bg 3-4 7", "promised the foreground at 9 s at the latest, its shadow time", "bg 3-4 7",
    ]  # fmt: skip


def test_an_event_without_a_rectangle_names_no_lanes():
    events = tables.empty(tables.EVENTS, 1)
    events["kind"][:], events["time"][:] = tables.START, 5.0

    assert list(Notes(tables.empty(tables.JOBS, 1), tables.empty(tables.SEGMENTS, 1)).all(events)) == [""]


def test_reservations_and_corrections_have_sentences():
    jobs = tables.empty(tables.JOBS, 1)
    jobs["end"][:] = 80.0
    events = tables.empty(tables.EVENTS, 5)
    events["kind"][:] = (tables.RESERVE, tables.RESERVE, tables.UNRESERVE, tables.CORRECT, tables.CORRECT)
    events["other"][:2] = (tables.PROMISE, tables.PLAN)
    events["time"][:], events["value"][:] = (0, 1, 2, 50, 80), (10, 20, 0, 60, 90)

    assert list(Notes(jobs, tables.empty(tables.SEGMENTS, 0)).all(events)) == [
        "promised to start at 10 s at the latest, its shadow time",
        "reserved from 20 s on, as planned now",
        "has no reservation any more",
        "ran past its predicted end; now expected to end at 60 s",
        "ran past its predicted end, and has ended",
    ]


@pytest.mark.parametrize("kind", ["rigid", "two_tier"])
def test_whoever_shows_the_sentences_may_write_their_instants(kind):
    events = tables.empty(tables.EVENTS, 1)
    events["kind"][:], events["other"][:], events["value"][:] = tables.RESERVE, tables.PLAN, 120_000_034.0
    jobs, segments = tables.empty(tables.JOBS, 1), tables.empty(tables.SEGMENTS, 0)
    notes = find_family(kind).notes(jobs, segments, "second {:.0f}".format)

    assert list(notes.all(events)) == ["reserved from second 120000034 on, as planned now"]
