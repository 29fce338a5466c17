"""Workloads as pandas frames and back: bit for bit for all six kinds, checked where a person changed them."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pandas as pd
import pytest

import shadowtime as st
from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.samples import samples

RIGID = st.generate("lublin", {"jobs": 60, "load": 0.8}, seed=3)
WORKLOADS = {
    "rigid": RIGID,
    "two_tier": st.convert(RIGID, "two_tier", seed=1),
    "fractional": st.convert(RIGID, "fractional", seed=1),
    "fractional drawn": st.generate("fractional", {}, seed=2),
    "moldable": st.generate("moldable", {}, seed=1),
    "multitask": st.generate("multitask", {"jobs": 40}, seed=1),
    "multitask of several machines": st.convert(st.generate("multitask", {"jobs": 40}, seed=1), "multitask",
                                                {"local": 2, "remote": 1}, seed=4),
    "classed": st.generate("classed", {}, seed=1),
    **{slug: st.Workload.of(sample.read()) for slug, sample in samples().items()},
}  # fmt: skip


def assert_same(one, other):
    """Both workloads are equal in every field, columns bit for bit."""
    for name in ("kind", "name", "machine", "report", "clock", "has_estimates", "source", "conversions"):
        assert getattr(one, name) == getattr(other, name), name
    for columns, others in ((one.jobs, other.jobs), (one.parts, other.parts)):
        assert set(columns) == set(others)
        for name in columns:
            assert columns[name].dtype == others[name].dtype, name
            assert columns[name].tobytes() == others[name].tobytes(), name
    assert list(one.jobs) == list(other.jobs)
    assert (one.site is None) == (other.site is None)
    if one.site is not None:
        from shadowtime.engine.families.classed.site.json_objects import document

        assert document(one.site) == document(other.site)


@pytest.mark.parametrize("name", WORKLOADS)
def test_a_frame_gives_its_workload_back_bit_for_bit(name):
    workload = WORKLOADS[name]
    assert_same(workload, st.Workload.from_frame(workload.to_frame()))


@pytest.mark.parametrize("name", WORKLOADS)
def test_parquet_and_pickle_carry_all_of_it(name, tmp_path):
    frame = WORKLOADS[name].to_frame()
    frame.to_parquet(tmp_path / "jobs.parquet")

    assert_same(WORKLOADS[name], st.Workload.from_frame(pd.read_parquet(tmp_path / "jobs.parquet")))
    assert_same(WORKLOADS[name], st.Workload.from_frame(pickle.loads(pickle.dumps(frame))))


@pytest.mark.parametrize("name", WORKLOADS)
def test_rows_that_were_selected_are_checked_and_keep_their_values(name):
    workload = WORKLOADS[name]
    some = np.arange(0, len(workload), 2)
    half = st.Workload.from_frame(workload.to_frame().iloc[some])

    assert half.kind == workload.kind and half.machine == workload.machine
    for column in ("job_id", "release", "runtime", "processors", "weight"):
        assert half.jobs[column].tolist() == workload.jobs[column][some].tolist(), column
    assert half.source != workload.source and set(half.source) == {"digest", "case"}


def test_rows_are_sorted_by_release_and_ties_stay_as_they_stood():
    turned = RIGID.to_frame().iloc[::-1]
    expected = turned.sort_values("release", kind="stable")["job_id"].tolist()

    assert expected != RIGID.jobs["job_id"].tolist()
    assert st.Workload.from_frame(turned).jobs["job_id"].tolist() == expected


def test_a_frame_made_by_hand_has_defaults():
    frame = pd.DataFrame({"runtime": [10.0, 20.5], "processors": [1.0, 2.0], "colour": [3, 4]})
    workload = st.Workload.from_frame(frame, processors=4, name="two")

    assert repr(workload) == "<rigid workload two: 2 jobs>"
    assert workload.jobs["job_id"].tolist() == [1, 2] and workload.jobs["release"].tolist() == [0.0, 0.0]
    assert workload.jobs["processors"].dtype == np.dtype("i8") and not workload.has_estimates
    assert st.simulate(workload, "fcfs").jobs["colour"].tolist() == [3.0, 4.0]


def test_ragged_columns_may_be_lists():
    frame = pd.DataFrame({"runtime": [10.0, 20.0], "usage": [[0.5, 1], [0.25]], "phi": [[0.1, 0.1], [0]]})
    workload = st.Workload.from_frame(frame, kind="two_tier", processors=4)

    assert workload.jobs["processors"].tolist() == [2, 1]
    assert workload.parts["usage"].tolist() == [0.5, 1.0, 0.25]


@pytest.mark.parametrize(
    ("columns", "kind", "sentence"),
    [
        ({"runtime": [1.0]}, None, "a frame of rigid jobs needs the column processors; it has runtime"),
        ({"runtime": [], "processors": []}, None, "the frame has no rows"),
        ({"runtime": [0.0], "processors": [1]}, None, "runtime is 0.0; it must be a number above 0"),
        ({"runtime": [np.nan], "processors": [1]}, None, "row 1: runtime is missing (NaN)"),
        ({"runtime": [np.inf], "processors": [1]}, None, "row 1: runtime is infinite"),
        ({"runtime": [9.0], "processors": [1], "recorded_start": [np.inf]}, None, "row 1: recorded_start is infinite"),
        ({"runtime": [1.0], "processors": [1.5]}, None, "row 1: processors is 1.5; it must be a whole number"),
        ({"runtime": [1.0], "processors": [0]}, None, "processors is 0; it must be a whole number from 1"),
        ({"runtime": [1.0], "processors": [1], "queue": ["a"]}, None, "numbers only"),
        ({"runtime": [1.0], "processors": [1], "cpu_need": [0.5]}, None, "no meaning for rigid jobs"),
        ({"runtime": [1.0], "usage": [0.5], "phi": [[0.1]]}, "two_tier", "a cell of the column usage is no list"),
        ({"runtime": [1.0], "usage": [[0.5]], "phi": [[0.1, 0.2]]}, "two_tier", "cells of the column phi"),
        ({"runtime": [1.0], "usage": [["x"]], "phi": [[0.1]]}, "two_tier", "no list of numbers"),
        ({"job_class": [0]}, "classed", "need a site"),
        ({"size": [[1.0]], "machine": [[[0]]], "time": [[[1.0]]]}, "multitask", "capacities of the machines"),
        ({"runtime": [1.0], "processors": [1]}, "malleable", "it must be one of rigid"),
    ],
)
def test_what_cannot_be_a_workload_is_refused_in_one_sentence(columns, kind, sentence):
    with pytest.raises(InvalidWorkload, match=re.escape(sentence)) as refusal:
        st.Workload.from_frame(pd.DataFrame(columns), kind=kind, processors=4)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("name", ["submit", "Release", "arrival"])
def test_a_column_that_only_looks_like_the_release_is_refused(name):
    frame = pd.DataFrame({name: [0, 100], "runtime": [10, 10], "processors": [4, 4]})
    with pytest.raises(InvalidWorkload, match=f"the column '{name}' would not be read as release: rename or drop it"):
        st.Workload.from_frame(frame, processors=4)

    assert len(st.Workload.from_frame(frame.assign(release=frame[name]), processors=4)) == 2


@pytest.mark.parametrize(
    ("name", "column", "base"),
    [
        ("moldable", "runtime", "time"),
        ("moldable", "processors", "time"),
        ("classed", "runtime", "job_class"),
        ("classed", "processors", "job_class"),
        ("multitask", "runtime", "time"),
        ("multitask", "processors", "size"),
    ],
)
def test_a_changed_value_that_follows_from_another_column_is_refused(name, column, base):
    frame = WORKLOADS[name].to_frame()
    frame.loc[1, column] = frame.loc[1, column] + 1
    with pytest.raises(InvalidWorkload, match=f"row 2: {column} is .* change {base}, and drop the column {column}"):
        st.Workload.from_frame(frame)

    assert len(st.Workload.from_frame(frame.drop(columns=column))) == len(frame)


def test_selected_or_changed_jobs_have_a_name_of_their_own():
    frame = RIGID.to_frame()
    wide, narrow = (st.Workload.from_frame(rows) for rows in (frame[frame.processors > 8], frame[frame.processors < 8]))
    fewer = st.Workload.from_frame(wide.to_frame().iloc[:2])

    names = [wide.name, narrow.name, fewer.name]
    assert len(set(names)) == 3
    assert all(re.fullmatch(re.escape(RIGID.name) + r" \(changed [0-9a-f]{6}\)", name) for name in names)
    assert st.Workload.from_frame(frame).name == st.Workload.from_frame(frame, processors=4000).name == RIGID.name
    assert st.Workload.from_frame(frame.iloc[:2], name="two").name == "two"


LARGE = np.array([2**63 + 5, 2], "u8")


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"release": [0.0, np.nan]}, "row 2: release is missing (NaN); it must be a number"),
        ({"weight": [np.nan, 1.0]}, "row 1: weight is missing (NaN); it must be a number"),
        ({"user": [1.0, np.nan]}, "row 2: user is missing (NaN); it must be a number"),
        ({"release": [0.0, -5.0]}, "row 2: release is -5.0; it must be a number from 0"),
        ({"job_id": [1, 2**60]}, "row 2: job_id is 1152921504606846976; it must be a whole number"),
        ({"job_id": LARGE}, "row 1: job_id is 9.22337e+18; it must be a whole number of at most 2^63 - 1"),
        ({"job_id": [1.0, 1e30]}, "row 2: job_id is 1e+30; it must be a whole number of at most 2^63 - 1"),
        ({"start": [0, 1]}, "the column 'start' has the name of a column that each run writes (start, end, state"),
        ({"estimate": [9.0, 9.0]}, "the column 'estimate' has the name of a column that each run writes"),
    ],
)
def test_values_that_would_change_silently_are_refused_with_row_and_column(columns, sentence):
    frame = pd.DataFrame({"runtime": [1.0, 2.0], "processors": [1, 1], **columns})
    with pytest.raises(InvalidWorkload, match=re.escape(sentence)):
        st.Workload.from_frame(frame, processors=4)


FRAME = pd.DataFrame({"runtime": [1.0, 2.0], "processors": [1, 1]})


@pytest.mark.parametrize("table", [None, {"runtime": [1.0]}, [1], "four.swf", FRAME["runtime"], RIGID])
def test_what_is_no_frame_is_refused(table):
    with pytest.raises(InvalidWorkload, match=f"frame is of type {type(table).__name__}, but it must be a pandas"):
        st.Workload.from_frame(table)


def test_what_gives_a_pandas_frame_is_taken():
    import pyarrow

    assert len(st.Workload.from_frame(pyarrow.Table.from_pandas(FRAME), processors=4)) == 2
    assert_same(RIGID, st.Workload.from_frame(pyarrow.Table.from_pandas(RIGID.to_frame())))


def test_wrong_names_notes_and_sizes_are_refused():
    noted = FRAME.copy()
    noted.attrs["shadowtime"] = "x"
    twice = pd.concat([FRAME, FRAME["runtime"]], axis="columns")
    for frame, given, sentence in (
        (noted, {}, "frame.attrs['shadowtime'] is 'x', which to_frame did not write"),
        (twice, {}, "the frame has two columns 'runtime': rename or drop one"),
        (FRAME, {"name": 5}, "name = 5, but the name of a workload must be a text"),
        (FRAME, {"kind": ["rigid"]}, "it must be one of rigid"),
        (FRAME, {"processors": 4, "nodes": 2}, "processors and nodes are both given"),
        (FRAME, {"processors": 0}, "processors = 0, but it must be a whole number from 1 on"),
        (FRAME, {"nodes": 1.5}, "nodes = 1.5, but it must be a whole number from 1 on"),
    ):
        with pytest.raises(InvalidWorkload, match=re.escape(sentence)):
            st.Workload.from_frame(frame, **given)


def test_a_given_size_replaces_the_noted_one():
    assert dict(st.Workload.from_frame(RIGID.to_frame(), nodes=np.int64(9)).machine) == {"nodes": 9}
    assert dict(st.Workload.from_frame(FRAME, processors=np.int64(9)).machine) == {"processors": 9}


@pytest.mark.parametrize(
    ("frame", "name"),
    [
        (FRAME.assign(release=[0, 9]).set_index("release"), "release"),
        (FRAME.assign(job_id=[7, 8]).set_index("job_id"), "job_id"),
        (FRAME.rename_axis(index="Submit"), "Submit"),
        (FRAME.assign(user=[7, 8], part=1).set_index(["part", "user"]), "user"),
    ],
)
def test_an_index_with_the_name_of_a_column_is_refused(frame, name):
    with pytest.raises(InvalidWorkload, match=rf"the index '{name}' would not be read: .* frame\.reset_index\(\)"):
        st.Workload.from_frame(frame)


def test_an_index_that_is_a_column_too_or_has_another_name_is_passed_over():
    same = FRAME.assign(release=[0, 9]).set_index("release", drop=False)

    assert st.Workload.from_frame(same).jobs["release"].tolist() == [0.0, 9.0]
    assert len(st.Workload.from_frame(FRAME.rename_axis(index="row"))) == 2


@pytest.mark.parametrize("dtype", ["int64", "uint64", "Int64", object])
def test_whole_numbers_of_further_columns_are_exact_or_refused(dtype):
    exact = FRAME.assign(mark=pd.Series([2**53, 2**60], dtype=dtype))
    rounded = FRAME.assign(mark=pd.Series([1, 2**53 + 1], dtype=dtype))

    assert st.Workload.from_frame(exact).jobs["mark"].tolist() == [2**53, 2**60]
    with pytest.raises(InvalidWorkload, match="row 2: mark is 9007199254740993, but this column holds floats"):
        st.Workload.from_frame(rounded)


def test_further_columns_and_recorded_instants_may_be_unknown():
    frame = FRAME.assign(mark=[1.0, np.nan], recorded_start=[np.nan, 3.0], gpus=[np.nan, 1.0], eligible=[0.0, np.nan])
    found = st.Workload.from_frame(frame)

    assert [int(np.isnan(found.jobs[name]).sum()) for name in ("mark", "recorded_start", "gpus", "eligible")] == [1] * 4
