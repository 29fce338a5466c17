"""The console script `shadowtime`: one file a command, which loads what it needs when it runs.

Exit codes: 0 done, 2 the question is wrong (one line on standard error, nothing on standard output), 1 it failed.
"""

from __future__ import annotations

import atexit
import errno
import gc
import io
import os
import sys
from collections.abc import Sequence
from typing import cast

from shadowtime.dashboard.cli.parser import Refusal, parse, reason

INTERRUPTED = 130
BROKEN_PIPE = 141
UNWRITTEN = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
"""What writing fails with where a disk or a device takes nothing; an error of standard output names no file."""
REFUSED = (*UNWRITTEN, errno.EROFS, errno.EACCES, errno.EPERM, errno.EISDIR, errno.ENOTDIR, errno.ENOENT)
"""Errors of the system that are no fault of the program, where the error names a file."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; `arguments` default to those of the process. Gives its exit code."""
    open_streams()
    try:
        try:
            options = parse(arguments)
            options.owns_process = arguments is None
            if options.owns_process:
                atexit.register(gc.freeze)  # as `processes.end_quickly`, whose imports take 20 ms
            return answer(options)
        finally:
            sys.stdout.flush()
    except Refusal as refusal:
        print(refusal, file=sys.stderr)
        return 2
    except BrokenPipeError:
        # The reader of our output has gone (`shadowtime list ... | head`): it needs no more.
        discard_output()
        return BROKEN_PIPE
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as error:
        if error.errno not in (REFUSED if error.filename else UNWRITTEN):
            raise
        if error.filename:
            print(f"{error.filename}: {reason(error)}", file=sys.stderr)
            return 1
        discard_output()
        print(f"the output was not written: {reason(error)}", file=sys.stderr)
        return 1


def open_streams() -> None:
    """Have both outputs take every text: one that is closed drops it, one without our characters gets question
    marks."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115
    is_own = sys.stdout is sys.__stdout__  # not that of a caller who takes what is printed
    if is_own and isinstance(sys.stdout, io.TextIOWrapper) and isinstance(sys.stdout.buffer, io.RawIOBase):
        # Under PYTHONUNBUFFERED a full disk may take a part of what is written, and no error says so.
        encoding, errors = sys.stdout.encoding, sys.stdout.errors
        buffered = io.BufferedWriter(cast(io.RawIOBase, sys.stdout.detach()))
        sys.stdout = io.TextIOWrapper(buffered, encoding=encoding, errors=errors, line_buffering=True)
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.encoding.lower() != "utf-8":
        sys.stdout.reconfigure(errors="replace")


def discard_output() -> None:
    """Drop what was not written, and what is from now on."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def answer(options) -> int:
    """Run the chosen command; what the engine refuses or fails at becomes one line and a code."""
    from shadowtime.engine.errors import EngineError, QuestionError
    from shadowtime.engine.platform import advise
    from shadowtime.engine.registry import families

    try:
        families()  # a plug-in that cannot be loaded ends each command before it begins
        return options.run(options)
    except QuestionError as error:
        raise Refusal(advise(str(error), "(--processors N)")) from error
    except EngineError as error:
        print(error, file=sys.stderr)
        return 1
