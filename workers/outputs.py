"""Write the files that a command was asked for, whole or not at all."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import BinaryIO


@contextmanager
def written(path: Path) -> Iterator[BinaryIO]:
    """Open a file for writing that takes the place of `path` at the end of the block.

    After an error, a full disk or Ctrl-C, `path` is what it was before. A pipe, a device, and a file in a folder that
    takes no other file are written as they are.

    Raises
    ------
    OSError
        With the name of `path`, where it cannot be written or the disk has no room.
    """
    target = Path(os.path.realpath(path))  # of /dev/stdout at a pipe: `/proc/9/fd/pipe:[7]`, which is no file
    if path.exists() and not (target.is_file() and os.access(target.parent, os.W_OK)):
        with path.open("wb") as stream:
            yield stream
        return
    draft = target.with_name(f".{target.name[:100]}.{secrets.token_hex(4)}.part")
    try:
        with draft.open("xb") as stream:
            if target.exists():  # before anything is written that others may not read
                os.fchmod(stream.fileno(), target.stat().st_mode & 0o7777)
            yield stream
        draft.replace(target)
    except OSError as error:
        if error.filename in (None, str(draft)) and error.errno is not None:
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
    finally:
        draft.unlink(missing_ok=True)


def write(path: Path, content: bytes | str) -> None:
    """Write a whole file; a text in UTF-8."""
    with written(path) as stream:
        stream.write(content.encode() if isinstance(content, str) else content)


def write_all(folder: Path, files: Iterable[tuple[str, Iterable[bytes | str]]]) -> None:
    """Write contents, given in pieces, texts in UTF-8, to files of a folder, which is made where it is missing.

    After an error while they are written, all files are what they were before.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with ExitStack() as opened:
        for name, pieces in files:
            stream = opened.enter_context(written(folder / name))
            stream.writelines(piece.encode() if isinstance(piece, str) else piece for piece in pieces)
            stream.flush()  # a full disk is an error here, before the first file is replaced
