"""Write files and folders atomically: after a crash each is complete or absent."""

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
"""Prefix of names of files that are being written or deleted."""
_LIBC = ctypes.CDLL(None, use_errno=True)
WITHOUT_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)


def temporary(beside: Path) -> Path:
    """Return an unused name in the same folder."""
    return beside.parent / f"{TEMPORARY}{os.getpid()}-{secrets.token_hex(6)}"


def sync_directory(path: Path) -> None:
    """Flush the names in a folder to disk."""
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def sync_all(directory: Path) -> None:
    """Flush the file system of a folder to disk: for many small files at once."""
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
    """Write `content` under a name that no process reads yet; with `durable`, flushed to disk."""
    with open(path, "xb") as file:
        file.write(content)
        if durable:
            file.flush()
            os.fsync(file.fileno())


def replace_file(path: Path, content: bytes, *, durable: bool = True) -> None:
    """Replace the content of `path` atomically; with `durable`, flushed to disk."""
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
    """Create a folder under a temporary name beside `beside`, to be filled and renamed; deleted if it was not
    renamed."""
    name = temporary(beside)
    name.mkdir(parents=True)
    try:
        yield name
    finally:
        shutil.rmtree(name, ignore_errors=True)


def put_directory(filled: Path, path: Path) -> bool:
    """Give a filled folder its final name; return False when another process was first."""
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
    """Delete a folder atomically: it never stands half deleted under its name."""
    name = temporary(path)
    os.rename(path, name)
    sync_directory(path.parent)
    shutil.rmtree(name, ignore_errors=True)


@contextmanager
def locked(directory: Path, *, wait: bool = True) -> Iterator[None]:
    """Hold the exclusive lock of a folder.

    Raises
    ------
    FileNotFoundError
        When the folder is not there, or was removed while this process waited.
    BlockingIOError
        When another process holds the lock, and `wait` is False.
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
        # On a network file system without locks, replacing files atomically must suffice.
        if error.errno not in WITHOUT_LOCKS:
            raise


def sweep(directory: Path, older_than: float) -> None:
    """Remove temporary files that crashed processes left before the time `older_than` [s since 1970]."""
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
    """Replace `path` by `filled`; delete its former content."""
    if path.exists():
        os.rename(path, filled.with_name(f"old-{filled.name}"))
    os.rename(filled, path)


def clear(path: Path) -> None:
    """Remove a folder, which may be missing."""
    name = temporary(path)
    try:
        os.rename(path, name)
    except FileNotFoundError:
        return
    shutil.rmtree(name, ignore_errors=True)
