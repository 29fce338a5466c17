"""Logs as workloads, for the tests of readers."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.reading import read

HERE = Path(__file__).parent


def read_text(*lines: Any, name: str = "log", case: str | None = None, **limits: int) -> Workload:
    """Return the workload of some lines; what is neither text nor bytes is written as JSON."""
    texts = [line if isinstance(line, str | bytes) else json.dumps(line) for line in lines]
    content = b"\n".join(text if isinstance(text, bytes) else text.encode() for text in texts)
    return read(io.BytesIO(content), name, case, limits=Limits(**limits))


def check_refusal(words: str, *lines: Any, **how: Any) -> None:
    """Assert that `read_text` refuses lines with a sentence that contains `words`."""
    with pytest.raises(InvalidWorkload) as error:
        read_text(*lines, **how)
    assert words in str(error.value)


def read_file(path: str | Path) -> Workload:
    """Return the workload of a file, whose path may be relative to this folder."""
    with (HERE / path).open("rb") as stream:
        return read(stream, Path(path).name)


def text(workload: Workload, name: str, row: int = 0) -> str:
    """Return the text of a job in a column of texts; "" where it is unknown."""
    code = workload.jobs[name][row]
    return workload.texts[name][code] if code >= 0 else ""
