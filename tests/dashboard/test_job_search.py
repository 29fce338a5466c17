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
