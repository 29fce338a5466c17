"""Keep workers out of a laboratory that do not fit it.

Each web process records, when it starts, its engine version and where its blobs lie: the last one says how the
laboratory is. A worker of another engine would fail whatever the web process accepts; results that a worker puts
elsewhere would be missing. Such a worker takes no work.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from shadowtime.engine.errors import EngineError
from shadowtime.workers.records import facts
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import Store, disk
from shadowtime.workers.version import engine_version

if TYPE_CHECKING:
    from shadowtime.workers.records.store import RecordStore

ENGINE, BLOBS = "engine", "blobs"
FOLDER = "a folder"
MARK = "laboratory"
"""File in the folder of a store with the identity of the laboratory whose blobs lie there."""
PATIENCE = 10.0
"""Seconds that a worker waits at its start: after an update, the web process may start later than its workers."""
LOOK_EVERY = 0.5


class Misfit(EngineError):
    """This worker does not fit the laboratory."""


def record(store: Store, settings: Settings) -> None:
    """Record how the laboratory is: as this process."""
    known = facts.known(store.database, (ENGINE, BLOBS))
    for name, value in {ENGINE: engine_version(), BLOBS: _place(settings)}.items():
        if known.get(name) != value:
            facts.record(store.database, name, value)
    if _needs_mark(store, settings) and not _is_marked(store, settings):
        disk.replace_file(_mark(settings), store.identity.encode())


def require_blobs(store: RecordStore, settings: Settings) -> None:
    """Raise Misfit where blobs that are used were left behind in another place than that of the settings. Else each
    run that is looked at would be marked as damaged, for good."""
    known, own = facts.known(store.database, (BLOBS,)).get(BLOBS), _place(settings)
    if known is None or known == own:
        return
    missing = len(set(store.shelf.used()).difference(store.shelf.blobs.digests()))
    if missing:
        raise Misfit(
            f"the laboratory keeps blobs in {known}, and {missing:,} of them {'is' if missing == 1 else 'are'} not in "
            f"{own}: copy them there, or set SHADOWTIME_BLOBS as it was"
        )


def check(store: Store, settings: Settings) -> None:
    """Raise Misfit if this process does not fit the laboratory; one without a web process takes every worker."""
    known = facts.known(store.database, (ENGINE, BLOBS))
    engine, own = known.get(ENGINE, engine_version()), engine_version()
    if engine != own:
        raise Misfit(
            f"the laboratory has engine {engine}, but this worker has {own}: install the same version of Shadowtime"
        )
    place, mine = known.get(BLOBS, _place(settings)), _place(settings)
    if place != mine:
        raise Misfit(
            f"the laboratory keeps blobs in {place}, but this worker keeps them in {mine}: SHADOWTIME_BLOBS must be "
            "the same"
        )
    if BLOBS in known and _needs_mark(store, settings) and not _is_marked(store, settings):
        raise Misfit(
            f"the laboratory keeps blobs in another folder than {settings.store}: share one folder, or set "
            "SHADOWTIME_BLOBS"
        )


def wait(store: Store, settings: Settings, patience: float = PATIENCE) -> None:
    """Wait until this process fits the laboratory; raise Misfit after `patience` seconds."""
    until = time.monotonic() + patience
    while True:
        try:
            return check(store, settings)
        except Misfit:
            if time.monotonic() > until:
                raise
        time.sleep(LOOK_EVERY)


def is_of_another(store: Store, settings: Settings) -> bool:
    """Return whether the folder of the store says that its blobs belong to another laboratory."""
    return not settings.blobs and _mark(settings).exists() and not _is_marked(store, settings)


def owns_blobs(store: Store, settings: Settings) -> bool:
    """Return whether the blobs are known to belong to these records: they lie beside them, in a bucket, or in a folder
    that says so."""
    return not _needs_mark(store, settings) or _is_marked(store, settings)


def _place(settings: Settings) -> str:
    return settings.blobs.rstrip("/") or FOLDER


def _needs_mark(store: Store, settings: Settings) -> bool:
    """Return whether blobs lie in the folder and the records elsewhere."""
    return not (settings.blobs or (store.database.is_sqlite and _folder_of(store) == settings.store.resolve()))


def _folder_of(store: Store) -> Path:
    """Return the folder of a database of SQLite."""
    return Path(str(store.database.engine.url.database)).resolve().parent


def _is_marked(store: Store, settings: Settings) -> bool:
    try:
        return _mark(settings).read_bytes() == store.identity.encode()
    except FileNotFoundError:
        return False


def _mark(settings: Settings) -> Path:
    return settings.store / MARK
