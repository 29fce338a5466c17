"""The processes that read files for the web process: asked, lost, replaced."""

from __future__ import annotations

import os
import signal
import threading
import time

import pytest

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.intake import desk
from shadowtime.dashboard.intake.desk import Intake

SMALL = {"generator": "uniform", "parameters": {"jobs": 5}}
LARGE = {"generator": "lublin", "parameters": {"jobs": 2_000_000}}


@pytest.fixture
def intake(tmp_path):
    made = Intake({"SHADOWTIME_STORE": str(tmp_path)}, children=1)
    yield made
    made.close()


def jobs(intake: Intake, **options) -> int:
    question = {**SMALL, "bounds": False}
    return intake.ask("preview", question=question, **options)["workload"]["facts"]["jobs"]


def test_a_child_answers_one_question_after_another(intake):
    assert [jobs(intake) for _ in range(3)] == [5, 5, 5]
    assert len(intake._free) == 1


def test_what_is_refused_keeps_its_status_and_sentence(intake):
    for status, question in ((404, {"workload": "0123456789abcdef"}), (400, {"generator": "lubin"})):
        with pytest.raises(Refusal) as refused:
            intake.ask("preview", question=question)
        assert refused.value.status == status
    assert "unknown generator 'lubin'" in refused.value.sentence


def test_a_new_child_says_that_the_database_is_away(tmp_path, free_port):
    """It ended at its start, and the question was refused with 400, as one that needs too much memory."""
    database = f"postgresql+psycopg://shadowtime@127.0.0.1:{free_port}/postgres"
    intake = Intake({"SHADOWTIME_STORE": str(tmp_path), "SHADOWTIME_DATABASE": database})
    try:
        with pytest.raises(Refusal, match="the database does not answer") as refused:
            intake.ask("ask", question={"workload": "0123456789abcdef", "algorithm": "easy"})
        assert refused.value.status == 503 and len(intake._free) == 1
    finally:
        intake.close()


def test_a_killed_child_is_replaced(intake):
    jobs(intake)
    child = intake._free[0].process
    os.kill(child.pid, signal.SIGKILL)
    child.wait()

    assert jobs(intake) == 5


def test_a_question_over_which_a_child_was_killed_is_sent_to_a_new_one(intake):
    jobs(intake)
    child = intake._free[0].process
    os.kill(child.pid, signal.SIGSTOP)
    threading.Timer(0.2, child.kill).start()

    assert jobs(intake) == 5


def test_a_child_that_dies_over_a_question_costs_that_question_alone(intake, monkeypatch):
    asked = []

    def ask_the_dead(child, question, timeout):
        asked.append(child.process.pid)
        child.process.kill()
        child.process.wait()
        return ask(child, question, timeout)

    ask = desk._Child.ask
    with monkeypatch.context() as patch:
        patch.setattr(desk._Child, "ask", ask_the_dead)
        with pytest.raises(Refusal, match="It needs more memory") as refused:
            jobs(intake)

    assert refused.value.status == 400 and len(set(asked)) == 2
    assert jobs(intake) == 5


def test_a_question_that_takes_too_long_is_given_up(intake):
    jobs(intake)

    with pytest.raises(Refusal, match=r"given up after 0\.2 s") as refused:
        intake.ask("preview", question=LARGE, timeout=0.2)

    assert refused.value.status == 400
    assert jobs(intake) == 5


def test_a_question_that_needs_too_much_memory_is_refused(tmp_path):
    intake = Intake({"SHADOWTIME_STORE": str(tmp_path), "SHADOWTIME_RUN_MEMORY": str(300 * 10**6)}, children=1)

    with pytest.raises(Refusal, match="more memory") as refused:
        intake.ask("preview", question={**LARGE, "bounds": False})

    assert refused.value.status == 400
    intake.close()


def test_what_nobody_expected_is_told_without_details(intake, capfd):
    with pytest.raises(Refusal) as refused:
        intake.ask("add", path="/nowhere/at/all", name="x")

    assert (refused.value.status, "nowhere" in refused.value.sentence) == (500, False)
    assert "FileNotFoundError" in capfd.readouterr().err
    assert jobs(intake) == 5


def test_when_all_are_busy_others_are_told_so(intake, monkeypatch):
    monkeypatch.setattr(desk, "PATIENCE", 0.1)
    jobs(intake)
    busy = threading.Thread(target=lambda: intake.ask("preview", question={**LARGE, "bounds": False}))
    busy.start()
    while intake._free:
        time.sleep(0.005)

    with pytest.raises(Refusal) as refused:
        jobs(intake)

    assert refused.value.status == 429
    busy.join()


def test_only_so_many_wait_for_a_child_at_a_time(intake, monkeypatch):
    monkeypatch.setattr(desk, "MOST_WAITING", 1)
    held = intake._looks.one()
    held.__enter__()
    waiting = threading.Thread(target=lambda: jobs(intake))
    waiting.start()
    while not intake._looks._waiting:
        time.sleep(0.005)

    began = time.monotonic()
    with pytest.raises(Refusal) as refused:
        jobs(intake)

    assert (refused.value.status, time.monotonic() - began < 1.0) == (429, True)
    held.__exit__(None, None, None)
    waiting.join()
    assert jobs(intake) == 5


def test_a_question_does_not_wait_for_files(intake):
    with intake._files.one():
        assert jobs(intake) == 5


def test_a_submission_does_not_wait_for_previews(intake, monkeypatch):
    monkeypatch.setattr(desk, "PATIENCE", 0.1)
    with intake._place("preview"):
        with pytest.raises(Refusal, match="Send it again"):
            jobs(intake)
        with pytest.raises(Refusal) as refused:
            intake.ask("ask", question={"workload": "0123456789abcdef", "algorithm": "easy"})
    assert refused.value.status == 404, "it was answered"


def test_a_client_has_one_preview_at_a_time_and_the_next_waits_for_it(monkeypatch):
    places = desk._Places(2)
    monkeypatch.setattr(desk, "PATIENCE", 10.0)
    order = []

    def second():
        with places.one("anna"):
            order.append("second")

    with places.one("anna"):
        waiting = threading.Thread(target=second)
        waiting.start()
        while not places._waiting:
            time.sleep(0.005)
        with places.one("ben"):
            order.append("ben")
        order.append("first")
    waiting.join()

    assert order == ["ben", "first", "second"]
    assert not places._held and not places._waiting, "clients are forgotten"


def test_a_client_does_not_fill_the_line_of_the_others(monkeypatch):
    places = desk._Places(2)
    monkeypatch.setattr(desk, "PATIENCE", 0.1)
    monkeypatch.setattr(desk, "MOST_WAITING_EACH", 0)
    with pytest.raises(Refusal), places.one("anna"):
        pass
    with places.one():
        pass


def test_a_child_ends_with_the_process_that_asks_it(intake):
    jobs(intake)
    child = intake._free[0].process

    child.stdin.close()

    assert child.wait(10) == 0
