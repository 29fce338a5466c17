"""The columns of a table on the form of a new run: what is proposed, chosen, and shown as it is read."""

from __future__ import annotations

import io

import pytest
from dash import html

from shadowtime.dashboard.components import form_answers, table_columns
from shadowtime.dashboard.components.question import Form
from shadowtime.dashboard.look import words
from shadowtime.engine.workload.reading import columns
from tests.dashboard.reading import said

CLEAN = b"# processors: 8\nid,submit,runtime,cores,user,took\n7,1700000000,60,4,ann,5\n8,1700000010,-1,2,bob,9\n"
HOPELESS = b"when,took,wide\n1700000000,1,4\n1700000060,2,2\n"


@pytest.fixture
def table(lab):
    entry, _ = lab.store.workloads.add(io.BytesIO(CLEAN), "jobs.csv")
    return entry.id


def test_a_table_shows_its_columns_its_first_lines_and_what_was_dropped(lab, table):
    body, _ = form_answers.trace_card(lab, {"id": table})
    text = said(body)

    assert "Columns: 5 of 6 read" in text
    assert "The first 2 lines as they are read; dates are in UTC" in text and "Tue 14 Nov 2023 22:13:20" in text
    assert "2 jobs of the table, 1 kept." in text
    assert "1 job without processors, runtime or submission was left out." in text


def test_folds_are_drawn_as_they_were(lab, table):
    def folds(body: list, **known: bool) -> dict[str, bool]:
        found = [one for part in body(known) for one in (part, *part._traverse()) if isinstance(one, html.Details)]
        return {one.id["fold"]: bool(one.open) for one in found}

    def read(known: dict[str, bool]) -> list:
        return form_answers.trace_card(lab, {"id": table}, known)[0]

    def unread(known: dict[str, bool]) -> list:
        return form_answers.trace_card(lab, {"id": table, "name": "jobs.csv", "case": "size="}, known)[0]

    assert folds(read) == {"columns": False, "fields": False, "trace-shape": False}
    assert folds(read, columns=True, fields=True) == {"columns": True, "fields": True, "trace-shape": False}
    assert folds(unread) == {"fields": False} and folds(unread, fields=True) == {"fields": True}


def test_a_machine_of_unknown_size_is_named_on_the_form(lab):
    entry, _ = lab.store.workloads.add(io.BytesIO(b"submit,runtime,cores\n0,60,4\n9,60,2\n"), "bare.csv")
    form = Form(trace={"id": entry.id, "name": "bare.csv"}, chosen=("easy",))
    queue = said(form_answers.answered(lab, form, ["easy"])["queue"])

    assert "are.csv does not say how many processors its machine has: name them under Platform." in queue
    assert "--processors" not in queue


def test_another_file_shows_none(lab, four):
    body, _ = form_answers.trace_card(lab, {"id": four})

    assert "Columns:" not in said(body)


def test_a_change_goes_into_the_case_and_is_read_again(lab, table):
    shown = {"submit": "1", "start": None, "end": None, "runtime": "2", "size": "3", "id": "0", "user": "4"}
    units = {"submit": "seconds", "runtime": "seconds"}
    trace = {"id": table, "name": "jobs.csv", "case": None}

    assert form_answers.choose_columns(lab, trace, shown, units) is None
    other = form_answers.choose_columns(lab, trace, {**shown, "runtime": "5", "user": None}, units)
    assert other == {**trace, "case": "runtime=took,user="}
    hours = form_answers.choose_columns(lab, other, {**shown, "runtime": "5", "user": None}, {"runtime": "hours"})
    assert hours["case"] == "runtime=took:hours,user="
    text = said(form_answers.trace_card(lab, hours)[0])
    assert "runtime from took (hours)" in text and "2 jobs of the table, 2 kept." in text
    answer = form_answers.answered(lab, Form(trace=hours, chosen=("easy",)), ["easy"])
    assert answer["copy"] == "shadowtime simulate 'jobs.csv#runtime=took:hours,user=' -a easy"
    assert answer["question"]["workload"] == f"{table}#runtime=took:hours,user="


def test_columns_that_do_not_suffice_are_said_and_stay_in_the_form(lab, table):
    body, _ = form_answers.trace_card(lab, {"id": table, "name": "jobs.csv", "case": "size="})

    assert "It has no column for the processors among id, submit, runtime, cores, user, took; choose it" in said(body)
    assert "Submission" in said(body)


def test_a_table_that_was_refused_is_stored_with_the_columns_that_were_chosen(lab):
    found = columns(io.BytesIO(HOPELESS), "x.csv")
    trace = {"name": "x.csv", "size": 60, "case": "", "table": found}

    assert "no column for the submission among when, took, wide; choose it here." in said(
        form_answers.trace_card(lab, trace)[0]
    )
    assert form_answers.choose_columns(lab, trace, {"submit": "0"}, {})["case"] == "submit=when"
    case = "submit=when,runtime=took:minutes,size=wide"
    entry, _ = lab.store.workloads.add(io.BytesIO(HOPELESS), "x.csv", None, case)
    assert entry.cases == (case,)
    assert lab.store.workloads.load(entry.digest).jobs["runtime"].tolist() == [60.0, 120.0]


def test_values_stand_with_their_units():
    fields = table_columns.FIELDS

    assert table_columns._cell(fields["memory"], 2048.0) == f"2.1{words.GAP}MB"
    assert table_columns._cell(fields["submit"], 50.0) == f"50{words.GAP}s"
    assert table_columns._cell(fields["user"], None) == "–"
