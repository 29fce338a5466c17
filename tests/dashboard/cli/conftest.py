"""A command line in this process: quick, and a test sees the code and both streams."""

import json
from dataclasses import dataclass
from typing import Any

import pytest

from shadowtime.dashboard.cli import main


@dataclass
class Answer:
    """What a command gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.code == 0, self.err
        assert self.out.count("\n") == 1, "--json prints one object on one line"
        return json.loads(self.out)


@pytest.fixture
def shadowtime(capsys):
    """Runs a command; a refusal must be one line on standard error and nothing on standard output."""

    def run(*arguments: object) -> Answer:
        code = main([str(argument) for argument in arguments])
        out, err = capsys.readouterr()
        if code == 2:
            assert out == "", "a refusal prints nothing on standard output"
            assert err.count("\n") == 1 and err.strip(), "a refusal is one line"
        return Answer(code, out, err)

    return run
