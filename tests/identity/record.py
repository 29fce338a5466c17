"""Writes what `test_identity.py` compares with: `python -m tests.identity.record`.

Run it only when an answer changes on purpose, or when a question is added; the commit that holds the new files gives
the reason and names the answers that changed. After a restructuring that is meant to change no answer, a difference is
a fault of the restructuring: do not record.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.identity import digest
from tests.identity.questions import LINKED, QUESTIONS

FOLDER = Path(__file__).parent
DIGESTS = FOLDER / "digests.json"
LINKS = FOLDER / "links.json"


def as_lines(values: Mapping[str, Any]) -> str:
    """Return `values` as a JSON object of one line an entry, so that a diff shows which entries changed."""
    lines = [f"{json.dumps(name)}: {json.dumps(value)}" for name, value in values.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def main() -> None:
    """Answer all questions and replace both files."""
    digests = {name: digest.of_question(question) for name, question in QUESTIONS.items()}
    links = {name: digest.of_link(QUESTIONS[name]) for name in LINKED}
    DIGESTS.write_text(as_lines(digests))
    LINKS.write_text(as_lines(links))
    print(f"{len(digests)} answers in {DIGESTS}, {len(links)} links in {LINKS}")


if __name__ == "__main__":
    main()
