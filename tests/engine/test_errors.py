"""Messages of errors."""

from __future__ import annotations

from shadowtime.engine.errors import EngineError, InvalidWorkload, UnknownName, one_line


class Away(EngineError, ConnectionError):
    """An error of the system, too, whose message is its own affair."""


def test_a_message_is_one_line_whatever_of_a_file_it_shows():
    assert str(InvalidWorkload("job 1\r\nis \x1b[31mred\x1b[0m")) == "job 1??is ?[31mred?[0m"
    assert one_line("half a pair \ud800, turned \u202eround") == "half a pair ?, turned ?round"
    assert one_line("×1.61 of the best – zu kurz") == "×1.61 of the best – zu kurz"


def test_errors_of_all_bases_say_their_message():
    assert str(UnknownName("case", "a", ["b"])) == "unknown case 'a'; known: b"
    assert str(Away("nobody\nanswers")) == "nobody?answers"
