"""A sweep of which not all is what was written shows no wrong figure, and takes no other one with it."""

from __future__ import annotations

import numpy as np
import pytest

from shadowtime.workers.errors import Damaged
from shadowtime.workers.records import schema
from shadowtime.workers.records.sweeps import FINISHED
from shadowtime.workers.store.integrity import faults
from shadowtime.workers.sweeps import submission
from shadowtime.workers.sweeps.feed import Feed
from shadowtime.workers.sweeps.progress import ProgressCache, SweepProgress
from tests.workers.sweeps.samples import accepted, alter, lines_of
from tests.workers.sweeps.test_sweeps import work

OUTCOMES, SWEEPS = schema.outcomes, schema.sweeps


@pytest.fixture
def swept(store, queue, settings):
    """A finished sweep of twelve runs."""
    sweep = accepted(store, queue)
    work(store, queue, settings)
    return store.sweeps.get(sweep.id)


@pytest.fixture
def figures(store):
    """Return the mean flow by run number, as a process reads it that has just started."""

    def read(sweep):
        outcomes = SweepProgress(store, sweep).refresh(sweep).outcomes
        return outcomes.metrics.get("mean_flow", np.full(len(outcomes.status), np.nan)).copy()

    return read


def line_of(store, run):
    with store.database.read() as connection:
        return connection.execute(OUTCOMES.select().where(OUTCOMES.c.run == run)).mappings().one()["line"]


def alternatives(letter: str):
    """Other letters in its place: a bit flipped, another digit, a tab, a line end, nothing printable."""
    return {chr(ord(letter) ^ 1), chr(ord(letter) ^ 0x40), "7", "\t", "\n", "\x00"} - {letter}


def test_whatever_letter_of_an_outcome_is_altered_its_run_is_left_out(store, swept, figures):
    text, right = line_of(store, 3), figures(swept)
    for at in range(0, len(text), max(1, len(text) // 60)):
        for letter in alternatives(text[at]):
            alter(store.database, OUTCOMES, OUTCOMES.c.run == 3, line=text[:at] + letter + text[at + 1 :])
            found = figures(swept)
            assert np.isnan(found[3]), (at, letter)
            assert (found == right).sum() == 11
    alter(store.database, OUTCOMES, OUTCOMES.c.run == 3, line=text)

    assert (figures(swept) == right).all()


def test_an_altered_outcome_is_named_and_computed_again(store, queue, settings, swept, figures):
    right, text = figures(swept), line_of(store, 5)
    place = text.index('"mean_flow":') + len('"mean_flow":')
    digit = "8" if text[place] == "9" else "9"
    alter(store.database, OUTCOMES, OUTCOMES.c.run == 5, line=text[:place] + digit + text[place + 1 :])

    assert [str(fault) for fault in faults(store)] == [
        f"sweep {swept.id}: the outcome of run 5 is not what was written"
    ]
    assert ProgressCache(store).get(swept).outcomes.counts() == {"pending": 1, "finished": 11, "failed": 0}
    submission.retry(store, queue, swept.id)
    work(store, queue, settings)

    again = store.sweeps.get(swept.id)
    assert again.status.status == FINISHED and (figures(again) == right).all()
    assert len(lines_of(store, again)) == 12 and not list(faults(store))


@pytest.mark.parametrize(
    "values",
    [
        {"status": "paused"},
        {"accepted": "2001-01-01T00:00:00.000000Z"},
        {"label": "something else"},
        {"client": "another"},
        *({"values": text} for text in ("", "{", "[]", '{"status": 3}', "[" * 50_000)),
        {"spec": "{}"},
        {"checksum": ""},
    ],
    ids=str,
)
def test_a_damaged_sweep_is_named_and_the_other_ones_stay(store, queue, settings, swept, values):
    other = accepted(store, queue, seeds=[7])
    alter(store.database, SWEEPS, SWEEPS.c.digest == swept.digest, **values)

    assert store.sweeps.damaged() == [swept.id]
    assert [sweep.id for sweep in store.sweeps.list()] == [other.id] == [one.id for one in store.sweeps.running()]
    assert [str(fault) for fault in faults(store)] == [f"sweep {swept.id}: its row is not what was written"]
    with pytest.raises(Damaged, match=f"experiment {swept.id} is damaged"):
        store.sweeps.get(swept.id)
    Feed(store, queue).scan()
    work(store, queue, settings)
    assert store.sweeps.get(other.id).status.status == FINISHED
    store.sweeps.delete(swept.id)
    assert store.sweeps.damaged() == []
