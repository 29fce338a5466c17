"""What is broken around a command: a plug-in that cannot be imported, a store that cannot be made, an output that takes
nothing."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from shadowtime.workers.records.store import RecordStore
from shadowtime.workers.store import open_store

PLUGIN = Path(__file__).parents[2] / "plugin"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("def x(", "SyntaxError: '(' was never closed in {file}, line 1"),
        ("\nimport missing_thing", "ModuleNotFoundError: No module named 'missing_thing' in {file}, line 2"),
        ("x = 1", "AttributeError: module 'licensed_jobs' has no attribute 'FAMILY'"),
        ("FAMILY = 1", "licensed_jobs:FAMILY (shadowtime.families) is no Family, but int"),
    ],
)
def test_a_plug_in_that_cannot_be_loaded_is_one_sentence(tmp_path, free_port, source, reason):
    shutil.copytree(PLUGIN, tmp_path / "site")
    file = tmp_path / "site" / "licensed_jobs" / "__init__.py"
    file.write_text(source)

    path = os.pathsep.join([str(tmp_path / "site"), *sys.path])
    for words in ("list generators", f"store check --store {tmp_path}", f"up --store {tmp_path} --port {free_port}"):
        command = [sys.executable, "-m", "shadowtime.dashboard.cli", *words.split()]
        answer = subprocess.run(
            command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": path}, timeout=60
        )

        assert (answer.returncode, answer.stdout) == (1, "")
        assert answer.stderr.count("\n") == 1 and reason.format(file=file) in answer.stderr


def test_a_store_that_cannot_be_made_is_one_sentence(shadowtime, monkeypatch):
    monkeypatch.setenv("SHADOWTIME_STORE", "/proc/x")

    answer = shadowtime("paper", "measy", "--keep")

    assert answer.code == 2
    assert answer.err.startswith("the folder of the store, /proc/x, cannot be made (no such file or directory)")


def in_a_shell(line: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a line of shell in which `shadowtime` is the program."""
    program = f'shadowtime() {{ "{sys.executable}" -m shadowtime.dashboard.cli "$@"; }}; '
    return subprocess.run(["bash", "-c", program + line], capture_output=True, text=True, env=os.environ | variables)


@pytest.mark.parametrize(
    "command", ["simulate four -a easy --json", "list algorithms", "generate lublin:jobs=9 -o -", "--help"]
)
def test_a_full_device_is_one_sentence(command):
    answer = in_a_shell(f"shadowtime {command} > /dev/full")

    assert (answer.returncode, answer.stderr) == (1, "the output was not written: no space left on device\n")


@pytest.mark.parametrize("command", ["simulate four -a easy", "generate lublin:jobs=9 -o -", "--version"])
def test_nothing_is_written_where_standard_output_is_closed(command):
    answer = in_a_shell(f"shadowtime {command} >&-")

    assert (answer.returncode, answer.stderr) == (0, "")


def test_a_refusal_is_not_written_to_standard_output_when_standard_error_is_closed():
    answer = in_a_shell("shadowtime simulate missing.swf -a easy 2>&-")

    assert (answer.returncode, answer.stdout) == (2, "")


@pytest.mark.parametrize("command", ["--help", "--version", "list metrics"])
def test_nothing_is_said_when_the_reader_of_the_output_leaves(command):
    answer = in_a_shell(f"shadowtime {command} | true; echo ${{PIPESTATUS[0]}}")

    assert answer.stderr == "" and answer.stdout in ("141\n", "0\n")


@pytest.mark.parametrize("command", ["simulate four -a easy", "list algorithms", "list metrics"])
def test_an_encoding_without_our_characters_gets_question_marks(command):
    answer = in_a_shell(f"shadowtime {command}", PYTHONIOENCODING="ascii")

    assert (answer.returncode, answer.stderr) == (0, "")
    assert "?" in answer.stdout and answer.stdout.isascii()


@pytest.mark.parametrize(
    "arguments",
    [
        ("simulate", "{long}.swf", "-a", "easy"),
        ("simulate", "{long}.json#case", "-a", "easy"),
        ("simulate", "four", "-a", "easy", "--out", "{long}"),
        ("simulate", "four", "-a", "easy", "--report", "{long}"),
        ("generate", "lublin:jobs=10", "-o", "{long}.swf"),
        ("convert", "four", "-o", "{long}.swf"),
        ("store", "check", "--store", "{long}"),
        ("links", "list", "--store", "{long}"),
    ],
)
def test_a_name_that_no_file_can_have_is_one_sentence(shadowtime, arguments):
    """As is a folder that may not be looked into, which root always may."""
    answer = shadowtime(*(one.format(long="x" * 300) for one in arguments))

    assert answer.code == 2
    assert "file name too long" in answer.err


def test_an_empty_name_is_one_sentence(shadowtime):
    answer = shadowtime("simulate", "", "-a", "easy")

    assert (answer.code, answer.err) == (2, "the name of the workload is empty\n")


def test_what_is_not_written_to_standard_output_needs_a_file(shadowtime):
    answer = shadowtime("simulate", "four", "-a", "easy", "--report", "-")

    assert answer.code == 2
    assert "--report -: name a file" in answer.err


def test_a_log_comes_through_a_pipe(four_swf):
    command = "shadowtime simulate {} -a easy --json"
    given = (f"<(gzip -c {four_swf})", f"- < {four_swf}", f"{four_swf}")
    answer = in_a_shell("; ".join(map(command.format, given)))

    assert answer.stderr == ""
    piped, from_input, read = (json.loads(line) for line in answer.stdout.splitlines())
    assert piped["metrics"] == read["metrics"] == from_input["metrics"]


HOMELESS = """
import pwd, sys
def unknown(uid): raise KeyError(uid)
pwd.getpwuid = unknown
from shadowtime.dashboard.cli import main
sys.exit(main(sys.argv[1:]))
"""
FOLDERS = ("HOME", "SHADOWTIME_STORE", "SHADOWTIME_CACHE", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR")


@pytest.mark.parametrize("command", ["simulate lublin:jobs=2000 -a easy", "store check", "up --port {port}"])
def test_a_user_without_a_home_is_asked_for_a_folder(command, free_port):
    environment = {name: value for name, value in os.environ.items() if name not in FOLDERS}
    answer = subprocess.run(
        [sys.executable, "-c", HOMELESS, *command.format(port=free_port).split()],
        capture_output=True,
        text=True,
        env=environment,
        timeout=60,
    )

    assert answer.returncode in (1, 2)
    assert answer.stderr.count("\n") == 1 and "this user has no home folder" in answer.stderr


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES])
def test_a_disk_that_refuses_is_one_sentence(shadowtime, monkeypatch, tmp_path, number):
    open_store(tmp_path).database.close()

    def refuse(store):
        raise OSError(number, os.strerror(number), "the database")

    monkeypatch.setattr(RecordStore, "tidy", refuse)
    answer = shadowtime("store", "prune", "--older-than", "1", "--store", tmp_path)

    assert answer.code == 1 and answer.err.splitlines()[-1] == f"the database: {os.strerror(number).lower()}"
    assert "Traceback" not in answer.err


def test_a_backup_into_a_file_is_one_sentence(shadowtime, tmp_path):
    open_store(tmp_path / "store").database.close()
    (tmp_path / "file").touch()

    answer = shadowtime("store", "backup", tmp_path / "file", "--store", tmp_path / "store")
    assert (answer.code, answer.err) == (2, f"{tmp_path / 'file'} is no folder: a backup needs a new folder\n")
