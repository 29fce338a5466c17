"""A file that a person named is written whole, or it is what it was before."""

from __future__ import annotations

import os
import resource
import signal
from pathlib import Path

import pytest

from shadowtime.workers import outputs


def names(folder):
    return sorted(os.listdir(folder))


def test_a_file_is_replaced_at_the_end_and_keeps_its_permissions(tmp_path):
    path = tmp_path / "x"
    path.write_text("old")
    path.chmod(0o600)

    with outputs.written(path) as stream:
        stream.write(b"new")
        assert path.read_text() == "old"

    assert (path.read_text(), path.stat().st_mode & 0o777, names(tmp_path)) == ("new", 0o600, ["x"])


def test_what_is_being_written_is_as_private_as_the_file_that_it_replaces(tmp_path):
    path = tmp_path / "x"
    path.touch(0o600)

    with outputs.written(path) as stream:
        stream.write(b"new")
        assert {(tmp_path / name).stat().st_mode & 0o777 for name in names(tmp_path)} == {0o600}


@pytest.mark.parametrize("error", [KeyboardInterrupt, ValueError])
@pytest.mark.parametrize("old", [None, "old"])
def test_after_an_error_nothing_has_changed(tmp_path, error, old):
    if old:
        (tmp_path / "x").write_text(old)

    with pytest.raises(error), outputs.written(tmp_path / "x") as stream:
        stream.write(b"half")
        raise error

    assert [(name, (tmp_path / name).read_text()) for name in names(tmp_path)] == ([("x", old)] if old else [])


def test_a_full_disk_is_an_error_that_names_the_file(tmp_path):
    path = tmp_path / "x"
    path.write_text("old")
    limits, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
        with pytest.raises(OSError) as failed:
            outputs.write(path, "x" * 100_000)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)

    assert failed.value.filename == str(path)
    assert (path.read_text(), names(tmp_path)) == ("old", ["x"])


def test_a_disk_that_is_full_at_the_end_of_one_file_leaves_all_as_they_were(tmp_path):
    for name in "ab":
        (tmp_path / name).write_text("old")
    limits, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
        with pytest.raises(OSError):
            outputs.write_all(tmp_path, [("a", ["x" * 1500]), ("b", [b"new"])])  # less than a buffer holds
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)

    assert [(name, (tmp_path / name).read_text()) for name in names(tmp_path)] == [("a", "old"), ("b", "old")]


def test_all_files_of_a_folder_are_written_or_none(tmp_path):
    def cut():
        yield "b"
        raise ValueError

    with pytest.raises(ValueError):
        outputs.write_all(tmp_path / "out", [("a", ["a"]), ("b", cut())])
    assert names(tmp_path / "out") == []

    outputs.write_all(tmp_path / "out", [("a", ["a", "é"]), ("b", ["b"])])
    assert (tmp_path / "out" / "a").read_text(encoding="utf-8") == "aé"


def test_links_and_pipes_stay_what_they_are(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "there" / "x")
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)

    outputs.write(tmp_path / "link", "linked")
    outputs.write(tmp_path / "pipe", "piped")

    assert (tmp_path / "link").is_symlink() and (tmp_path / "there" / "x").read_text() == "linked"
    assert os.read(reader, 100) == b"piped"
    os.close(reader)


def test_a_pipe_may_be_named_by_its_descriptor():
    reader, writer = os.pipe()

    outputs.write(Path(f"/dev/fd/{writer}"), "piped")

    assert os.read(reader, 100) == b"piped"
    os.close(reader)
    os.close(writer)
