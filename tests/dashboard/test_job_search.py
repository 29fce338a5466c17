"""What a person types into the search beside a schedule, and which jobs it may mean."""

from __future__ import annotations

import pytest

from shadowtime.dashboard.components.search import jobs


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("7", ["job:7", "find:user 7", "find:size 7"]),
        ("job 7", ["job:7"]),
        ("user 15", ["find:user 15"]),
        ("size 32", ["find:size 32"]),
        ("32 processors", ["find:size 32"]),
        ("size 32 - 64", ["find:size 32-64"]),
        ("> 64", ["find:size > 64"]),
        ("easy", []),
    ],
)
def test_words_mean_a_job_a_user_or_a_size(text, values):
    assert [entry["value"] for entry in jobs(text)] == values


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("u4", ["find:user 1"]),
        ("user u1", ["find:user 0"]),
        ("user 7", ["find:user 2"]),
        ("user 0", []),
        ("7", ["job:7", "find:user 2", "find:size 7"]),
    ],
)
def test_a_user_is_searched_by_the_name_of_the_log(text, values):
    found = jobs(text, ["U1", "u4", "7"])

    assert [entry["value"] for entry in found] == values
    assert text != "user u1" or found[0]["label"] == "Jobs of user U1"
