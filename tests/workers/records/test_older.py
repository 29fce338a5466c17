"""What older versions kept in files becomes rows, once and whole, whatever stops the process between."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from shadowtime.workers.errors import Damaged
from shadowtime.workers.records.bounds import Bound, Bounds
from shadowtime.workers.records.links import Links
from shadowtime.workers.records.older import links as older
from shadowtime.workers.records.reruns import QUEUED, Reruns
from tests.dashboard.test_shared import KEPT

RUN = "ab" * 32


@pytest.fixture
def folder(tmp_path):
    for name in ("links", "reruns"):
        (tmp_path / "old" / name).mkdir(parents=True)
    for path in KEPT.glob("*.json"):
        (tmp_path / "old" / "links" / path.name).write_bytes(path.read_bytes())
    (tmp_path / "old" / "reruns" / f"{RUN}.json").write_text(
        json.dumps({"status": QUEUED, "attempt": 2, "mood": "good"})
    )
    return tmp_path / "old"


def test_files_become_rows_and_their_folders_are_kept(folder, database):
    older.take_over(folder, database)
    links = Links(database)

    assert sorted(path.name for path in folder.iterdir()) == ["older-links", "older-reruns"]
    for path in KEPT.glob("*.json"):
        written, link = json.loads(path.read_bytes()), links.read(path.stem)
        assert (link.target, link.title, link.made) == (written["target"], written["title"], written["made"])
        assert [run.spec for run in link.runs] == [run["spec"] for run in written["runs"]]
        assert [dict(run.metrics) for run in link.runs] == [run["metrics"] for run in written["runs"]]
        assert (folder / "older-links" / path.name).read_bytes() == path.read_bytes()
    assert (Reruns(database).get(RUN).attempt, Reruns(database).waiting()) == (2, 1)


def test_requests_and_answers_of_exact_bounds_are_taken_over(tmp_path, database):
    digests = [letter * 64 for letter in "abcdef"]
    (tmp_path / "bounds").mkdir()
    (tmp_path / "bounds" / f"{digests[0]}.json").write_text('{"lost": 2}')
    (tmp_path / "bounds" / f"{digests[1]}.json").write_text('{"lo')
    answers = [
        '{"status": "finished", "bound": 1841.25}',
        '{"status": "failed", "error": "too large"}',
        '{"status": "fin',
        "{}",
    ]
    for digest, text in zip(digests[2:], answers, strict=True):
        (tmp_path / "runs" / digest).mkdir(parents=True)
        (tmp_path / "runs" / digest / "bound.json").write_text(text)
    older.take_over(tmp_path, database)
    bounds = Bounds(database)

    assert [bounds.get(digest) for digest in digests] == [
        Bound("queued", lost=2), Bound("queued"), Bound("finished", 1841.25), Bound("failed", error="too large"),
        Bound("queued"), Bound("queued"),
    ]  # fmt: skip
    assert bounds.requested() == [digests[0], digests[1], digests[4], digests[5]]
    assert (tmp_path / "older-bounds").is_dir() and not (tmp_path / "bounds").exists()


def test_a_process_that_dies_before_the_renaming_loses_and_repeats_nothing(folder, database, monkeypatch):
    monkeypatch.setattr(Path, "rename", lambda path, name: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        older.take_over(folder, database)
    monkeypatch.undo()
    links = Links(database)
    revoked, kept = (path.stem for path in sorted(KEPT.glob("*.json")))
    links.revoke(revoked)
    older.take_over(folder, database)

    assert [link.code for link in links.all()] == [kept], "what was revoked meanwhile stays revoked"
    assert not (folder / "links").exists()


@pytest.mark.parametrize("content", ["", '{"target"', "[]", "{}", '{"target": "/runs", "runs": [1]}', "[" * 100_000])
def test_a_torn_file_becomes_a_damaged_link_beside_the_others(folder, database, content):
    (folder / "links" / "aaaaaaaa.json").write_text(content)
    older.take_over(folder, database)
    links = Links(database)

    assert {link.code for link in links.all() if link.is_damaged} == {"aaaaaaaa"}
    assert len(links.all()) == 3
    with pytest.raises(Damaged):
        links.read("aaaaaaaa")
