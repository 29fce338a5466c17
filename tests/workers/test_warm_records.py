"""What a worker compiles before the first run: the forks compile no statement of the records."""

from __future__ import annotations

from sqlalchemy.sql.compiler import SQLCompiler

from shadowtime.workers import warm_records
from shadowtime.workers.records.store import RecordStore


def test_a_run_compiles_no_statement_again(tmp_path, monkeypatch):
    store, compiled = RecordStore(tmp_path / "store"), []
    make = SQLCompiler.__init__

    def noted(compiler, *given, **options):
        compiled.append(compiler)
        make(compiler, *given, **options)

    monkeypatch.setattr(SQLCompiler, "__init__", noted)
    warm_records.warm_records(store)
    assert len(compiled) > 5
    assert store.runs.list().rows == [] and store.workloads.list().rows == []

    compiled.clear()
    warm_records.record_run(store)

    assert compiled == []
    assert [run.status.status for run in store.runs.list().rows] == ["finished"]
