"""`shadowtime up`: it says where it is, replaces what is lost, and Ctrl-C ends everything in time."""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from shadowtime.dashboard.cli import main, up
from shadowtime.workers import laboratory
from shadowtime.workers.connection import connect
from shadowtime.workers.redis_server import Server
from shadowtime.workers.store import open_store
from tests.workers.lab import wait_for


def environment(folder: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("REDIS_URL", "SHADOWTIME_STORE")}
    return {**kept, "PYTHONUNBUFFERED": "1"}


def descendants(pid: int) -> set[int]:
    """All processes that this one has started, and those that they have."""
    found = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    parents = dict(map(int, line.split()) for line in found.splitlines())
    inside = {pid}
    while fresh := {child for child, parent in parents.items() if parent in inside} - inside:
        inside |= fresh
    return inside - {pid}


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


@pytest.mark.integration
def test_up_serves_says_where_and_ends_within_two_seconds(tmp_path, free_ports):
    took = seconds_to_end(tmp_path / "first", *free_ports(2))
    if took >= 2.0:  # other tests had both processors
        took = min(seconds_to_end(tmp_path / name, *free_ports(2)) for name in ("second", "third"))

    assert took < 2.0


def seconds_to_end(folder: Path, port: int, redis_port: int) -> float:
    """Seconds from SIGINT until `shadowtime up` has ended, and left no process behind."""
    folder.mkdir()
    log = folder / "log"
    command = [sys.executable, "-m", "shadowtime.dashboard.cli", "up", "--port", str(port), "--workers", "1"]
    command += ["--store", str(folder / "store"), "--redis", f"redis://127.0.0.1:{redis_port}/0"]
    with log.open("wb") as stream:
        up = subprocess.Popen(command, stdout=stream, stderr=subprocess.STDOUT, env=environment(folder))
    try:
        wait_for(lambda: f"Shadowtime is at http://127.0.0.1:{port}" in log.read_text(), "address", 120)

        def workers() -> int:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz", timeout=10) as answer:
                return json.load(answer)["workers"]

        wait_for(lambda: workers() == 1, "worker", 120)
        started = descendants(up.pid)

        began = time.monotonic()
        up.send_signal(signal.SIGINT)
        assert up.wait(10) == 0
        took = time.monotonic() - began
        assert not [pid for pid in started if alive(pid)]
        return took
    finally:
        up.kill()
        up.wait()


def test_a_taken_port_is_said_in_one_line(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        code = main(["up", "--port", str(taken.getsockname()[1])])

    out, err = capsys.readouterr()
    assert (code, out) == (1, "")
    assert "choose another with --port" in err and err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--port", "99999"], "at most 65535"),
        (["--workers", "-1"], "a whole number from 0 to 1000"),
        (["--workers", "1000000"], "a whole number from 0 to 1000"),
        (["--host", "no.such.host.invalid"], "--host no.such.host.invalid"),
        (["--store", ""], "--store: its value is empty, as of a variable that is not set"),
    ],
)
def test_a_wrong_setting_is_refused_in_one_line(shadowtime, options, sentence):
    answer = shadowtime("up", *options)

    assert answer.code == 2
    assert sentence in answer.err


@pytest.mark.parametrize(
    ("url", "said"),
    [("cluster", "must specify one of the following schemes"), ("redis://127.0.0.1:port", "Port could not be cast")],
)
def test_a_server_that_is_no_url_is_refused_before_anything_starts(url, said, capsys, monkeypatch, free_ports):
    (port,) = free_ports(1)
    assert main(["up", "--port", str(port), "--redis", url]) == 2
    sentence = capsys.readouterr().err
    assert sentence.count("\n") == 1 and f"--redis {url!r}" in sentence and said in sentence
    monkeypatch.setenv("REDIS_URL", url)
    assert main(["up", "--port", str(port)]) == 2
    assert f"REDIS_URL {url!r}" in capsys.readouterr().err


@pytest.mark.integration
def test_a_server_that_asks_for_a_password_is_refused_before_anything_starts(shadowtime, free_ports):
    port, redis_port = free_ports(2)
    with Server(redis_port) as server:
        with connect(server.url) as client:
            client.config_set("requirepass", "secret")
        answer = shadowtime("up", "--port", port, "--redis", server.url.replace("//", "//:wrong@"))

    assert answer.code == 2
    assert f"--redis '{server.url}': the server takes no commands without the right password" in answer.err


@pytest.mark.parametrize(
    ("store", "reason"),
    [
        ("file", "that is a file, not a folder"),
        ("file/store", "nothing can be written to"),
        ("x" * 300, "file name too long"),
    ],
)
def test_a_store_that_cannot_be_is_refused_before_anything_starts(
    shadowtime, tmp_path, monkeypatch, free_port, store, reason
):
    (tmp_path / "file").touch()
    path = str(tmp_path / store)

    option = f"up: --store (or SHADOWTIME_STORE) {path}: {reason}"

    answer = shadowtime("up", "--port", free_port, "--store", path)
    assert answer.code == 2 and option in answer.err

    monkeypatch.setenv("SHADOWTIME_STORE", path)
    answer = shadowtime("up", "--port", free_port)
    assert answer.code == 2 and option in answer.err


@pytest.mark.parametrize(
    ("variable", "text", "rule"),
    [
        ("SHADOWTIME_NICE", "99", "it must be a whole number from 0 to 19"),
        ("SHADOWTIME_BLOBS", "bucket", "it must begin with s3://"),
        ("SHADOWTIME_DATABASE", "postgresql://host/x", "it must begin with sqlite:// or postgresql+psycopg://"),
        ("SHADOWTIME_DATABASE", "postgresql+psycopg://host:99999/x", "must be like postgresql+psycopg://"),
        ("SHADOWTIME_DATABASE", "sqlite:////nowhere/a.sqlite", "there is no such folder"),
        ("SHADOWTIME_BLOBS", "s3://", "it must be a bucket like s3://bucket/prefix"),
        ("SHADOWTIME_BLOBS", "s3://bucket", "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set, too"),
        ("SHADOWTIME_HOSTS", "a b", "must hold host names"),
    ],
)
def test_a_setting_that_every_process_would_refuse_is_refused_before_anything_starts(
    shadowtime, tmp_path, monkeypatch, free_port, variable, text, rule
):
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv(variable, text)

    answer = shadowtime("up", "--port", free_port, "--store", tmp_path)
    assert answer.code == 2 and variable in answer.err and rule in answer.err


def test_a_bucket_that_lacks_blobs_of_the_laboratory_is_refused_before_anything_starts(
    shadowtime, tmp_path, monkeypatch, free_port
):
    open_store(tmp_path)
    for name, value in {"BLOBS": "s3://bucket", "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"}.items():
        monkeypatch.setenv(f"SHADOWTIME_{name}" if name == "BLOBS" else name, value)

    def refuse(store, settings):
        raise laboratory.Misfit("the laboratory keeps blobs in a folder")

    monkeypatch.setattr(laboratory, "require_blobs", refuse)
    answer = shadowtime("up", "--port", free_port, "--store", tmp_path)

    assert answer.code == 2 and answer.err == "up: the laboratory keeps blobs in a folder\n"


def test_a_file_of_sqlite_in_a_folder_that_is_not_made_is_refused(shadowtime, tmp_path, monkeypatch, free_port):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").mkdir()
    for text in (f"sqlite:///{tmp_path}/store/deep/a.sqlite", "sqlite:///here/a.sqlite"):  # relative: to the services
        monkeypatch.setenv("SHADOWTIME_DATABASE", text)
        answer = shadowtime("up", "--port", free_port, "--store", tmp_path / "store")
        assert answer.code == 2 and "there is no such folder" in answer.err


def test_the_store_may_lie_behind_a_link_and_be_missing(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "there")
    store = tmp_path / "link" / "store"

    up.checked({"SHADOWTIME_STORE": str(store), "SHADOWTIME_DATABASE": f"sqlite:///{store}/a.sqlite"})


@pytest.mark.parametrize(
    ("host", "environment", "is_said"),
    [
        ("127.0.0.1", {}, False),
        ("::1", {}, False),
        ("0.0.0.0", {}, True),
        ("192.0.2.1", {}, True),
        ("0.0.0.0", {"SHADOWTIME_TOKEN": "x"}, False),
        ("0.0.0.0", {"SHADOWTIME_USER_HEADER": "X-User", "SHADOWTIME_PROXIES": "10.0.0.1"}, False),
    ],
)
def test_who_opens_the_door_to_all_is_told(host, environment, is_said):
    assert ("SHADOWTIME_TOKEN" in up.open_to_all(host, environment)) == is_said


def test_a_relative_folder_is_meant_from_the_current_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SHADOWTIME_STORE", "results")
    monkeypatch.setenv("SHADOWTIME_CACHE", "compiled")
    given = argparse.Namespace(host="127.0.0.1", port=8050, store=None, redis=None)

    assert up.environment(given)["SHADOWTIME_STORE"] == str(tmp_path / "results")
    assert up.environment(given)["SHADOWTIME_CACHE"] == str(tmp_path / "compiled")
    given.store = "others"
    assert up.environment(given)["SHADOWTIME_STORE"] == str(tmp_path / "others")
