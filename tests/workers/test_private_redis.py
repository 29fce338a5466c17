"""The server that `shadowtime up` starts is the laboratory's own."""

from __future__ import annotations

import os
import subprocess
import sys
from argparse import Namespace
from pathlib import Path

import pytest

from shadowtime.dashboard.cli import up
from shadowtime.workers import connection, private_redis
from shadowtime.workers.connection import answers, connect
from shadowtime.workers.private_redis import SHARED, NotPrivate, chosen, running, socket_of, url_of
from shadowtime.workers.redis_server import Server
from shadowtime.workers.settings import Settings
from tests.workers.lab import PATHS, ROOT, wait_for


@pytest.fixture(autouse=True)
def sockets(tmp_path_factory, monkeypatch):
    """A folder of sockets for each test; its path is short."""
    folder = tmp_path_factory.mktemp("s")
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(private_redis.tempfile, "tempdir", None)
    monkeypatch.delenv("REDIS_URL", raising=False)
    return folder


def start(store: Path, log: Path) -> subprocess.Popen:
    """The process of the Procfile that keeps the private server of a store."""
    environment = {**os.environ, "SHADOWTIME_STORE": str(store), "REDIS_URL": url_of(store), "PYTHONPATH": PATHS}
    with log.open("wb") as stream:
        return subprocess.Popen(
            [sys.executable, "-m", "shadowtime.workers.redis_server"], cwd=ROOT, env=environment, stdout=stream
        )


def test_a_path_of_any_length_has_a_short_socket_of_its_own(tmp_path):
    deep = tmp_path / ("a" * 200) / ("b" * 200)

    assert len(os.fsencode(socket_of(deep))) < 108
    assert socket_of(deep) == socket_of(deep / ".." / ("b" * 200)) != socket_of(deep.parent)
    assert socket_of(deep).parent.stat().st_mode & 0o777 == 0o700


def test_reading_the_settings_makes_no_folder(tmp_path, sockets):
    assert Settings.from_environment({"SHADOWTIME_STORE": str(tmp_path)}).redis_url == SHARED
    assert not list(sockets.iterdir())


def test_a_long_folder_for_temporary_files_is_not_used(tmp_path, monkeypatch):
    long = tmp_path / ("t" * 100)
    long.mkdir()
    monkeypatch.setenv("TMPDIR", str(long))
    monkeypatch.setattr(private_redis.tempfile, "tempdir", None)

    assert socket_of(tmp_path).parent == Path(f"/tmp/shadowtime-{os.getuid()}")


def test_a_folder_that_others_can_open_is_refused(tmp_path, sockets):
    (sockets / f"shadowtime-{os.getuid()}").mkdir(mode=0o755)
    (sockets / f"shadowtime-{os.getuid()}").chmod(0o755)

    with pytest.raises(NotPrivate, match="only this user can open"):
        socket_of(tmp_path)
    assert running(tmp_path) is None, "what others may have put there is not used"


def test_what_is_chosen_without_a_url(tmp_path, monkeypatch):
    there: dict[str, bool] = {}
    monkeypatch.setattr(connection, "_ping", lambda url, timeout: there.get(url))

    assert chosen(tmp_path) == url_of(tmp_path)
    there[SHARED] = False
    assert chosen(tmp_path) == url_of(tmp_path), "another's server that asks for a password is of no use"
    there[SHARED] = True
    assert chosen(tmp_path) == SHARED
    there[url_of(tmp_path)] = True
    socket_of(tmp_path).touch()
    assert chosen(tmp_path) == url_of(tmp_path), "two queues for one store would compute its runs twice"
    options = Namespace(host="127.0.0.1", port=8050, store=str(tmp_path), redis=None)
    assert up.environment(options)["REDIS_URL"] == url_of(tmp_path)
    options.redis = "redis://queue:6380/1"
    assert up.environment(options)["REDIS_URL"] == options.redis


@pytest.mark.integration
def test_commands_on_a_store_find_its_private_server(tmp_path):
    here = {"SHADOWTIME_STORE": str(tmp_path)}
    assert Settings.from_environment(here).redis_url == SHARED
    with Server(socket_of(tmp_path)) as server:
        assert Settings.from_environment(here).redis_url == server.url
        assert Settings.from_environment({**here, "REDIS_URL": "redis://queue"}).redis_url == "redis://queue"
        with connect(server.url) as client:
            assert client.config_get("port") == {"port": "0"}
        assert socket_of(tmp_path).stat().st_mode & 0o777 == 0o600
    assert Settings.from_environment(here).redis_url == SHARED


@pytest.mark.integration
def test_the_second_laboratory_of_a_store_shares_the_server_and_goes_on_without_the_first(tmp_path):
    store, url = tmp_path / "store", url_of(tmp_path / "store")
    first = start(store, tmp_path / "first")
    second = None
    try:
        wait_for(lambda: answers(url), "the first server")
        second = start(store, tmp_path / "second")
        wait_for(lambda: "runs already" in (tmp_path / "second").read_text(), "word that it is shared")
        first.kill()
        first.wait()
        wait_for(lambda: "answers at socket" in (tmp_path / "second").read_text(), "the second server")
        assert answers(url)
    finally:
        for process in (first, second):
            if process is not None:
                process.terminate()
                process.wait(10)
    assert not answers(url)


@pytest.mark.integration
def test_laboratories_of_two_stores_have_servers_of_their_own(tmp_path):
    with Server(socket_of(tmp_path / "one")) as one, Server(socket_of(tmp_path / "two")) as two:
        with connect(one.url) as client:
            client.set("mine", 1)
        with connect(two.url) as client:
            assert client.get("mine") is None
        one.stop()
        assert answers(two.url)
