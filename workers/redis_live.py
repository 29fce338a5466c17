"""Keep the live tables of runs in Redis, for workers that share no folder with the web process.

The keys of a run begin with `tables:<digest>` and expire together:

tables:<digest>                             a hash: the token of the `writer`, and the layouts of its tables by name
tables:<digest>:<token>:<table>:<column>    the values of a column of `segments` or `events`
tables:<digest>:<token>:<table>             `open` or `jobs`, a packed table

A writer whose token is not in the hash (a later attempt began) writes nothing more. Each write is one script: it
compares the token and the lengths of the columns with those that the writer knows, and writes all columns or none. A
writer keeps a copy of its rows and sends them again to a Redis that lost some: readers see the first rows of the run,
or none.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from redis import Redis
from redis.exceptions import RedisError

from shadowtime.engine.tables import Table, rows
from shadowtime.workers.redis_names import Names
from shadowtime.workers.store.live_layout import layout_of, packed, types_of, unpacked
from shadowtime.workers.store.live_sink import LiveSink

log = logging.getLogger(__name__)

MOST = 64_000_000
"""Bytes of one run, in Redis and as a copy in its worker: some 700,000 jobs. When the next rows would exceed them, the
picture of the run stays as it is: neither rows nor `open` are written any more, and figures over ended jobs cover those
up to then. Progress in numbers goes on, and the finished tables replace it all."""
MOST_WHOLE = 16_000_000
"""Bytes of `open` or `jobs`, beyond which readers find none (viewers then take the jobs from the workload)."""
EXPIRY = 600
"""Seconds after the last write. The end of a run deletes its keys; this is for ends that Redis did not hear of. It is
longer than metrics and bounds take after the last slice, during which the picture shall stay."""
RENEW_EVERY = 60.0
"""Seconds without a write after which the keys are renewed nevertheless."""
TIMEOUT = 1.0
"""Seconds that one answer may take."""
RETRY_AFTER = 1.0
"""Seconds without a request after Redis did not answer, was slow or had lost rows: a run does not wait for it."""
LONGEST = 0.5
"""Seconds of sending after which the rest of the rows waits."""
PIECE = 1 << 20
"""Bytes of rows in one request."""
MOST_COLUMNS = 100
WRITER = "writer"
TOKEN = re.compile(rb"[0-9a-f]{16}")

SCRIPT = """
local writer = redis.call('HGET', KEYS[1], 'writer') or ''
if writer ~= ARGV[1] then return writer end
local at = 6
for i = 2, ARGV[5] + 1 do
    local length = tonumber(ARGV[at])
    if length >= 0 and redis.call('STRLEN', KEYS[i]) ~= length then return '' end
    at = at + 2 + ARGV[at + 1]
end
at = 6
for i = 2, ARGV[5] + 1 do
    if tonumber(ARGV[at]) < 0 then redis.call('DEL', KEYS[i]) end
    for part = at + 2, at + 1 + ARGV[at + 1] do redis.call('APPEND', KEYS[i], ARGV[part]) end
    at = at + 2 + ARGV[at + 1]
end
if ARGV[3] ~= '' then redis.call('HSET', KEYS[1], ARGV[3], ARGV[4]) end
for _, key in ipairs(KEYS) do redis.call('EXPIRE', key, ARGV[2]) end
return writer
"""
"""Write all or nothing. KEYS: the hash, keys to be written, other keys of the writer. ARGV: token, seconds until
expiry, name and layout of a table (or empty), number of keys to be written; then for each of these its expected length
(-1: it is replaced), number of parts, parts. Returns the token in the hash, or nothing where something is lost."""

T = TypeVar("T")


class RedisLive:
    """The live tables of all runs of a store in Redis."""

    def __init__(self, connection: Redis, identity: Callable[[], str]):
        """`identity` returns that of the store; it is called when first needed."""
        self._connection = connection
        self._identity = identity
        self._patience = Patience()

    def writer(self, digest: str) -> RedisLiveWriter:
        """Return the writer of a new attempt, which replaces what former attempts wrote with its first rows."""
        return RedisLiveWriter(self._connection, Names(self._identity()), digest)

    def tables(self, digest: str) -> RedisLiveTables:
        """Return the tables of a run."""
        return RedisLiveTables(self._connection, Names(self._identity()), digest, self._patience)

    def clear(self, digest: str) -> None:
        """Delete the tables of a run; where Redis does not answer, they expire."""
        self._patience.call(lambda: _clear(self._connection, _key(Names(self._identity()), digest)), None)


class Patience:
    """Makes requests that may fail, but none for RETRY_AFTER after one has failed."""

    def __init__(self) -> None:
        self._retry_at = 0.0
        self._is_away = False

    def call(self, request: Callable[[], T], otherwise: T) -> T:
        """Return the result of `request`, or `otherwise` where Redis does not answer; logs once an outage."""
        if time.monotonic() < self._retry_at:
            return otherwise
        try:
            result = request()
        except (RedisError, OSError) as error:
            if not self._is_away:
                log.warning("no live tables, Redis does not answer: %s", error)
            self._is_away = True
            self.pause()
            return otherwise
        self._is_away = False
        return result

    def pause(self) -> None:
        """Make no request for RETRY_AFTER."""
        self._retry_at = time.monotonic() + RETRY_AFTER


class RedisLiveWriter(LiveSink):
    """Append to `segments` and `events` of one attempt; replace `open` and `jobs` as a whole. Never raises when Redis
    does not answer: the rows wait for the next call."""

    def __init__(self, connection: Redis, names: Names, digest: str):
        self._connection = connection
        self._script = connection.register_script(SCRIPT)
        self._digest = digest
        self._key = _key(names, digest)
        self._token = secrets.token_hex(8)
        self._patience = Patience()
        self._growing: dict[str, _Growing] = {}
        self._whole: dict[str, bytes] = {}
        self._unsent: set[str] = set()
        self._has_begun = self._is_full = self._is_over = False
        self._written = 0.0

    def append(self, name: str, table: Mapping[str, np.ndarray]) -> None:
        """Append rows of `segments` or `events`."""
        if self._has_room(sum(values.nbytes for values in table.values())):
            if name not in self._growing:
                self._growing[name] = _Growing(table)
            self._growing[name].add(table)
        self._send()

    def replace(self, name: str, table: Mapping[str, np.ndarray]) -> None:
        """Replace a table that does not only grow."""
        content = packed(table) if sum(values.nbytes for values in table.values()) <= MOST_WHOLE else b""
        if self._has_room(len(content) - len(self._whole.get(name, b""))):
            self._whole[name] = content
            self._unsent.add(name)
        self._send()

    def close(self) -> None:
        """Write nothing more; what is written stays until it expires."""
        self._is_over = True
        self._growing, self._whole, self._unsent = {}, {}, set()

    def _has_room(self, size: int) -> bool:
        """Return whether the run may write `size` bytes more; from the first that do not fit on, it may not."""
        if self._is_full or self._is_over:
            return False
        used = sum(table.size for table in self._growing.values()) + sum(map(len, self._whole.values()))
        self._is_full = used + size > MOST
        if self._is_full:
            log.info("the live tables of run %s end here: they hold %d MB", self._digest[:16], MOST // 10**6)
        return not self._is_full

    def _send(self) -> None:
        if not self._is_over:
            self._patience.call(self._send_rest, None)

    def _send_rest(self) -> None:
        """Send what Redis does not have, rows first: as much as LONGEST allows."""
        if not self._has_begun:
            self._begin()
        until = time.monotonic() + LONGEST
        for name, table in self._growing.items():
            while table.is_behind:
                if time.monotonic() > until:
                    self._patience.pause()
                    return
                count, parts = table.piece()
                if not self._write([(f"{name}:{column}", *part) for column, part in parts.items()], name, table.layout):
                    return
                table.sent, table.is_known = table.sent + count, True
        for name in sorted(self._unsent):
            content = self._whole[name]
            cut = [content[at : at + PIECE] for at in range(0, len(content), PIECE)]
            if not self._write([(name, -1, cut)], name):
                return
            self._unsent.discard(name)
        if time.monotonic() > self._written + RENEW_EVERY:
            self._write([])

    def _begin(self) -> None:
        """Replace what former attempts wrote."""
        _clear(self._connection, self._key)
        with self._connection.pipeline() as pipe:
            pipe.hset(self._key, WRITER, self._token)
            pipe.expire(self._key, EXPIRY)
            pipe.execute()
        self._has_begun = True

    def _begin_again(self) -> None:
        """Send all rows again after a while, unless a later attempt has begun."""
        with self._connection.pipeline() as pipe:
            if keys := self._keys():
                pipe.unlink(*keys)
            pipe.hsetnx(self._key, WRITER, self._token)
            pipe.expire(self._key, EXPIRY)
            pipe.execute()
        for table in self._growing.values():
            table.sent, table.is_known = 0, False
        self._unsent = set(self._whole)

    def _write(self, changes: Sequence[tuple[str, int, list[bytes]]], name: str = "", layout: bytes = b"{}") -> bool:
        """Write parts of the keys of table `name`, each with the length that it must have; return whether they are
        written."""
        keys = [self._path(key) for key, _, _ in changes]
        rest = [key for key in self._keys() if key not in keys]
        given: list[Any] = [self._token, EXPIRY, name, layout, len(changes)]
        for _, length, parts in changes:
            given += [length, len(parts), *parts]
        writer = self._script([self._key, *keys, *rest], given)
        if writer == self._token.encode():
            self._written = time.monotonic()
        elif writer:
            log.info("another attempt of run %s writes its live tables", self._digest[:16])
            self.close()
        else:
            self._patience.pause()
            self._begin_again()
        return writer == self._token.encode()

    def _keys(self) -> list[str]:
        columns = [f"{name}:{column}" for name, table in self._growing.items() for column in table.types]
        return [self._path(key) for key in (*columns, *self._whole)]

    def _path(self, key: str) -> str:
        return f"{self._key}:{self._token}:{key}"


class _Growing:
    """Rows of a growing table, the first `sent` of which are in Redis."""

    def __init__(self, table: Mapping[str, np.ndarray]):
        self.types = {column: values.dtype for column, values in table.items()}
        self.layout = layout_of(table)
        self.sent = 0
        self.is_known = False
        """The layout is in Redis."""
        self._rows = 0
        self._columns = {column: bytearray() for column in table}

    @property
    def size(self) -> int:
        """Bytes of all rows."""
        return sum(map(len, self._columns.values()))

    @property
    def is_behind(self) -> bool:
        """Return whether there are rows that Redis does not have."""
        return self.sent < self._rows or not self.is_known

    def add(self, table: Mapping[str, np.ndarray]) -> None:
        """Append rows."""
        for column, values in self._columns.items():
            values += np.ascontiguousarray(table[column], self.types[column]).tobytes()
        self._rows += rows(table)

    def piece(self) -> tuple[int, dict[str, tuple[int, list[bytes]]]]:
        """Return the next rows to be sent: their number; and for each column its length before them and its bytes."""
        width = sum(dtype.itemsize for dtype in self.types.values())
        count = min(self._rows - self.sent, max(1, PIECE // width))
        parts = {}
        for column, dtype in self.types.items():
            first = self.sent * dtype.itemsize
            with memoryview(self._columns[column]) as values:
                parts[column] = first, [bytes(values[first : first + count * dtype.itemsize])]
        return count, parts


class RedisLiveTables:
    """Read what a RedisLiveWriter has written by now; nothing where Redis does not answer."""

    def __init__(self, connection: Redis, names: Names, digest: str, patience: Patience | None = None):
        self._connection = connection
        self._digest = digest
        self._key = _key(names, digest)
        self._patience = patience or Patience()

    def read(self, name: str, after: int = 0, limit: int | None = None) -> Table:
        """Return rows `after .. after + limit` of `segments` or `events`, as far as written; no columns before the
        first."""
        return self._ask(lambda: self._read(name, after, limit), {})

    def rows(self, name: str) -> int:
        """Return the number of complete rows of `segments` or `events`."""
        return self._ask(lambda: self._rows(name), 0)

    def whole(self, name: str) -> Table:
        """Return `open` (rectangles that still grow) or `jobs`; no columns when nothing was written."""
        return self._ask(lambda: self._whole(name), {})

    def _ask(self, request: Callable[[], T], otherwise: T) -> T:
        try:
            return self._patience.call(request, otherwise)
        except ValueError as error:
            log.warning("the live tables of run %s are not read: %s", self._digest[:16], error)
            return otherwise

    def _read(self, name: str, after: int, limit: int | None) -> Table:
        columns = self._columns(name)
        asked = MOST if limit is None else limit
        with self._connection.pipeline() as pipe:
            for key, dtype in columns.values():  # one more than asked for, since no range of Redis is empty
                last = min((after + asked + 1) * dtype.itemsize, MOST)
                pipe.getrange(key, after * dtype.itemsize, last - 1)
            found = pipe.execute()
        pairs = list(zip(found, columns.items(), strict=True))
        count = min([asked, *(len(content) // dtype.itemsize for content, (_, (_, dtype)) in pairs)])
        return {column: np.frombuffer(content, dtype, count).copy() for content, (column, (_, dtype)) in pairs}

    def _rows(self, name: str) -> int:
        columns = self._columns(name)
        with self._connection.pipeline() as pipe:
            for key, _ in columns.values():
                pipe.strlen(key)
            lengths = pipe.execute()
        types = [dtype for _, dtype in columns.values()]
        return min((size // dtype.itemsize for size, dtype in zip(lengths, types, strict=True)), default=0)

    def _whole(self, name: str) -> Table:
        token, _ = self._head(name)
        content: Any = self._connection.getrange(f"{self._key}:{token}:{name}", 0, MOST_WHOLE - 1) if token else b""
        return unpacked(content) if content else {}

    def _columns(self, name: str) -> dict[str, tuple[str, np.dtype]]:
        """Return key and type of each column; none where there is no such table."""
        token, layout = self._head(name)
        types = types_of(layout) if token else {}
        if len(types) > MOST_COLUMNS:
            raise ValueError(f"a table of {len(types):,} columns")
        return {column: (f"{self._key}:{token}:{name}:{column}", dtype) for column, dtype in types.items()}

    def _head(self, name: str) -> tuple[str, bytes]:
        """Return the writer's token, empty without one, and the layout of a table."""
        found: Any = self._connection.hmget(self._key, [WRITER, name])
        return _token(found[0]), found[1] or b"{}"


def _key(names: Names, digest: str) -> str:
    return names.key(f"tables:{digest}")


def _token(found: bytes | None) -> str:
    """Return the token of a writer; empty where there is none."""
    if found is None:
        return ""
    if not TOKEN.fullmatch(found):
        raise ValueError(f"{found[:40]!r} is no token")
    return found.decode()


def _clear(connection: Redis, key: str) -> None:
    """Delete the tables of a run, whichever process wrote them."""
    head: Any = connection.hgetall(key)
    token = head.pop(WRITER.encode(), b"").decode("ascii", "replace")
    keys = [key]
    for name, layout in head.items():
        table = f"{key}:{token}:{name.decode('utf-8', 'replace')}"
        try:
            keys += [table, *(f"{table}:{column}" for column in json.loads(layout))]
        except (ValueError, TypeError, RecursionError):
            continue
    connection.unlink(*keys)
