"""How SQLite finds runs: those of a list in its order, without sorting, and unfinished ones by an index."""

from __future__ import annotations

import pytest
from sqlalchemy import event, text

from shadowtime.workers.records import upgrade
from shadowtime.workers.records.database import Database
from shadowtime.workers.records.store import RecordStore
from shadowtime.workers.store.base import SORTS

FILTERS = (
    {}, {"owners": ["anna"]}, {"status": ["finished"]}, {"status": ["failed"]}, {"status": ["finished", "running"]},
    {"algorithm": "easy"}, {"algorithm": "easy", "status": ["failed"]}, {"text": "week 13", "without": "experiment:"},
    {"status": ["finished"], "algorithm": "easy", "text": "a", "owners": []},
)  # fmt: skip


@pytest.fixture
def store(tmp_path):
    opened = RecordStore(tmp_path / "store")
    opened.tidy()
    return opened


@pytest.fixture
def plan(store):
    """A function that says how the last statement of `ask()` is answered."""

    def of(ask) -> str:
        heard = []

        def hear(connection, cursor, statement, values, context, is_many):
            heard.append((statement, values))

        event.listen(store.database.engine, "before_cursor_execute", hear)
        ask()
        with store.database.read() as connection:
            statement, values = next(one for one in reversed(heard) if "FROM runs" in one[0])
            found = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)
            return " | ".join(row[3] for row in found)

    return of


@pytest.mark.parametrize("asked", FILTERS, ids=str)
@pytest.mark.parametrize("sort", SORTS)
def test_a_list_is_read_in_its_order(store, plan, sort, asked):
    found = plan(lambda: store.runs.list(sort=sort, **asked))

    assert "USING INDEX runs_by_" in found
    assert "TEMP B-TREE" not in found


def test_the_runs_of_a_workload_are_read_newest_first(store, plan):
    assert plan(lambda: store.runs.list(workload="1" * 16)) == "SEARCH runs USING INDEX runs_by_workload (workload=?)"


def test_unfinished_runs_are_found_by_an_index(store, plan):
    for ask in (
        lambda: store.runs.algorithms_and_jobs("queued", "running"),
        lambda: store.runs.listed("queued"),
        lambda: store.runs.unfinished(),
        lambda: store.runs.load("anna"),
    ):
        assert plan(ask).startswith("SEARCH runs USING")


def test_row_counts_of_an_older_version_are_removed(tmp_path):
    """With counts of a store with one run, SQLite sorted all runs for each list: 116 ms of 36,000 instead of 0.1."""
    url = f"sqlite:///{tmp_path / 'records.sqlite'}"
    with Database(url).write() as connection:
        connection.execute(text("ANALYZE"))
        connection.execute(text("INSERT INTO sqlite_stat1 VALUES ('runs', 'runs_by_time', '1 1 1 1 1 1 1')"))
        connection.execute(text(f"UPDATE {upgrade.VERSIONS} SET version_num = '0008'"))
    with Database(url).read() as connection:
        kept = connection.execute(text("SELECT name FROM sqlite_master WHERE name LIKE 'sqlite_stat%'"))

        assert kept.all() == []
        assert upgrade.current(connection) == upgrade.HEAD
