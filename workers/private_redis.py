"""The private Redis of a store on this machine: a Unix socket that only this user can reach.

`shadowtime up` uses it where neither REDIS_URL nor a server on this machine is there. Its processes find it by the path
of the store, so that a second `up` or another command on the same store joins the first.
"""

from __future__ import annotations

import hashlib
import os
import stat
import tempfile
from pathlib import Path

from shadowtime.engine.errors import EngineError

SHARED = "redis://127.0.0.1:6379/0"
"""The server that other programs of this machine may use too."""

LONGEST = 107
"""Bytes of the path of a socket."""


class NotPrivate(EngineError):
    """Another user owns the folder of sockets, or can open it."""


def place_of(store: Path) -> Path:
    """Return the path of the socket of a store, which does not get longer with the store's own."""
    name = f"{hashlib.sha256(os.fsencode(store.resolve())).hexdigest()[:16]}.sock"
    places = [Path(place) / f"shadowtime-{os.getuid()}" for place in (tempfile.gettempdir(), "/tmp")]
    return next((place for place in places if len(os.fsencode(place / name)) <= LONGEST), places[-1]) / name


def socket_of(store: Path) -> Path:
    """Return the path of the socket of a store, in a folder that is made if it is missing.

    Raises
    ------
    NotPrivate
        If the folder of sockets is not this user's alone.
    """
    path = place_of(store)
    folder = path.parent
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
        raise NotPrivate(f"{folder} must be a folder that only this user can open (chmod 700); set REDIS_URL otherwise")
    return path


def url_of(store: Path) -> str:
    """Return the URL of the private server of a store; raises as `socket_of`."""
    return f"unix://{socket_of(store)}?db=0"


def running(store: Path) -> str | None:
    """Return the URL of the private server of a store if it answers; None otherwise."""
    if not place_of(store).exists():
        return None
    from shadowtime.workers.connection import answers  # redis takes 0.08 s to import

    try:
        url = url_of(store)
    except NotPrivate:  # then it is not ours
        return None
    return url if answers(url, 0.5) else None


def chosen(store: Path) -> str:
    """Return the URL for a laboratory without REDIS_URL: a private server that runs, a server on this machine that asks
    for no password, else the private one, which is to be started."""
    from shadowtime.workers.connection import takes_commands

    return running(store) or (SHARED if takes_commands(SHARED) else url_of(store))
