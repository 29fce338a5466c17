"""A worker that has rehearsed: its forks compile no statement."""

from __future__ import annotations

from sqlalchemy.sql.compiler import SQLCompiler

from shadowtime.workers import rehearsal
from shadowtime.workers.records.store import RecordStore


def test_after_a_rehearsal_a_run_compiles_no_statement(tmp_path, monkeypatch):
    store, compiled = RecordStore(tmp_path / "store"), []
    make = SQLCompiler.__init__

    def noted(compiler, *given, **options):
        compiled.append(compiler)
        make(compiler, *given, **options)

    monkeypatch.setattr(SQLCompiler, "__init__", noted)
    rehearsal.rehearse(store)
    assert len(compiled) > 5
    assert store.runs.list().rows == [] and store.workloads.list().rows == []

    compiled.clear()
    rehearsal._live(store)

    assert compiled == []
    assert [run.status.status for run in store.runs.list().rows] == ["finished"]
