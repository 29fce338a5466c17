"""Progress of a command on a terminal, in a file and in a pipe."""

from __future__ import annotations

import io

import pytest

from shadowtime.dashboard.cli import progress
from shadowtime.dashboard.cli.progress import Progress


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def shown(monkeypatch: pytest.MonkeyPatch, stream: io.StringIO) -> str:
    monkeypatch.setattr("sys.stderr", stream)
    line = Progress()
    for n in range(1, 4):
        line.show(f"{n} of 3 runs")
    line.end()
    return stream.getvalue()


def test_a_terminal_has_one_line_that_is_rewritten(monkeypatch):
    assert shown(monkeypatch, Terminal()) == "".join(f"\r\x1b[K{n} of 3 runs" for n in (1, 2, 3)) + "\n"


def test_a_file_has_plain_lines_now_and_then_the_last_one_always(monkeypatch):
    assert shown(monkeypatch, io.StringIO()) == "1 of 3 runs\n3 of 3 runs\n"
    monkeypatch.setattr(progress, "BETWEEN", 0.0)
    assert shown(monkeypatch, io.StringIO()) == "1 of 3 runs\n2 of 3 runs\n3 of 3 runs\n"


def test_what_is_cleared_leaves_nothing_on_a_terminal(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr("sys.stderr", stream)
    line = Progress()
    line.show("1 of 3 runs")
    line.clear()

    assert stream.getvalue().endswith(progress.ERASE)
