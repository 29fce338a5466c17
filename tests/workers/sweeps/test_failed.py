"""Sentences for runs of a local sweep that failed."""

from __future__ import annotations

import logging

import pytest

from shadowtime.engine.errors import QuestionError
from shadowtime.workers.sweeps import batch, failed
from shadowtime.workers.sweeps.progress import SweepProgress
from tests.workers.sweeps.samples import accepted
from tests.workers.sweeps.test_sweeps import work


@pytest.mark.parametrize(
    ("error", "plugin", "sentence"),
    [
        (KeyError("oops"), None, "internal error (KeyError: 'oops')"),
        (KeyError("oops"), "pub_bad", "the plug-in pub_bad raised KeyError: 'oops'"),
        (ValueError(), "pub_bad", "the plug-in pub_bad raised ValueError"),
        (RuntimeError("one line\n  and another"), None, "internal error (RuntimeError: one line and another)"),
        (QuestionError("too wide"), None, "too wide"),
        (MemoryError(), None, "needs more memory than there is"),
    ],
)
def test_an_error_is_one_line_that_names_whose_code_raised_it(monkeypatch, error, plugin, sentence):
    monkeypatch.setattr(failed, "plugin_of", lambda error: plugin)
    line = failed.line_of(error, 4, None, "easy")

    assert (line["index"], line["status"], line["error"]) == (4, "failed", sentence)


def test_tracebacks_are_logged_once_a_reason_and_not_without_end(caplog):
    lines = [failed.line_of(KeyError(n // 2), n, None, "easy") for n in range(100)]
    with caplog.at_level(logging.ERROR):
        found = list(failed.logged(lines, set()))

    assert len(found) == 100 and not any(failed.TRACEBACK in line for line in found)
    assert len(caplog.records) == failed.MOST_TRACEBACKS
    assert len({record.args[1] for record in caplog.records}) == failed.MOST_TRACEBACKS


def test_an_exit_inside_a_plug_in_fails_its_run_on_a_worker(store, queue, settings, monkeypatch):
    def leave(*_):
        raise SystemExit(3)

    monkeypatch.setattr(batch.Bench, "execute", leave)
    monkeypatch.setattr(batch, "plugin_of", lambda error, innermost: "pub_bad")
    sweep = accepted(store, queue, seeds=[1])
    work(store, queue, settings)

    assert SweepProgress(store, sweep).refresh(sweep).outcomes.counts() == {"pending": 0, "finished": 0, "failed": 6}
