"""Logs with pseudonyms: the jobs stay equal, and no name of a user or account is left in any byte."""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np
import pytest

from shadowtime.engine.errors import InvalidParameter, UnsupportedWorkload
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.engine.workload.reading import read
from shadowtime.engine.workload.sites.tables.writing import pseudonyms, write_table
from tests.engine.workload.logs import read_file

HERE = Path(__file__).parent
KEY = b"0123456789abcdef"
SAME = (
    "job_id",
    "release",
    "runtime",
    "processors",
    "requested",
    "recorded_start",
    "recorded_end",
    "memory_kb",
    "gpus",
)


def written(workload, key=KEY):
    stream = io.BytesIO()
    write_table(workload, stream, pseudonyms(key))
    return stream.getvalue()


@pytest.mark.parametrize("name", ["eagle.csv", "../slurm/plain.psv.gz", "../slurm/sacct_all.psv"])
def test_jobs_are_equal_and_names_are_gone(name):
    given = read_file(f"sites/{name}")
    text = written(given)
    found = read(io.BytesIO(text), "renamed.csv")

    assert len(found) == len(given)
    for column in SAME:
        assert (column in found.jobs) == (column in given.jobs)
        if column in given.jobs:
            np.testing.assert_allclose(found.jobs[column], given.jobs[column], rtol=1e-15)
    assert found.clock == given.clock and found.machine == given.machine
    for column in ("user", "account"):
        original, renamed = given.texts[column], found.texts[column]
        assert not any(re.search(rb"\b" + re.escape(one.encode()) + rb"\b", text) for one in original)
        assert all(re.fullmatch(column + "-[0-9a-f]{8}", one) for one in renamed)
        pairs = np.unique(np.stack([given.jobs[column], found.jobs[column]]), axis=1)
        assert len(set(pairs[0])) == len(set(pairs[1])) == pairs.shape[1]
    for column in ("partition", "outcome"):
        assert {given.texts[column][code] for code in given.jobs[column]} == set(found.texts[column])


def test_only_what_is_read_is_written():
    text = written(read_file("sites/eagle.csv")).decode()
    original = (HERE / "eagle.csv").read_text()

    for column in ("name", "work_dir", "submit_line"):
        assert re.findall(column + r"\d+", original) and not re.findall(column + r"\d+", text)
    assert text.splitlines()[1] == (
        "id,submit,start,end,runtime,requested,cores,memory_kb,gpus,user,account,partition,state"
        if "memory_kb" in text and "gpus" in text
        else "id,submit,start,end,runtime,requested,cores,user,account,partition,state"
    )


def test_numbers_of_users_are_renamed_too(traces):
    given = read_file(traces / "KTH-SP2-1996-2.1-cln.swf.gz")
    found = read(io.BytesIO(written(given)), "kth.csv")

    np.testing.assert_array_equal(found.jobs["release"], given.jobs["release"] - given.jobs["release"][0])
    for column in ("runtime", "processors", "requested"):
        np.testing.assert_array_equal(found.jobs[column], given.jobs[column])
    assert found.machine == given.machine
    assert len(found.texts["user"]) == len(np.unique(given.jobs["user"]))
    assert all(name.startswith("user-") for name in found.texts["user"])


def test_a_name_has_one_pseudonym_under_a_key_and_another_under_another():
    first, again, other = (pseudonyms(key)("user", ["ann", "bob"]) for key in (KEY, KEY, b"another key"))

    assert list(first) == list(again) and not set(first) & set(other)
    assert pseudonyms(KEY)("account", ["ann"])[0].partition("-")[2] != first[0].partition("-")[2]


def test_line_ends_and_blanks_around_a_key_are_no_part_of_it():
    assert pseudonyms(b" " + KEY + b"\r\n")("user", ["ann"]) == pseudonyms(KEY)("user", ["ann"])
    with pytest.raises(InvalidParameter, match="has 7 bytes"):
        pseudonyms(b"1234567\n")


def test_many_names_have_different_pseudonyms():
    names = [f"u{n}" for n in range(200_000)]
    found = pseudonyms(KEY)("user", names)

    assert len(set(found)) == len(names) and len(found[0]) == len("user-") + 16


def test_refusals():
    with pytest.raises(InvalidParameter, match="has 3 bytes; it needs at least 8"):
        pseudonyms(b"key")
    with pytest.raises(UnsupportedWorkload, match="only logs of rigid jobs"):
        written(generate("fractional", {"jobs": 5}, 0))
