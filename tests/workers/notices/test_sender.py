"""Notices of a store, sent to servers of this machine."""

from __future__ import annotations

import hashlib
import json
import os
import signal
from dataclasses import replace

import pytest

from shadowtime.workers.notices import sender
from shadowtime.workers.notices.content import subject, text
from shadowtime.workers.notices.sender import Sender, send_due
from shadowtime.workers.notices.webhook import signature
from shadowtime.workers.records import schema
from shadowtime.workers.records.database import upsert
from shadowtime.workers.records.notices import FAILED, MOST_TRIES, SENT, SWEEP, WAITING
from shadowtime.workers.records.sweeps import SweepStatus, row_of
from tests.workers.lab import wait_for
from tests.workers.notices.conftest import accept
from tests.workers.notices.receiver import mail_server, receiver


def test_a_webhook_says_how_the_run_ended(ended):
    with receiver() as server:
        asked = ended.ask(f"{server.url}/hook")
        assert send_due(ended.store, ended.settings) == 1
        assert send_due(ended.store, ended.settings) == 0, "it is sent once"

    (one,) = server.requests
    body = json.loads(one.body)
    assert (body["id"], body["kind"], body["state"]) == (ended.digest[:16], "run", "finished")
    assert (body["link"], body["error"]) == ("https://here/runs/1", None)
    assert body["figures"] == ended.store.runs.get(ended.digest).summary["metrics"]
    assert body["figures"]["mean_wait"] == 51.75
    assert one.headers["Shadowtime-Signature"] == signature(one.body, "key")
    assert one.headers["Shadowtime-Notice"] == asked.code
    assert (ended.state().state, ended.state().tries, ended.state().error) == (SENT, 1, "")


def test_a_webhook_says_how_a_sweep_ended(ended):
    question, counts = "{}", {"finished": 2, "failed": 1, "pending": 0}
    digest = hashlib.sha256(question.encode()).hexdigest()
    status = SweepStatus("finished", name="Loads", runs_total=3, points_total=1, counts=counts, ended="2026-03-01")
    with ended.store.database.write() as connection:
        upsert(connection, schema.sweeps, row_of(digest, question, status))
    with receiver() as server:
        ended.store.notices.ask(SWEEP, digest, "ada", server.url, "https://here/experiments/1")
        assert send_due(ended.store, ended.settings) == 1

    body = json.loads(server.requests[0].body)
    assert (body["id"], body["kind"], body["name"], body["state"]) == (digest[:16], "sweep", "Loads", "finished")
    assert body["figures"] == {"runs_total": 3, "points_total": 1, **counts}


def test_nothing_is_sent_before_the_end(ended):
    waiting = accept(ended.store, 1, is_finished=False)
    with receiver() as server:
        ended.ask(server.url, waiting)
        assert send_due(ended.store, ended.settings) == 0
        ended.store.runs.cancel(waiting)
        assert send_due(ended.store, ended.settings) == 1

    body = json.loads(server.requests[0].body)
    assert (body["id"], body["state"], body["figures"]) == (waiting[:16], "cancelled", {})


def test_a_refusal_is_tried_again_later(ended):
    with receiver(500) as server:
        ended.ask(server.url)
        assert send_due(ended.store, ended.settings) == 1
        first = ended.state()
        assert (first.state, first.tries, first.error) == (WAITING, 1, "it answered 500")
        assert first.due > first.made and send_due(ended.store, ended.settings) == 0, "not before its pause is over"


def test_a_later_try_delivers(ended, at_once):
    with receiver(500, 503) as server:
        code = ended.ask(server.url).code
        assert send_due(ended.store, ended.settings) == 3

    assert [one.headers["Shadowtime-Notice"] for one in server.requests] == [code] * 3
    assert (ended.state().state, ended.state().tries) == (SENT, 3)


def test_tries_end(ended, at_once):
    with receiver(*[500] * 50) as server:
        ended.ask(server.url)
        assert send_due(ended.store, ended.settings) == MOST_TRIES

    assert len(server.requests) == MOST_TRIES
    assert (ended.state().state, ended.state().error) == (FAILED, "it answered 500")


def killed_while_sending(ended, monkeypatch) -> None:
    """Let a process claim the notice and be killed before it says how sending went."""
    monkeypatch.setattr(sender, "send", lambda *_: os.kill(os.getpid(), signal.SIGKILL))
    process = Sender(ended.store, ended.settings)
    process.scan()
    wait_for(lambda: not process._is_sending(), "the killed process")
    monkeypatch.undo()


def test_a_killed_process_loses_no_notice(ended, monkeypatch):
    with receiver() as server:
        ended.ask(server.url)
        killed_while_sending(ended, monkeypatch)
        left = ended.state()
        assert (left.state, left.tries, server.requests) == (WAITING, 1, [])

        monkeypatch.setattr(ended.store.database, "now", lambda *_: left.due)
        assert send_due(ended.store, ended.settings) == 1
    assert (len(server.requests), ended.state().state, ended.state().tries) == (1, SENT, 2)


def test_a_notice_whose_process_is_killed_each_time_fails_at_last(ended, at_once):
    ended.ask("http://127.0.0.1:9/")
    for number in range(MOST_TRIES):
        assert ended.store.notices.claim().tries == number + 1

    assert ended.store.notices.claim() is None
    assert (ended.state().state, ended.state().error) == (FAILED, "the process that sent it was ended")


def test_a_process_beside_the_worker_sends(ended):
    with receiver() as server:
        ended.ask(server.url)
        process = Sender(ended.store, ended.settings)
        process.scan()
        wait_for(lambda: ended.state().state == SENT, "the notice")
        wait_for(lambda: not process._is_sending(), "the end of the process")
        process.scan()
        assert process._child == 0, "none is started where nothing is due"
    assert len(server.requests) == 1


def test_without_a_setting_no_process_is_started(ended):
    ended.ask("https://hooks.example")
    process = Sender(ended.store, replace(ended.settings, notice_secret=""))
    process.scan()
    assert process._child == 0


def test_mail_says_how_the_run_ended(ended):
    with mail_server() as (url, messages):
        ended.ask("ada@site.example")
        assert send_due(ended.store, replace(ended.settings, notice_smtp=url)) == 1

    text = messages[0].decode()
    assert f"Subject: Run {ended.digest[:16]} (easy): finished" in text
    assert "From: lab@here.example" in text and "To: ada@site.example" in text
    assert "https://here/runs/1" in text and "mean_wait = 51.75" in text
    assert ended.state().state == SENT


def test_mail_holds_no_free_text_of_its_asker():
    body = {"id": "0" * 16, "kind": SWEEP, "name": "Sign in now", "state": "finished", "link": "", "error": None}

    assert subject(body) == f"Experiment {'0' * 16}: finished"
    assert "Sign in now" not in text({**body, "figures": {"runs_total": 3}})
    assert "\n\nYou asked for this notice on its page;" in text({**body, "figures": {}})


@pytest.mark.parametrize(
    ("smtp", "why"),
    [("", "SHADOWTIME_NOTICE_SMTP is not set"), ("{url}", r"refused the address (550)"),
     ("{user}", "the password was not sent")],
)  # fmt: skip
def test_mail_that_is_not_taken(ended, smtp, why):
    with mail_server() as (url, messages):
        ended.ask("nobody@site.example")
        server = smtp.format(url=url, user=url.replace("//", "//ada:pw@"))
        send_due(ended.store, replace(ended.settings, notice_smtp=server))

    assert (ended.state().state, messages) == (WAITING, []) and why in ended.state().error
