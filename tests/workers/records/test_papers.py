"""Recomputed papers as rows: several processes at once, damaged rows, and what older versions kept in files."""

from __future__ import annotations

import json
import tarfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from shadowtime.workers.records import papers as kept
from shadowtime.workers.records import schema
from shadowtime.workers.records.older import papers as older_papers
from shadowtime.workers.store.integrity import damaged_rows
from tests.forks import in_four_processes

OLD = Path(__file__).parent / "old_store"
ENGINE, OTHER = "0.1.0+ab12cd34", "0.0.9+00000000"
STATUS = kept.StudyStatus(kept.QUEUED, "2025-01-01T00:00:00.000000Z", 2)
RESULT = {"name": "demt", "made": "2025-01-02T00:00:00.000000Z", "seconds": 0.1 + 0.2, "title": "größer"}


@pytest.fixture
def papers(database):
    return kept.Papers(database)


@pytest.fixture
def study(papers):
    return papers.study("demt", "quick", ENGINE, "12345678")


def spoil(database, table, column, value, **where):
    """Alter a column of the rows of a table, as a disk or a person might."""
    query = table.update().values({column: value})
    for name, expected in where.items():
        query = query.where(table.c[name] == expected)
    with database.write() as connection:
        assert connection.execute(query).rowcount


def test_a_study_is_requested_computed_and_finished(papers, study):
    assert study.status() is study.result() is None and study.progress()["done"] == 0
    assert study.request(STATUS) == (STATUS, True)
    assert study.request(STATUS.but(parts=9)) == (STATUS, False)
    running = study.change((kept.QUEUED,), status=kept.RUNNING)
    study.report({"done": 3, "total": 9, "seconds_left": 1.5})
    study.keep("a", 0.5, [1.0])
    assert running == STATUS.but(status=kept.RUNNING, started=running.started) and running.started
    assert papers.unfinished(ENGINE) == [("demt", "quick", running)]
    assert papers.unfinished(OTHER) == [] and study.progress()["done"] == 3

    assert study.finish(RESULT, kept.UNFINISHED) and not study.finish({**RESULT, "seconds": 9.0}, kept.UNFINISHED)
    assert study.status().status == kept.FINISHED and study.result() == RESULT and study.count() == 0
    assert papers.results("demt", "quick") == ([RESULT], []) and papers.unfinished(ENGINE) == []
    assert papers.results("demt", "full") == ([], [])


def test_answers_are_used_again_after_a_stop_but_not_after_a_result(study):
    study.request(STATUS)
    study.keep("a", 0.5, 1)
    study.change(kept.UNFINISHED, status=kept.CANCELLED)
    assert study.request(STATUS)[1] and study.known() == {"a"}
    study.finish(RESULT)
    study.keep("late", 0.5, 1)

    assert study.request(STATUS)[1] and study.known() == set()
    assert study.result() == RESULT, "the former result is shown meanwhile"


def test_answers_belong_to_an_engine_and_to_the_sources_of_the_studies(papers, study):
    study.keep("a", 0.5, 1)

    for engine, studies in ((OTHER, study.studies), (ENGINE, "87654321")):
        assert papers.study("demt", "quick", engine, studies).known() == set()
    assert study.answer("a") == {"seconds": 0.5, "value": 1} and study.answer("b") is None


def test_clearing_spares_the_answers_of_an_engine_that_is_computing(papers, study):
    busy = papers.study("demt", "quick", OTHER, "12345678")
    busy.request(STATUS)
    for one in (study, busy):
        one.keep("a", 0.5, 1)
    study.clear()

    assert (study.count(), busy.count()) == (0, 1)


def test_a_version_of_many_plugins_fits_and_stays_unlike_others(papers):
    engines = [f"{ENGINE}{'.abcdef01' * n}x" for n in (3, 30, 31)]
    for n, engine in enumerate(engines):
        one = papers.study("demt", "quick", engine, "12345678")
        one.put(STATUS.but(parts=n))
        one.keep("a", 0.5, n)

    assert max(map(len, map(kept.shortened, engines))) + len("/12345678") <= 64
    for n, engine in enumerate(engines):
        one = papers.study("demt", "quick", engine, "12345678")
        assert (one.status().parts, one.answer("a")["value"]) == (n, n)


def test_of_many_requests_at_once_one_is_the_first(study):
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda n: study.request(STATUS.but(parts=n)), range(16)))

    assert sum(is_new for _, is_new in answers) == 1
    assert {status for status, _ in answers} == {study.status()}


def test_every_lost_worker_is_counted_whoever_counts(study):
    study.request(STATUS)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda _: study.lose(100, "lost"), range(24)))

    assert study.status().lost == 24
    assert study.lose(25, "lost too often").error == "lost too often"
    assert study.status().status == kept.FAILED and study.lose(25, "again") is None


def test_processes_write_answers_at_once(study):
    """Four processes answer forty cells each, of which ten are the same."""

    def answer(process):
        for n in [*range(10), *range(10 * process + 10, 10 * process + 40)]:
            study.keep(f"cell-{n}", 0.25, {"square": n * n})

    in_four_processes(answer)
    keys = [f"cell-{n}" for n in range(70)]

    assert study.known() == set(keys) and study.count() == 70 and study.processor_seconds() == 17.5
    assert [study.answers(keys)[key]["value"]["square"] for key in keys] == [n * n for n in range(70)]


@pytest.mark.parametrize("column", ["answer", "checksum"])
def test_a_damaged_answer_is_missing_and_computed_again(database, papers, study, column):
    study.keep("a", 0.5, 1)
    study.keep("b", 0.25, 2)
    spoil(database, schema.cells, column, '{"seconds": 0.5, "value": 7}', key="a")

    assert study.answer("a") is None and study.known() == {"b"} and study.processor_seconds() == 0.25
    assert [fault.name for fault in damaged_rows(database)] == [f"demt-quick by {ENGINE}/12345678, cell a"]
    study.keep("a", 0.5, 1)
    assert study.answer("a")["value"] == 1 and list(papers.damaged()) == []


@pytest.mark.parametrize(
    ("column", "value"),
    [("status", json.dumps({"status": "failed"})), ("status", "{"), ("result", '{"made": "9"}'), ("checksum", "")],
)
def test_a_damaged_study_is_named_and_can_be_recomputed(database, papers, study, column, value):
    other = papers.study("pjs", "quick", ENGINE, "12345678")
    for one in (study, other):
        one.put(STATUS)
        one.finish(RESULT)
    spoil(database, schema.papers, column, value, name="demt")

    assert (
        study.status().status == kept.DAMAGED
        and study.result() is None
        and study.change(kept.UNFINISHED, parts=3) is None
    )
    assert papers.results("demt", "quick") == ([], [ENGINE]) and papers.results("pjs", "quick") == ([RESULT], [])
    assert [fault.name for fault in damaged_rows(database)] == [f"demt-quick by {ENGINE}"]
    assert study.request(STATUS) == (STATUS, True)
    assert papers.results("demt", "quick") == ([], []) and study.status() == STATUS


def test_a_damaged_study_that_was_running_goes_on_with_its_answers(database, papers, study):
    study.put(STATUS.but(status=kept.RUNNING))
    study.keep("a", 0.5, 1)
    spoil(database, schema.papers, "status", '{"status": "running", "accepted": "", "parts": 64}')

    assert papers.unfinished(ENGINE) == [] and not study.finish(RESULT, kept.UNFINISHED)
    assert study.request(STATUS)[1] and study.known() == {"a"}


def test_a_new_result_replaces_damaged_ones_of_other_engines(database, papers, study):
    older = [papers.study("demt", "quick", engine, "") for engine in (OTHER, "0.0.8")]
    for one in older:
        one.finish({**RESULT, "seconds": 2.0})
    spoil(database, schema.papers, "result", "{}", version=OTHER)
    assert papers.results("demt", "quick")[1] == [OTHER]
    study.finish(RESULT)

    assert papers.results("demt", "quick") == ([{**RESULT, "seconds": 2.0}, RESULT], [])


def test_a_damaged_progress_is_none(database, study):
    study.put(STATUS)
    spoil(database, schema.papers, "progress", '{"done": 3')

    assert study.status() == STATUS and study.progress() == {"done": 0, "total": 0, "seconds_left": None}


@pytest.fixture
def folder(tmp_path):
    """A store in which an older version left studies in several states."""
    root = tmp_path / "old"
    status = {"status": "running", "accepted": "2025-01-01T00:00:00Z", "parts": 2, "lost": 1, "mood": "good"}
    files = {
        f"demt-quick/{ENGINE}/status.json": json.dumps(status),
        f"demt-quick/{ENGINE}/progress.json": '{"done": 3, "total": 9, "seconds_left": null}',
        f"demt-quick/{ENGINE}/cells/12345678/aa.json": '{"seconds": 0.25, "value": {"x": 0.1}}',
        f"demt-quick/{ENGINE}/cells/12345678/bb.json": '{"seconds": 0.2',
        f"demt-quick/{ENGINE}/cells/12345678/.tmp-4711-abc.json": "{}",
        f"demt-quick/{ENGINE}/cells/87654321/cc.json": '{"seconds": 0.5, "value": NaN}',
        f"one-workload-full/{ENGINE}/status.json": json.dumps({**status, "status": "finished"}),
        f"one-workload-full/{ENGINE}/result.json": json.dumps(RESULT),
        f"one-workload-full/{OTHER}/result.json": '{"made": "2025',
        f"pjs-quick/{ENGINE}/status.json": '{"status": "runn',
        f"pjs-full/{ENGINE}/status.json": "[]",
        f"pjs-full/{ENGINE}/result.json": json.dumps(RESULT),
        f"measy-quick/{ENGINE}/cells/12345678/aa.json": '{"seconds": 0.25, "value": 1}',
        "notes.txt": "what a person left",
    }
    for name, text in files.items():
        path = root / "papers" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return root


def check(papers):
    """What became of that store."""
    going, done = papers.study("demt", "quick", ENGINE, "12345678"), papers.study("one-workload", "full", ENGINE, "")
    assert papers.unfinished(ENGINE) == [("demt", "quick", going.status())]
    assert (going.status().lost, going.progress()["done"], going.known()) == (1, 3, {"aa"})
    assert going.answer("aa") == {"seconds": 0.25, "value": {"x": 0.1}}
    assert papers.study("demt", "quick", ENGINE, "87654321").known() == {"cc"}
    assert papers.study("measy", "quick", ENGINE, "12345678").known() == {"aa"}
    assert papers.study("measy", "quick", ENGINE, "12345678").status() is None
    assert done.status().status == kept.FINISHED and papers.results("one-workload", "full") == ([RESULT], [OTHER])
    assert papers.results("pjs", "quick") == ([], [ENGINE])
    assert papers.results("pjs", "full") == ([RESULT], [])


def test_files_become_rows_and_their_folder_is_kept(folder, database, papers):
    before = {path.relative_to(folder / "papers"): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    older_papers.take_over(folder, database)
    check(papers)

    assert [path.name for path in folder.iterdir()] == ["older-papers"]
    assert {name: (folder / "older-papers" / name).read_bytes() for name in before} == before
    older_papers.take_over(folder, database)
    check(papers)


@pytest.mark.parametrize("step", range(6))
def test_a_process_that_dies_between_loses_nothing_and_undoes_nothing(folder, database, papers, monkeypatch, step):
    """It dies after `step` transactions; what is done before the next start stays."""
    insert, calls = older_papers.insert_ignoring, []

    def dying(connection, table, rows):
        calls.append(table.name)
        if len(calls) > step:
            raise KeyboardInterrupt
        return insert(connection, table, rows)

    monkeypatch.setattr(older_papers, "insert_ignoring", dying)
    with pytest.raises(KeyboardInterrupt):
        older_papers.take_over(folder, database)
    monkeypatch.undo()
    assert (folder / "papers").is_dir()
    newer = papers.study("pjs", "quick", ENGINE, "")
    newer.finish({**RESULT, "name": "newer"})
    older_papers.take_over(folder, database)

    assert newer.result()["name"] == "newer"
    with database.write() as connection:
        connection.execute(schema.papers.delete().where(schema.papers.c.name == "pjs"))
    (folder / "older-papers").rename(folder / "papers")
    older_papers.take_over(folder, database)
    check(papers)


def test_a_folder_of_a_later_downgrade_is_taken_over_beside_the_first(folder, database, papers):
    older_papers.take_over(folder, database)
    (folder / "papers" / "pjs-quick" / OTHER).mkdir(parents=True)
    (folder / "papers" / "pjs-quick" / OTHER / "result.json").write_text(json.dumps(RESULT))
    older_papers.take_over(folder, database)

    assert papers.results("pjs", "quick") == ([RESULT], [ENGINE])
    assert sorted(path.name for path in folder.iterdir()) == ["older-papers", "older-papers-2"]


def test_a_store_of_version_0_1_0_answers_as_before(tmp_path, database, papers):
    with tarfile.open(OLD / "store.tar.gz") as archive:
        archive.extractall(tmp_path / "old", filter="data")
    older_papers.take_over(tmp_path / "old", database)
    answers = json.loads((OLD / "answers.json").read_bytes())

    assert answers["papers"]
    for title, known in answers["papers"].items():
        study = papers.study(*title.rsplit("-", 1), answers["engine_version"], "")
        assert {name: getattr(study.status(), name) for name in known["status"]} == known["status"]
        assert (study.progress(), study.result()) == (known["progress"], known["result"])
        assert study.answers(sorted(study.known())) == known["cells"]
