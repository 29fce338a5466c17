"""The classes of bytes of each kind of file in a store: which bytes a file has, by what they mean.

A class has a name, such as `records.sqlite: runs.status` or `blob: value`, and all places at which its bytes stand.
"""

from __future__ import annotations

import json
import sqlite3
import struct
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from shadowtime.workers.store.live import PIECE as LIVE_PIECE

Places = dict[str, list[int]]
HEADER = 100
INTERIOR = (2, 5)
"""Types of pages with children: of an index, of a table."""
TABLE_LEAF, INDEX_LEAF, TABLE_INTERIOR, INDEX_INTERIOR = 13, 10, 5, 2
KINDS = {TABLE_LEAF: "leaf", INDEX_LEAF: "leaf", TABLE_INTERIOR: "inner page", INDEX_INTERIOR: "inner page"}
FRAME_HEADER, LOG_HEADER = 24, 32


@dataclass(frozen=True)
class Tree:
    """A table or an index, with the names of the columns of its records."""

    name: str
    root: int
    columns: list[str]


class SQLite:
    """A file of SQLite, page by page, as its documentation of the format has it."""

    def __init__(self, path: Path):
        self.content = path.read_bytes()
        size = struct.unpack_from(">H", self.content, 16)[0]
        self.size = 65536 if size == 1 else size
        self.usable = self.size - self.content[20]
        self.found: dict[str, list[int]] = defaultdict(list)
        self.trees = list(_trees(path))

    def places(self) -> Places:
        """All classes with their places."""
        for at in range(HEADER):
            self.found["header"].append(at)
        for tree in self.trees:
            self._page(tree, tree.root)
        self._freelist()
        return dict(self.found)

    def _mark(self, name: str, first: int, length: int = 1) -> None:
        self.found[name] += range(first, first + length)

    def _page(self, tree: Tree, number: int) -> None:
        start = (number - 1) * self.size
        head = start + (HEADER if number == 1 else 0)
        kind, freeblock, cells, begin, _ = struct.unpack_from(">BHHHB", self.content, head)
        length = 12 if kind in INTERIOR else 8
        self._mark(f"{tree.name}: header of a {KINDS[kind]}", head, length)
        self._mark(f"{tree.name}: pointers to cells", head + length, 2 * cells)
        gap = head + length + 2 * cells
        self._mark("space that no cell has", gap, max(0, start + (begin or 65536) - gap))
        while freeblock:
            following, size = struct.unpack_from(">HH", self.content, start + freeblock)
            self._mark("freed blocks", start + freeblock, size)
            freeblock = following
        for n in range(cells):
            (place,) = struct.unpack_from(">H", self.content, head + length + 2 * n)
            self._cell(tree, kind, start + place)
        if kind in INTERIOR:
            self._page(tree, struct.unpack_from(">I", self.content, head + 8)[0])

    def _cell(self, tree: Tree, kind: int, at: int) -> None:
        if kind in INTERIOR:
            self._mark(f"{tree.name}: children", at, 4)
            self._page(tree, struct.unpack_from(">I", self.content, at)[0])
            at += 4
        if kind == TABLE_INTERIOR:
            self._mark(f"{tree.name}: row ids of inner pages", at, _varint(self.content, at)[1])
            return
        size, n = _varint(self.content, at)
        self._mark(f"{tree.name}: lengths of cells", at, n)
        at += n
        if kind == TABLE_LEAF:
            n = _varint(self.content, at)[1]
            self._mark(f"{tree.name}: row ids", at, n)
            at += n
        local = self._local(size, is_leaf_of_table=kind == TABLE_LEAF)
        bytes_of = list(range(at, at + local))
        if local < size:
            self._mark(f"{tree.name}: pointers to overflow", at + local, 4)
            bytes_of += self._overflow(tree, struct.unpack_from(">I", self.content, at + local)[0], size - local)
        self._record(tree, bytes_of)

    def _local(self, size: int, *, is_leaf_of_table: bool) -> int:
        """How many bytes of a record its page holds; the rest is in overflow pages."""
        most = self.usable - 35 if is_leaf_of_table else (self.usable - 12) * 64 // 255 - 23
        if size <= most:
            return size
        least = (self.usable - 12) * 32 // 255 - 23
        local = least + (size - least) % (self.usable - 4)
        return local if local <= most else least

    def _overflow(self, tree: Tree, number: int, left: int) -> list[int]:
        found: list[int] = []
        while number and left:
            start = (number - 1) * self.size
            self._mark(f"{tree.name}: chains of overflow", start, 4)
            here = min(left, self.usable - 4)
            found += range(start + 4, start + 4 + here)
            left -= here
            (number,) = struct.unpack_from(">I", self.content, start)
        return found

    def _record(self, tree: Tree, places: list[int]) -> None:
        record = bytes(self.content[place] for place in places)
        head, at = _varint(record, 0)
        self.found[f"{tree.name}: lengths of headers"] += places[:at]
        types = []
        while at < head:
            kind, n = _varint(record, at)
            self.found[f"{tree.name}.{tree.columns[len(types)]}: type"] += places[at : at + n]
            types.append(kind)
            at += n
        for name, kind in zip(tree.columns, types, strict=False):
            n = _length(kind)
            self.found[f"{tree.name}.{name}"] += places[at : at + n]
            at += n

    def _freelist(self) -> None:
        number, _ = struct.unpack_from(">II", self.content, 32)
        while number:
            start = (number - 1) * self.size
            following, n = struct.unpack_from(">II", self.content, start)
            self._mark("list of free pages", start, 8 + 4 * n)
            for page in struct.unpack_from(f">{n}I", self.content, start + 8):
                self._mark("free pages", (page - 1) * self.size, self.size)
            number = following


def log_places(path: Path) -> Places:
    """The classes of a write-ahead log: its header, and headers and pages of its frames."""
    content = path.read_bytes()
    (size,) = struct.unpack_from(">I", content, 8)
    found: dict[str, list[int]] = defaultdict(list)
    fields = ("magic", "format", "page size", "sequence", "salt", "salt", "checksum", "checksum")
    for n, field in enumerate(fields):
        found[f"header: {field}"] += range(4 * n, 4 * n + 4)
    frames = range(LOG_HEADER, len(content) - size - FRAME_HEADER + 1, size + FRAME_HEADER)
    last = max(at for at in frames)
    for at in frames:
        of = "last frame" if at == last else "frame"
        for n, field in enumerate(("page", "size", "salt", "salt", "checksum", "checksum")):
            found[f"{of}: {field}"] += range(at + 4 * n, at + 4 * n + 4)
        found[f"{of}: content"] += range(at + FRAME_HEADER, at + FRAME_HEADER + size)
    return dict(found)


def table_places(path: Path) -> Places:
    """The classes of the file of a table: its layout, padding, and the values of each column."""
    content = path.read_bytes()
    end = content.index(b"\n")
    layout = json.loads(content[:end])
    text = len(content[:end].rstrip())
    found = {"layout": list(range(text)), "padding of the layout": list(range(text, end)), "line end": [end]}
    taken = set(range(end + 1))
    for name, kind, n, place in layout["columns"]:
        width = int(kind[2:])
        found[f"values of {name}"] = list(range(place, place + n * width))
        taken.update(found[f"values of {name}"])
    found["padding of columns"] = [at for at in range(len(content)) if at not in taken]
    return {name: places for name, places in found.items() if places}


def gzip_places(path: Path) -> Places:
    """The classes of a gzipped file."""
    n = path.stat().st_size
    return {
        "magic": [0, 1], "method": [2], "flags": [3], "time": [4, 5, 6, 7], "extra flags": [8], "system": [9],
        "deflated": list(range(10, n - 8)), "checksum": list(range(n - 8, n - 4)), "length": list(range(n - 4, n)),
    }  # fmt: skip


def whole_places(path: Path) -> Places:
    """One class: all bytes of a file."""
    n = path.stat().st_size
    return {"content": list(range(n))} if n else {}


def packed_places(path: Path) -> Places:
    """The classes of a live table, which is one piece or several."""
    content = path.read_bytes()
    line = content.index(b"\n")
    found = {
        "checksum": list(range(8)),
        "layout": list(range(8, line + 1)),
        "values": list(range(line + 1, len(content))),
    }
    return {name: places for name, places in found.items() if places}


def index_places(path: Path) -> Places:
    """The classes of the index of a live table."""
    size, found = LIVE_PIECE.itemsize, {}
    for name in LIVE_PIECE.names:
        kind, first = LIVE_PIECE.fields[name][:2]
        found[name] = [
            n + at for n in range(0, path.stat().st_size, size) for at in range(first, first + kind.itemsize)
        ]
    return found


def json_places(path: Path) -> Places:
    """The classes of a JSON text: its punctuation, its words, and its numbers."""
    found: dict[str, list[int]] = defaultdict(list)
    for at, letter in enumerate(path.read_bytes()):
        kind = "digits" if 48 <= letter <= 57 else "words" if chr(letter).isalpha() or letter > 127 else "punctuation"
        found[kind].append(at)
    return dict(found)


def chosen(places: list[int], most: int) -> list[int]:
    """Up to `most` of the places of a class, from its first to its last."""
    if len(places) <= most:
        return places
    return sorted({places[round(n * (len(places) - 1) / (most - 1))] for n in range(most)}) if most > 1 else places[:1]


def _trees(path: Path) -> Iterator[Tree]:
    base = sqlite3.connect(path)
    try:
        rows = base.execute("SELECT type, name, tbl_name, rootpage FROM sqlite_master WHERE rootpage > 0").fetchall()
        yield Tree("sqlite_master", 1, ["type", "name", "tbl_name", "rootpage", "sql"])
        for kind, name, of, root in rows:
            if kind == "table":
                columns = [row[1] for row in base.execute(f"PRAGMA table_info('{name}')")]
            else:
                columns = [row[2] or "rowid" for row in base.execute(f"PRAGMA index_xinfo('{name}')")]
                name = f"index {name.replace(f'sqlite_autoindex_{of}', f'of the key of {of}')}"
            yield Tree(name, root, columns)
    finally:
        base.close()


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """A number of SQLite's variable length, and its bytes."""
    value = 0
    for n in range(8):
        value = value << 7 | content[at + n] & 0x7F
        if not content[at + n] & 0x80:
            return value, n + 1
    return value << 8 | content[at + 8], 9


def _length(kind: int) -> int:
    """Bytes of a value of a type of a record."""
    if kind >= 12:
        return (kind - 12) // 2
    return (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)[kind]
