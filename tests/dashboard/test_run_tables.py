"""The rows that a grid asks for, sorted and filtered as it says."""

import numpy as np
import pytest

from shadowtime.dashboard.components import compare_jobs, compare_tables
from shadowtime.dashboard.components import run_tables as tables
from shadowtime.dashboard.components.run_view import view
from tests.dashboard import waits_log

COLUMNS = {
    "row": np.arange(5),
    "job_id": np.array([11, 12, 13, 14, 15]),
    "wait": np.array([5.0, np.nan, 0.0, 5.0, 2.0]),
    "state": np.array(["finished", "rejected", "finished", "finished", "unfinished"]),
}


TABLE = tables.Rows(5, tuple(COLUMNS), lambda name, index: COLUMNS[name][index])


def rows(**request) -> list[int]:
    index, _ = tables.answer(TABLE, {"startRow": 0, "endRow": 100, **request})
    return index.tolist()


@pytest.mark.parametrize(("way", "order"), [("asc", [2, 4, 0, 3, 1]), ("desc", [0, 3, 4, 2, 1])])
def test_what_is_missing_stands_last_either_way(way, order):
    assert rows(sortModel=[{"colId": "wait", "sort": way}]) == order


def test_the_second_key_decides_among_equals():
    model = [{"colId": "wait", "sort": "desc"}, {"colId": "job_id", "sort": "asc"}]

    assert rows(sortModel=model) == [0, 3, 4, 2, 1]


@pytest.mark.parametrize(
    ("rule", "kept"),
    [
        ({"type": "equals", "filter": 5}, [0, 3]),
        ({"type": "notEqual", "filter": 5}, [1, 2, 4]),
        ({"type": "lessThan", "filter": 5}, [2, 4]),
        ({"type": "greaterThanOrEqual", "filter": 2}, [0, 3, 4]),
        ({"type": "inRange", "filter": 1, "filterTo": 4}, [4]),
        ({"type": "blank"}, [1]),
        ({"type": "notBlank"}, [0, 2, 3, 4]),
        ({"type": "lessThan", "filter": None}, [0, 1, 2, 3, 4]),
        ({"type": "unheard of", "filter": 1}, [0, 1, 2, 3, 4]),
        (
            {
                "operator": "OR",
                "conditions": [{"type": "equals", "filter": 0}, {"type": "equals", "filter": 2}],
            },
            [2, 4],
        ),
    ],
)
def test_numbers_are_filtered(rule, kept):
    assert rows(filterModel={"wait": {"filterType": "number", **rule}}) == kept


@pytest.mark.parametrize(
    ("kind", "kept"),
    [("contains", [0, 2, 3, 4]), ("equals", [0, 2, 3]), ("startsWith", [0, 2, 3]), ("notContains", [1]),
     ("endsWith", [0, 2, 3, 4]), ("notEqual", [1, 4])],
)  # fmt: skip
def test_words_are_filtered(kind, kept):
    assert rows(filterModel={"state": {"filterType": "text", "type": kind, "filter": "Finished"}}) == kept


def test_a_window_is_cut_and_the_count_is_of_all():
    index, count = tables.answer(TABLE, {"startRow": 1, "endRow": 3})

    assert index.tolist() == [1, 2] and count == 5


def test_unknown_columns_are_left_alone():
    assert rows(sortModel=[{"colId": "x", "sort": "asc"}], filterModel={"x": {"filter": 1}}) == [0, 1, 2, 3, 4]


def test_records_hold_plain_values():
    assert TABLE.records(np.array([1])) == [{"row": 1, "job_id": 12, "wait": None, "state": "rejected"}]


def test_the_jobs_of_the_example(lab, four, finish):
    run = lab.store.runs.get(finish(four, "easy").id)
    shown = tables.job_rows(run.table("jobs"), 10.0).records()

    assert [row["start"] for row in shown] == [0.0, 100.0, 110.0, 3.0]
    assert [row["wait"] for row in shown] == [0.0, 99.0, 108.0, 0.0]
    assert [row["stretch"] for row in shown] == pytest.approx([1.0, 10.9, 1.108, 1.0])
    assert {row["state"] for row in shown} == {"finished"}


def test_a_user_that_is_not_known_is_left_empty(lab, four, finish):
    jobs = dict(lab.store.runs.get(finish(four, "easy").id).table("jobs"))
    jobs["user"] = np.array([3, -1, 3, -1], jobs["user"].dtype)

    assert [row["user"] for row in tables.job_rows(jobs, 10.0).records()] == [3, None, 3, None]


def test_users_have_the_names_of_their_log(lab, finish):
    log = lab.store.workloads.add(waits_log.stream(), "sacct.psv")[0]
    shown = view(lab, finish(log.id, "easy", platform={"processors": 16}).id)
    codes = shown.jobs["user"]
    names = lab.store.workloads.load(log.digest).texts["user"]

    assert len(set(codes.tolist())) > 1 and list(shown.users) == list(names)
    table = tables.job_rows(shown.jobs, 10.0, None, shown.users)
    assert [row["user"] for row in table.records()] == [names[code] for code in codes]
    assert tables.user_column(np.array([1, -1, 2]), ["ann", "bob"]).tolist() == ["bob", "", "2"]
    column = next(one for one in tables.job_columns(shown.jobs, "rigid", shown.users) if one["field"] == "user")
    assert column["filter"] == "agTextColumnFilter"
    pair = compare_jobs.paired(shown.jobs, shown.jobs, 10.0)
    assert [row["user"] for row in compare_tables.job_rows(pair, shown.users).records()] == [names[c] for c in codes]
    text = "".join(compare_tables.as_csv(pair, ["=1+1", *names[1:]]))
    assert ",'=1+1," in text and f",{names[1]}," in text


def test_columns_that_are_empty_from_top_to_bottom_are_left_out(lab, four, finish):
    jobs = dict(lab.store.runs.get(finish(four, "easy").id).table("jobs"))
    names = [column["field"] for column in tables.job_columns(jobs, "rigid")]
    bare = {**jobs, "user": np.full(4, -1), "requested": np.full(4, np.nan), "weight": np.array([1.0, 2.0, 1.0, 1.0])}

    assert "requested" in names and "weight" not in names
    found = tables.job_columns(bare, "multitask")
    assert not {"user", "requested"} & {column["field"] for column in found}
    assert [column["headerName"] for column in found][2:4] == ["Tasks", "Weight"]
    assert {"user", "requested"} <= {column["field"] for column in tables.job_columns({}, "rigid")}


def test_jobs_of_a_site_have_their_class_their_priority_and_where_they_ran(lab, finish):
    asked = {"site": "random", "jobs": 6, "machines": 3, "clusters": 1, "cluster_size": 2, "mix": "25/25/50"}
    workload = lab.store.workloads.generate("classed", asked, 1)[0].id
    shown = view(lab, finish(workload, "pjs").id)
    columns = [column["field"] for column in tables.job_columns(shown.jobs, "classed")]
    found = tables.job_rows(shown.jobs, shown.tau, shown.site).records()

    assert {"job_class", "priority", "resource"} < set(columns) and "user" not in columns
    assert {row["priority"] for row in found} <= {"high", "medium", "low"}
    assert {row["resource"] for row in found} <= {*shown.site["machines"], *shown.site["clusters"]}
    assert {row["job_class"] for row in found} <= set(shown.site["job_classes"])


def test_events_say_why(lab, four, finish):
    from shadowtime.engine.output.notes import Notes

    run = lab.store.runs.get(finish(four, "easy").id)
    jobs, events = run.table("jobs"), run.table("events")
    found = tables.with_notes(tables.event_rows(events, jobs).records(), events, Notes(jobs, run.table("segments")))
    why = [line["note"] for line in found if line["kind"] == "backfill"]

    assert why == ["backfilled: ends 47 s before the shadow time of job 2"]
