"""Which Redis the queue gets."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import threading

import pytest

from shadowtime.workers import redis_server
from shadowtime.workers.connection import answers, connect, takes_commands
from shadowtime.workers.processes import StopRequest
from shadowtime.workers.redis_server import NoServer, Server, find_binary, is_loopback, serve
from shadowtime.workers.settings import Settings
from tests.workers.lab import ROOT, wait_for


def test_a_server_on_the_path_goes_before_the_wheel(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    from_wheel = find_binary()
    for name in reversed(redis_server.NAMES):
        (tmp_path / name).touch(mode=0o755)
        assert find_binary() == tmp_path / name

    assert from_wheel is not None and from_wheel.name == "valkey-server"


def test_without_any_binary_there_is_a_sentence(monkeypatch, free_port):
    monkeypatch.setattr(redis_server, "find_binary", lambda: None)

    with pytest.raises(NoServer, match="no redis-server or valkey-server on PATH"):
        Server(free_port).start()


@pytest.mark.parametrize(
    ("host", "expected"),
    [("localhost", True), ("127.0.0.1", True), ("127.8.0.1", True), ("::1", True), ("0.0.0.0", False),
     ("queue.example.org", False), ("10.0.0.7", False)],
)  # fmt: skip
def test_loopback_is_this_machine_alone(host, expected):
    assert is_loopback(host) == expected


@pytest.mark.integration
def test_our_server_listens_on_the_loopback_and_writes_nothing(free_port):
    with Server(free_port) as server, connect(server.url) as client:
        settings = client.config_get("*")

        assert client.ping()
        assert settings["bind"] == "127.0.0.1"
        assert (settings["save"], settings["appendonly"]) == ("", "no")
    assert not answers(server.url)


@pytest.mark.integration
def test_of_what_a_server_writes_only_what_matters_here_is_printed(free_port, capsys):
    with Server(free_port) as server:
        process = server.process
    wait_for(lambda: process.stdout.closed, "the end of what the server writes")
    assert not capsys.readouterr().out

    with socket.socket() as other, pytest.raises(NoServer):
        other.bind(("127.0.0.1", free_port))
        other.listen()
        Server(free_port).start()
    wait_for(lambda: "Failed listening on port" in capsys.readouterr().out, "why the server did not start")


@pytest.mark.integration
def test_a_port_that_something_else_holds_is_named(free_port):
    with socket.socket() as other:
        other.bind(("127.0.0.1", free_port))
        other.listen()

        with pytest.raises(NoServer, match=f"is port {free_port} taken"):
            Server(free_port).start()


def start(url: str, *, given: bool = True):
    stopping = StopRequest()
    thread = threading.Thread(target=serve, args=(Settings(redis_url=url, redis_given=given), stopping), daemon=True)
    thread.start()
    return thread, stopping


@pytest.mark.integration
def test_it_steps_aside_and_stays_where_one_answers(free_port, capsys):
    with Server(free_port) as server:
        thread, stopping = start(server.url)
        wait_for(lambda: "none is started" in capsys.readouterr().out, "the message that no server is started")

        assert thread.is_alive()
        stopping.set()
        thread.join(5.0)
        assert not thread.is_alive()
        assert answers(server.url)


@pytest.mark.integration
def test_a_server_that_asks_for_a_password_answers_but_takes_no_commands(free_port):
    with Server(free_port) as server:
        assert answers(server.url) and takes_commands(server.url)
        with connect(server.url) as client:
            client.config_set("requirepass", "secret")

        assert answers(server.url) and not takes_commands(server.url)
        assert takes_commands(server.url.replace("//", "//:secret@"))
        assert not takes_commands(server.url.replace("//", "//:wrong@"))
    assert not answers(server.url) and not takes_commands(server.url)


@pytest.mark.integration
def test_a_server_of_another_machine_is_waited_for(capsys):
    thread, stopping = start("redis://:secret@queue.invalid:6399/0")
    said = wait_for(lambda: capsys.readouterr().out, "word of waiting")
    stopping.set()
    thread.join(5.0)

    assert "redis://queue.invalid:6399/0, which is on another machine" in said
    assert "secret" not in said
    assert not thread.is_alive()


@pytest.mark.integration
def test_a_server_that_is_killed_while_it_starts_is_started_again(free_port, monkeypatch, capsys):
    launch, launched = Server._launch, []

    def killed_at_first(server):
        process = launch(server)
        launched.append(process)
        if len(launched) == 1:
            process.kill()
            process.wait()
        return process

    monkeypatch.setattr(Server, "_launch", killed_at_first)
    url = f"redis://127.0.0.1:{free_port}/0"
    thread, stopping = start(url)
    wait_for(lambda: answers(url), "another server")
    stopping.set()
    thread.join(5.0)

    assert len(launched) == 2
    assert "was ended by signal 9 while it started; it is started again" in capsys.readouterr().out


@pytest.mark.integration
def test_a_killed_server_is_started_again_and_ends_with_its_keeper(free_port):
    url = f"redis://127.0.0.1:{free_port}/0"
    keeper = subprocess.Popen(
        [sys.executable, "-m", "shadowtime.workers.redis_server"], cwd=ROOT, env={**os.environ, "REDIS_URL": url}
    )
    try:
        wait_for(lambda: answers(url), "server")
        with connect(url) as client:
            first = client.info("server")["process_id"]
        os.kill(first, signal.SIGKILL)
        wait_for(lambda: not answers(url), "its end")
        wait_for(lambda: answers(url), "another server", 10.0)
        with connect(url) as client:
            second = client.info("server")["process_id"]
        assert first != second
    finally:
        keeper.kill()
        keeper.wait()
    wait_for(lambda: not answers(url), "its end, since its keeper was killed")
