"""Writes that a crash cannot tear: a file or folder is there whole, or not at all."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TEMPORARY = ".tmp-"
"""How names begin that are not there yet, or no more."""
_LIBC = ctypes.CDLL(None, use_errno=True)
WITHOUT_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)


def temporary(beside: Path) -> Path:
    """A name in the same folder that nobody else has."""
    return beside.parent / f"{TEMPORARY}{os.getpid()}-{secrets.token_hex(6)}"


def sync_directory(path: Path) -> None:
    """The names in a folder, on disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_all(directory: Path) -> None:
    """All that was written to the file system of a folder, on disk: for many small files at once."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if hasattr(_LIBC, "syncfs"):
            if _LIBC.syncfs(descriptor) != 0:
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), str(directory))
        else:
            os.sync()
    finally:
        os.close(descriptor)


def write_new(path: Path, content: bytes, *, durable: bool = True) -> None:
    """`content` under a name that nobody looks at yet; with `durable`, on disk when this returns."""
    with open(path, "xb") as file:
        file.write(content)
        if durable:
            file.flush()
            os.fsync(file.fileno())


def replace_file(path: Path, content: bytes, *, durable: bool = True) -> None:
    """`path` holds its old content or all of the new; with `durable`, on disk when this returns."""
    name = temporary(path)
    try:
        with open(name, "xb") as file:
            file.write(content)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        os.replace(name, path)
    except BaseException:
        name.unlink(missing_ok=True)
        raise
    if durable:
        sync_directory(path.parent)


@contextmanager
def new_directory(beside: Path) -> Iterator[Path]:
    """A folder under a temporary name in the same folder as `beside`, to be filled and renamed; gone if it was not."""
    name = temporary(beside)
    name.mkdir(parents=True)
    try:
        yield name
    finally:
        shutil.rmtree(name, ignore_errors=True)


def put_directory(filled: Path, path: Path) -> bool:
    """Give a filled folder its name, for good; False when somebody else's is there already."""
    sync_directory(filled)
    try:
        os.rename(filled, path)
    except OSError:
        if path.is_dir():
            return False
        raise
    sync_directory(path.parent)
    return True


def remove_directory(path: Path) -> None:
    """A folder is there, or is gone; never half of it under its name."""
    name = temporary(path)
    os.rename(path, name)
    sync_directory(path.parent)
    shutil.rmtree(name, ignore_errors=True)


@contextmanager
def locked(directory: Path, *, wait: bool = True) -> Iterator[None]:
    """Alone among all processes that say `locked` of this folder.

    Raises
    ------
    FileNotFoundError
        When the folder is not there, or was removed while we waited.
    BlockingIOError
        When somebody else is alone there, and we are not to `wait`.
    """
    name = directory / ".lock"
    while True:
        descriptor = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            _lock(descriptor, wait)
            ours, theirs = os.fstat(descriptor), os.stat(name)
            if (ours.st_ino, ours.st_dev) == (theirs.st_ino, theirs.st_dev):
                yield
                return
        finally:
            os.close(descriptor)


def _lock(descriptor: int, wait: bool) -> None:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # A network file system without locks: what remains is that every file is replaced whole.
        if error.errno not in WITHOUT_LOCKS:
            raise


def sweep(directory: Path, older_than: float) -> None:
    """Remove what crashed processes left under temporary names before the time `older_than` [s since 1970]."""
    try:
        with os.scandir(directory) as entries:
            left = [entry for entry in entries if entry.name.startswith(TEMPORARY)]
    except FileNotFoundError:
        return
    for entry in left:
        try:
            if entry.stat(follow_symlinks=False).st_mtime >= older_than:
                continue
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path, ignore_errors=True)
            else:
                os.unlink(entry.path)
        except FileNotFoundError:
            continue


def exchange_directory(filled: Path, path: Path) -> None:
    """`path` is what `filled` was; what it was before is gone."""
    if path.exists():
        os.rename(path, filled.with_name(f"old-{filled.name}"))
    os.rename(filled, path)


def clear(path: Path) -> None:
    """Remove a folder that need not be there."""
    name = temporary(path)
    try:
        os.rename(path, name)
    except FileNotFoundError:
        return
    shutil.rmtree(name, ignore_errors=True)
