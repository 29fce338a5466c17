"""Read the settings of an installation from the environment."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from shadowtime.engine.errors import InvalidParameter
from shadowtime.workers import private_redis

MEGABYTE = 10**6
GIGABYTE = 10**9

HOME = Path("~/.local/share/shadowtime").expanduser()
LOOPBACK = ("localhost", "127.0.0.1", "[::1]")
"""Names of this machine as seen from itself."""
EVERYBODY = "*"


@dataclass(frozen=True)
class Settings:
    """All settings with their defaults; `Settings.from_environment()` reads those that are set."""

    store: Path = HOME
    """SHADOWTIME_STORE: folder of records and blobs, unless the next two name other places; and of copies."""
    database: str = ""
    """SHADOWTIME_DATABASE: URL of the database of all records; empty = SQLite in the store."""
    blobs: str = ""
    """SHADOWTIME_BLOBS: `s3://bucket/prefix` for sources and tables; empty = the folder `blobs` of the store."""
    blob_cache: int = 10 * GIGABYTE
    """SHADOWTIME_BLOB_CACHE: bytes of copies from the bucket that the store's folder holds; 0 = any number."""
    redis_url: str = "redis://127.0.0.1:6379/0"
    """REDIS_URL: the queue's server; when not set, the private one that `shadowtime up` started for this store."""
    redis_given: bool = False
    """REDIS_URL was set: the server is managed elsewhere, unless it is on this machine and does not answer."""
    max_upload: int = 200 * MEGABYTE
    """SHADOWTIME_MAX_UPLOAD: bytes of an uploaded file."""
    max_unpacked: int = 2 * GIGABYTE
    """SHADOWTIME_MAX_UNPACKED: bytes of an uploaded file after decompression."""
    run_timeout: float = 3600.0
    """SHADOWTIME_RUN_TIMEOUT: seconds that a run may take."""
    run_memory: int = 8 * GIGABYTE
    """SHADOWTIME_RUN_MEMORY: bytes that a run may allocate; 0 = no limit."""
    idle_end: int = 0
    """SHADOWTIME_IDLE_END: seconds without work after which a worker ends; 0 = never."""
    max_segments: int = 100_000_000
    """SHADOWTIME_MAX_SEGMENTS: rectangles that a run may draw; 0 = any number."""
    max_queued: int = 500
    """SHADOWTIME_MAX_QUEUED: unfinished runs of one client; 0 = any number."""
    max_queued_site: int = 5000
    """SHADOWTIME_MAX_QUEUED_SITE: unfinished runs of all clients together; 0 = any number."""
    max_jobs: int = 100_000_000
    """SHADOWTIME_MAX_JOBS: jobs in unfinished runs of one client; 0 = any number."""
    max_jobs_site: int = 500_000_000
    """SHADOWTIME_MAX_JOBS_SITE: jobs in all unfinished runs; 0 = any number."""
    max_urgent: int = 20
    """SHADOWTIME_MAX_URGENT: unfinished runs of one client with the priority `high`; 0 = any number."""
    max_uploads: int = 240
    """SHADOWTIME_MAX_UPLOADS: workloads that one client may send or draw in a minute; 0 = any number."""
    max_uploads_site: int = 30
    """SHADOWTIME_MAX_UPLOADS_SITE: uploads of all clients at a time; 0 = any number."""
    max_streams: int = 20
    """SHADOWTIME_MAX_STREAMS: live streams of one client at a time; 0 = any number."""
    max_sweep_runs: int = 100_000
    """SHADOWTIME_SWEEP_RUNS: runs that a sweep may have."""
    max_sweeps: int = 20
    """SHADOWTIME_MAX_SWEEPS: unfinished sweeps of one client; 0 = any number."""
    max_sweeps_site: int = 200
    """SHADOWTIME_MAX_SWEEPS_SITE: unfinished sweeps of all clients together; 0 = any number."""
    token: str = field(default="", repr=False)
    """SHADOWTIME_TOKEN: the token that queueing, cancelling, deleting and uploading require; empty = none."""
    user_header: str = ""
    """SHADOWTIME_USER_HEADER: the header in which a trusted proxy names its user; empty = users have no names."""
    proxies: tuple[str, ...] = ()
    """SHADOWTIME_PROXIES: addresses and networks whose headers about their client are trusted."""
    editors: tuple[str, ...] = (EVERYBODY,)
    """SHADOWTIME_EDITORS: users of the proxy who may write; `*` = all users. The others may read."""
    hosts: tuple[str, ...] = LOOPBACK
    """SHADOWTIME_HOSTS: host names that requests to this server may use; none = any name."""

    derived: str = "memory"
    """SHADOWTIME_DERIVED: cache for figures of finished runs, `memory` or (for several web processes) `redis`."""

    audit: Path | None = None
    """SHADOWTIME_AUDIT: the file of the audit log; None = the database."""

    log: str = "text"
    """SHADOWTIME_LOG: format of logs, `text` for people or `json`, one object a line."""

    @property
    def access(self) -> str:
        """Return how write access is checked: `proxy`, `token`, or `open` when every client may write."""
        return "proxy" if self.user_header else "token" if self.token else "open"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Settings:
        """Return the settings of this process.

        Raises
        ------
        InvalidParameter
            For a value that is none, naming the variable and the rule.
        """
        given = os.environ if environment is None else environment
        store, url, audit = (given.get(name) for name in ("SHADOWTIME_STORE", "REDIS_URL", "SHADOWTIME_AUDIT"))
        place = Path(store).expanduser().resolve() if store else cls.store
        return cls(
            store=place,
            database=given.get("SHADOWTIME_DATABASE", "").strip(),
            blobs=_bucket(given),
            blob_cache=_number(given, "SHADOWTIME_BLOB_CACHE", int, cls.blob_cache, 0),
            redis_url=url or private_redis.running(place) or cls.redis_url,
            redis_given=bool(url),
            max_upload=_number(given, "SHADOWTIME_MAX_UPLOAD", int, cls.max_upload, 1),
            max_unpacked=_number(given, "SHADOWTIME_MAX_UNPACKED", int, cls.max_unpacked, 1),
            run_timeout=_number(given, "SHADOWTIME_RUN_TIMEOUT", float, cls.run_timeout, 1),
            run_memory=_number(given, "SHADOWTIME_RUN_MEMORY", int, cls.run_memory, 0),
            idle_end=_number(given, "SHADOWTIME_IDLE_END", int, cls.idle_end, 0),
            token=given.get("SHADOWTIME_TOKEN", "").strip(),
            **_proxy(given),
            editors=_names(given, "SHADOWTIME_EDITORS") or cls.editors,
            hosts=_hosts(given),
            max_sweep_runs=_number(given, "SHADOWTIME_SWEEP_RUNS", int, cls.max_sweep_runs, 1),
            max_sweeps=_number(given, "SHADOWTIME_MAX_SWEEPS", int, cls.max_sweeps, 0),
            max_sweeps_site=_number(given, "SHADOWTIME_MAX_SWEEPS_SITE", int, cls.max_sweeps_site, 0),
            max_segments=_number(given, "SHADOWTIME_MAX_SEGMENTS", int, cls.max_segments, 0),
            max_streams=_number(given, "SHADOWTIME_MAX_STREAMS", int, cls.max_streams, 0),
            max_queued=_number(given, "SHADOWTIME_MAX_QUEUED", int, cls.max_queued, 0),
            max_queued_site=_number(given, "SHADOWTIME_MAX_QUEUED_SITE", int, cls.max_queued_site, 0),
            max_jobs=_number(given, "SHADOWTIME_MAX_JOBS", int, cls.max_jobs, 0),
            max_jobs_site=_number(given, "SHADOWTIME_MAX_JOBS_SITE", int, cls.max_jobs_site, 0),
            max_urgent=_number(given, "SHADOWTIME_MAX_URGENT", int, cls.max_urgent, 0),
            max_uploads=_number(given, "SHADOWTIME_MAX_UPLOADS", int, cls.max_uploads, 0),
            max_uploads_site=_number(given, "SHADOWTIME_MAX_UPLOADS_SITE", int, cls.max_uploads_site, 0),
            audit=Path(audit).expanduser().resolve() if audit else None,
            log=_word(given, "SHADOWTIME_LOG", ("text", "json")),
            derived=_word(given, "SHADOWTIME_DERIVED", ("memory", "redis")),
        )


def _names(given: Mapping[str, str], name: str) -> tuple[str, ...]:
    """Split a list at its commas."""
    return tuple(part.strip() for part in given.get(name, "").split(",") if part.strip())


def _proxy(given: Mapping[str, str]) -> dict[str, Any]:
    """Return the header that names the user, and the proxies that are trusted to set it."""
    header = given.get("SHADOWTIME_USER_HEADER", "").strip()
    proxies = _names(given, "SHADOWTIME_PROXIES")
    for text in proxies:
        try:
            ipaddress.ip_network(text, strict=False)
        except ValueError:
            raise InvalidParameter(
                f"SHADOWTIME_PROXIES = {text[:80]!r}, but it must hold addresses and networks like 10.0.0.0/8"
            ) from None
    if header and not re.fullmatch(r"[A-Za-z0-9-]{1,64}", header):
        raise InvalidParameter(f"SHADOWTIME_USER_HEADER = {header[:80]!r}, but it must be the name of a header")
    if header and not proxies:
        raise InvalidParameter(
            "SHADOWTIME_USER_HEADER is set, but not SHADOWTIME_PROXIES, the addresses from which it is believed"
        )
    return {"user_header": header, "proxies": proxies}


def _hosts(given: Mapping[str, str]) -> tuple[str, ...]:
    """Return the host names that are set; else those of this machine if it listens on the loopback, or any."""
    named = _names(given, "SHADOWTIME_HOSTS")
    if named:
        return () if EVERYBODY in named else (*LOOPBACK, *(name.lower() for name in named))
    return LOOPBACK if listens_alone(given.get("HOST") or LOOPBACK[1]) else ()


def _bucket(given: Mapping[str, str]) -> str:
    url = given.get("SHADOWTIME_BLOBS", "").strip()
    if url and not url.startswith("s3://"):
        raise InvalidParameter(f"SHADOWTIME_BLOBS = {url[:80]!r}, but it must begin with s3://")
    return url


def listens_alone(host: str) -> bool:
    """Return whether a server at this address is reached from this machine only."""
    return host in (*LOOPBACK, "::1") or host.startswith("127.")


N = TypeVar("N", int, float)


def _number(given: Mapping[str, str], name: str, kind: Callable[[str], N], default: N, low: int) -> N:
    text = given.get(name)
    if not text:
        return default
    try:
        number = kind(text)
        if not low <= number < 2**63:
            raise ValueError
    except ValueError:
        what = "a whole number" if kind is int else "a number of seconds"
        raise InvalidParameter(f"{name} = {text[:80]!r}, but it must be {what}, {low} or more") from None
    return number


def _word(given: Mapping[str, str], name: str, choices: tuple[str, ...]) -> str:
    word = given.get(name, "").strip().lower() or choices[0]
    if word not in choices:
        raise InvalidParameter(f"{name} = {word[:80]!r}, but it must be one of {', '.join(choices)}")
    return word
