"""Sweeps that older versions kept in folders become rows, once and whole, whatever stops the process between."""

from __future__ import annotations

import json
import zlib
from collections import Counter
from pathlib import Path

import pytest

from shadowtime.workers.errors import Damaged
from shadowtime.workers.records import outcomes
from shadowtime.workers.records.older import sweeps as older_sweeps
from shadowtime.workers.records.older.sweeps import journal, take_over
from shadowtime.workers.records.sweeps import PAUSED, Sweeps
from shadowtime.workers.store import seal
from tests.workers.records.test_sweeps import OTHER, SPEC, line

STATUS = {
    "status": "paused", "name": "old", "workloads": ["uniform:jobs=10"], "accepted": "2025-03-01T12:00:00.000000Z",
    "round": 2, "batch": 4, "runs_total": 100, "points_total": 2, "algorithms": ["easy"], "client": "me",
    "mood": "good",
}  # fmt: skip
LINES = [
    {"begin": 1, "round": 1, "by": "host:1"},
    line(1),
    {"index": 2, "status": "failed", "run": None, "error": "no", "round": 1},
    {"begin": 0, "round": 2, "by": "host:1"},
    {"lost": 0, "round": 2},
    {"begin": 3, "round": 2, "by": "host:1"},
    {"stopped": 3},
    line(2, 3.5),
    {"begin": 0, "round": 2, "by": "host:1"},
]


def text(values) -> bytes:
    return json.dumps(values, separators=(",", ":")).encode()


def sealed(*lines) -> bytes:
    return b"".join(b"%s\t%08x\n" % (text(one), zlib.crc32(text(one))) for one in lines)


def plain(*lines) -> bytes:
    return b"".join(text(one) + b"\n" for one in lines)


def write(folder: Path, spec=SPEC, status=STATUS, **journals: bytes) -> Path:
    path = folder / "sweeps" / spec.digest
    (path / "batches").mkdir(parents=True)
    (path / "spec.json").write_text(spec.json)
    (path / "status.json").write_bytes(seal.sealed(status))
    for name, content in journals.items():
        (path / "batches" / f"{name.removeprefix('n')}.jsonl").write_bytes(content)
    return path


@pytest.mark.parametrize("written", [sealed, plain])
def test_folders_become_rows_and_are_kept(tmp_path, database, written):
    path = write(tmp_path, n000000=written(*LINES) + b'{"index":3,"status":"finis', n000001=written(line(4)))
    if written is plain:
        (path / "status.json").write_bytes(json.dumps(STATUS).encode())
    write(tmp_path, OTHER)
    take_over(tmp_path, database)
    sweeps = Sweeps(database)

    sweep = sweeps.get(SPEC.id)
    assert [one.digest for one in sweeps.list()] == sorted([SPEC.digest, OTHER.digest], reverse=True)
    assert (sweep.status.status, sweep.status.name, sweep.status.round) == (PAUSED, "old", 2)
    assert (sweep.status.accepted, sweep.spec.json) == (STATUS["accepted"], SPEC.json)
    assert sweeps.count_unfinished("me") == 2
    assert sweeps.outcomes.after(SPEC.digest) == ([line(1), line(2, 3.5), line(4)], 3)
    assert sweeps.batches.take(SPEC.digest, 0, "new", 2).lost == {(2, 0): 2}, "one in the journal, one at its end"
    assert sweeps.batches.take(SPEC.digest, 1, "new", 2).lost == {}
    assert [one.name for one in tmp_path.iterdir() if one.is_dir()] == ["older-sweeps"]
    assert (tmp_path / "older-sweeps" / SPEC.digest / "batches" / "000001.jsonl").read_bytes() == written(line(4))


def test_a_second_folder_beside_an_older_one_is_kept_too(tmp_path, database):
    write(tmp_path)
    take_over(tmp_path, database)
    write(tmp_path, OTHER)
    take_over(tmp_path, database)
    take_over(tmp_path, database)

    assert sorted(one.name for one in tmp_path.iterdir() if one.is_dir()) == ["older-sweeps", "older-sweeps-2"]
    assert len(Sweeps(database).list()) == 2


@pytest.mark.parametrize("stage", ["rows", "renaming"])
def test_a_process_that_dies_between_loses_and_repeats_nothing(tmp_path, database, monkeypatch, stage):
    for spec in (SPEC, OTHER):
        write(tmp_path, spec, n000000=sealed(line(0)))
    first = min(SPEC.digest, OTHER.digest)
    with monkeypatch.context() as patched:
        if stage == "renaming":
            patched.setattr(Path, "rename", lambda path, name: (_ for _ in ()).throw(KeyboardInterrupt))
        else:
            put = outcomes.put

            def killed(connection, sweep, *rest):
                put(connection, sweep, *rest)
                if sweep != first:
                    raise KeyboardInterrupt

            patched.setattr(outcomes, "put", killed)
        with pytest.raises(KeyboardInterrupt):
            take_over(tmp_path, database)
    sweeps = Sweeps(database)
    assert len(sweeps.list()) == (1 if stage == "rows" else 2)
    sweeps.outcomes.record(first, [line(0, 9.0)])
    take_over(tmp_path, database)

    assert len(sweeps.list()) == 2 and not (tmp_path / "sweeps").exists()
    assert sweeps.outcomes.after(first)[0] == [line(0, 9.0)], "what was recorded meanwhile stays"
    assert sweeps.outcomes.after(max(SPEC.digest, OTHER.digest))[0] == [line(0)]


@pytest.mark.parametrize(
    "status",
    [
        b"", b"{", b"[]", b"{}", b'{"status": 3, "batch": 1}', b"[" * 50_000, None,
        seal.sealed(STATUS).replace(b'"runs_total": 100', b'"runs_total": 900'),
        *(json.dumps({**STATUS, **change}).encode() for change in ({"name": 3}, {"workloads": 3}, {"batch": 0})),
    ],
)  # fmt: skip
def test_a_damaged_status_gives_a_sweep_that_is_named_damaged(tmp_path, database, status):
    path = write(tmp_path, n000000=sealed(line(0)))
    write(tmp_path, OTHER)
    if status is None:
        (path / "status.json").unlink()
    else:
        (path / "status.json").write_bytes(status)
    take_over(tmp_path, database)
    sweeps = Sweeps(database)

    assert (sweeps.damaged(), [one.digest for one in sweeps.list()]) == ([SPEC.id], [OTHER.digest])
    with pytest.raises(Damaged):
        sweeps.get(SPEC.id)
    sweeps.delete(SPEC.id)


@pytest.mark.parametrize("question", ["", OTHER.json, None])
def test_a_question_that_is_not_the_one_of_its_digest_gives_a_damaged_sweep(tmp_path, database, question):
    path = write(tmp_path)
    if question is None:
        (path / "spec.json").unlink()
    else:
        (path / "spec.json").write_text(question)
    take_over(tmp_path, database)

    assert Sweeps(database).damaged() == [SPEC.id]


GOOD = sealed(line(1), line(2))


@pytest.mark.parametrize(
    "bad",
    [
        b"not JSON", b"\x00\xff", b"[" * 5_000, b"3", b"{}", b"",
        *(text({**line(0), **change}) for change in (
            {"index": -4}, {"index": 100}, {"index": True}, {"index": "0"}, {"status": "pending"}, {"status": "failed"},
            {"status": []}, {"run": 3}, {"metrics": [1]}, {"metrics": {"mean_flow": "2"}},
            {"metrics": {"mean_flow": 10**400}}, {"begin": 0},
        )),
        b'{"begin": 900, "round": 1}', b'{"begin": 0}', b'{"lost": 0, "round": []}', b'{"lost": 0, "stopped": 0}',
        text(line(0)) + b"\t00000000", text(line(0)) + b"\t",
    ],
)  # fmt: skip
def test_a_line_that_cannot_be_is_left_out_and_those_around_it_stand(bad):
    first, second = GOOD.splitlines(keepends=True)

    assert journal(first + bad + b"\n" + second, 100).lines == [line(1), line(2)]


def test_whatever_byte_of_a_journal_is_altered_each_outcome_is_right_or_left_out():
    content = sealed(*LINES)
    right = {one["index"]: one for one in (line(1), LINES[2], line(2, 3.5))}
    for at in range(len(content)):
        for byte in {content[at] ^ 1, content[at] ^ 0x40, ord("7"), ord("\t"), ord("\n"), 0} - {content[at]}:
            found = journal(content[:at] + bytes([byte]) + content[at + 1 :], 100)
            assert all(one in (right[one["index"]], LINES[2]) for one in found.lines), (at, byte)
            assert found.lost in (Counter(), Counter({(2, 0): 1}))


def test_a_store_without_sweeps_stays_as_it_is(tmp_path, database):
    older_sweeps.take_over(tmp_path, database)

    assert not [one.name for one in tmp_path.iterdir() if one.is_dir()] and not Sweeps(database).list()
