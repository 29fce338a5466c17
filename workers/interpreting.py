"""The process that `interpreted.Interpreter` starts: it executes runs whose digests it reads."""

from __future__ import annotations

import json
import os
import select
import sys

IDLE = 600.0
"""Seconds without a question after which the process ends."""


def main() -> int:
    """Answer each line of digests with `finished`, or `left` if some run has not finished here."""
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # a stray print must not look like an answer

    from shadowtime.workers import tasks
    from shadowtime.workers.warm import load

    load()
    while select.select([sys.stdin.buffer], [], [], IDLE)[0] and (line := sys.stdin.buffer.readline()):
        ended = [tasks.run_task(digest) for digest in json.loads(line)]
        replies.write(b"finished\n" if set(ended) <= {"finished"} else b"left\n")
        replies.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
