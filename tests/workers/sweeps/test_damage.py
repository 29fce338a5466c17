"""A sweep of which not all is what was written shows no wrong figure, and takes no other one with it."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.workers.errors import Damaged
from shadowtime.workers.store import journal
from shadowtime.workers.store.integrity import faults
from shadowtime.workers.store.sweeps import FINISHED, STATUS
from shadowtime.workers.sweeps import submission
from shadowtime.workers.sweeps.feed import Feed
from shadowtime.workers.sweeps.journals import Journals, Shelf
from tests.workers.sweeps.samples import accepted
from tests.workers.sweeps.test_sweeps import work


@pytest.fixture
def swept(store, queue, settings):
    """A finished sweep of twelve runs."""
    sweep = accepted(store, queue)
    work(store, queue, settings)
    return store.sweeps.get(sweep.id)


def figures(sweep):
    """The mean flow by run number."""
    outcomes = Journals(sweep).refresh(sweep).outcomes
    return outcomes.metrics.get("mean_flow", np.full(len(outcomes.status), np.nan)).copy()


def alternatives(byte: int):
    """Other bytes in its place: a bit flipped, another digit, a tab, a line end, nothing printable."""
    return {byte ^ 1, byte ^ 0x40, ord("7"), ord("\t"), ord("\n"), 0} - {byte}


def test_whatever_byte_of_a_journal_is_altered_each_figure_is_right_or_left_out(swept):
    path = min((swept.path / "batches").glob("*.jsonl"))
    content, right = path.read_bytes(), figures(swept)
    left_out = 0
    for at in range(0, len(content), max(1, len(content) // 300)):
        for byte in alternatives(content[at]):
            path.write_bytes(content[:at] + bytes([byte]) + content[at + 1 :])
            found = figures(swept)
            assert ((found == right) | np.isnan(found)).all(), (at, byte)
            left_out += bool(np.isnan(found).any())
    path.write_bytes(content)

    assert left_out > 300, "most bytes belong to an outcome"
    assert (figures(swept)[~np.isnan(right)] == right[~np.isnan(right)]).all()


def test_an_altered_outcome_is_named_and_computed_again(store, queue, settings, swept):
    path, right = min((swept.path / "batches").glob("*.jsonl")), figures(swept)
    lines = path.read_bytes().splitlines(keepends=True)
    row = next(number for number, line in enumerate(lines) if b'"mean_flow":' in line)
    place = lines[row].index(b'"mean_flow":') + len(b'"mean_flow":')
    digit = b"8" if lines[row][place : place + 1] == b"9" else b"9"
    lines[row] = lines[row][:place] + digit + lines[row][place + 1 :]
    path.write_bytes(b"".join(lines))

    assert journal.damaged_lines(path) == [row + 1]
    assert [str(fault) for fault in faults(store) if fault.what == "sweep"] == [
        f"sweep {swept.digest[:16]}: batches/{path.name} line {row + 1} is not what was written"
    ]
    assert Shelf().get(swept).outcomes.counts() == {"pending": 1, "finished": 11, "failed": 0}
    submission.retry(store, queue, swept.id)
    work(store, queue, settings)

    again = store.sweeps.get(swept.id)
    assert again.status.status == FINISHED and (figures(again) == right).all()


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"{}", b'{"status": 3, "batch": 1}', b"[" * 50_000, None])
def test_a_damaged_status_is_named_and_the_other_sweeps_stay(store, queue, settings, swept, content):
    other = accepted(store, queue, seeds=[7])
    path = swept.path / STATUS
    altered = path.read_bytes().replace(b'"runs_total": 12', b'"runs_total": 72')
    path.write_bytes(altered if content is None else content)

    assert store.sweeps.damaged() == [swept.id]
    assert [sweep.id for sweep in store.sweeps.list()] == [other.id] == [one.id for one in store.sweeps.running()]
    with pytest.raises(Damaged, match=f"experiment {swept.id} is damaged"):
        store.sweeps.get(swept.id)
    Feed(store, queue).scan()
    work(store, queue, settings)
    assert store.sweeps.get(other.id).status.status == FINISHED
    store.sweeps.delete(swept.id)
    assert store.sweeps.damaged() == []


def test_lines_of_older_versions_are_read(swept):
    right = figures(swept)
    for path in (swept.path / "batches").glob("*.jsonl"):
        path.write_bytes(b"".join(line.rpartition(b"\t")[0] + b"\n" for line in path.read_bytes().splitlines()))
        assert journal.damaged_lines(path) == []

    assert (figures(swept) == right).all()
