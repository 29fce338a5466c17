"""Flip bits in each class of bytes of each kind of file in a small store: it is noticed, or the answers are the same.

Each flip is made in a copy of the store, which a forked process opens and asks everything (`tests.chaos.small_store`).
What must hold:

- no answer is an error that no one foresaw;
- an answer is the one of the whole store; or a refusal in a sentence; or it shows what is damaged as damaged;
- where any answer differs, a refusal says why or `store check` names a fault;
- what a worker does by itself deletes no blob that is needed.

python -m tests.chaos.flips [--most N] [--every N] [--only WORDS] prints a line of JSON for each kind of file.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import pickle
import re
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shadowtime.workers.records.database import FILE
from shadowtime.workers.redis_server import Server
from tests.chaos import places
from tests.chaos.answers import bounds_apart
from tests.chaos.small_store import Answers, answers, build, files_of, needed, unpacked
from tests.chaos.steps import hurried, quietly

SAME, NOTICED, WRONG = "same", "noticed", "wrong"
LOG = f"{FILE}-wal"
BITS = (0x01, 0x80)
REFUSALS = (404, 409, 503)
GONE = ("failed", "deleted", "damaged")
"""States as which something damaged is shown."""
FAILED = b'"status":"failed"'
BLOCKS = re.compile(r"(\d+) blocks?\b")
CSV_OF_RUNS = b"run,status,"
UNNAMED = re.compile(r"\bworkload [0-9a-f]{8}\b")
"""How a workload is called whose name is not known."""
RECOVERED = "recovered-"
"""How the name begins of a workload whose facts were read from its source again."""


@dataclass
class Report:
    """What came of the flips in one kind of file."""

    kind: str
    classes: int = 0
    flips: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0


@dataclass(frozen=True)
class Flip:
    """A bit of a file, and what it stands for."""

    kind: str
    """Of the file."""
    place: str
    """The class of the byte."""
    file: str
    at: int
    bit: int

    def __str__(self) -> str:
        return f"{self.kind}, {self.place} ({self.file} at {self.at}, bit {self.bit:#x})"


class Flips:
    """All flips of a store that is built in `folder`."""

    def __init__(self, folder: Path, redis: str):
        self.folder = folder
        self.whole, self.logged, self.copy = (folder / name for name in ("whole", "logged", "copy"))
        self.known = self._apart(lambda: build(self.whole, redis))
        shutil.copytree(self.whole, self.logged)  # its process has ended without closing: its log is there
        self._apart(lambda: needed(self.whole) and None)  # closed: the log is in the database
        self.needed = self._apart(lambda: needed(self.whole))
        self._right(
            self.whole, in_here=True
        )  # everything that is imported late is there for all copies of this process
        self.right = {self.whole: self._right(self.whole), self.logged: self._right(self.logged)}

    def all(self, most: int) -> Iterator[Flip]:
        """Each bit that is to be flipped: up to `most` places of each class."""
        for kind, file, found in self._classes():
            for place, at in found.items():
                for byte in places.chosen(at, most):
                    yield from (Flip(kind, place, file, byte, bit) for bit in BITS)

    def sampled(self, most: int, words: str, every: int) -> Iterator[Flip]:
        """Each `every`-th of the flips in each kind of file that `words` are in, the first from the middle of these."""
        kinds: dict[str, list[Flip]] = {}
        for flip in self.all(most):
            if words in str(flip):
                kinds.setdefault(flip.kind, []).append(flip)
        for found in kinds.values():
            yield from found[min(every, len(found)) // 2 :: every]

    def outcome(self, flip: Flip) -> tuple[str, str]:
        """What came of a flip: SAME, NOTICED or WRONG, and a sentence."""
        source = self.logged if flip.file == LOG else self.whole
        shutil.rmtree(self.copy, ignore_errors=True)
        shutil.copytree(source, self.copy)
        path = self.copy / flip.file
        content = bytearray(path.read_bytes())
        content[flip.at] ^= flip.bit
        path.write_bytes(content)
        found = self._apart(self._answers)
        if isinstance(found, str):
            return WRONG, found
        right, volatile = self.right[source]
        needed = self.needed - {Path(flip.file).name}
        return judged(right, found, volatile, needed)

    def _classes(self) -> Iterator[tuple[str, str, places.Places]]:
        """Kind, name, and classes of bytes of each file."""
        for file in files_of(self.whole):
            path, top = self.whole / file, file.partition("/")[0]
            if file == FILE:
                yield "database", file, places.SQLite(path).places()
            elif top == "blobs" and path.read_bytes()[:2] == b"\x1f\x8b":
                yield "source", file, places.gzip_places(path)
            elif top == "blobs" or path.suffix == ".table":
                yield "table" if top == "blobs" else "parse", file, places.table_places(path)
            elif path.suffix == ".json":
                yield "facts of a parse", file, places.json_places(path)
            elif top == "live":
                is_index = path.suffix == ".index"
                yield "live table", file, places.index_places(path) if is_index else places.packed_places(path)
            else:
                yield top, file, places.whole_places(path)
        yield "log of the database", LOG, places.log_places(self.logged / LOG)

    def _right(self, source: Path, *, in_here: bool = False) -> tuple[tuple[Answers, list[str], set[str]], set[str]]:
        """The answers of the whole store, and the names of those that differ from one time to the next."""
        found = []
        for _ in range(2):
            shutil.rmtree(self.copy, ignore_errors=True)
            shutil.copytree(source, self.copy)
            found.append(answers(self.copy, self.known) if in_here else self._apart(self._answers))
        assert not isinstance(found[0], str), found[0]
        (first, check, left), (second, _, _) = found
        assert not check, check
        assert left >= self.needed, "a blob that is needed was deleted"
        bad = {name: answer for name, answer in first.items() if answer[0] not in (200, 404, 409)}
        assert not bad, bad
        return found[0], {name for name in first if first[name] != second[name]}

    def _answers(self) -> Any:
        return answers(self.copy, self.known)

    def _apart(self, act: Any) -> Any:
        """What `act` returns in a process of its own; a sentence where that was killed."""
        note = self.folder / "note"
        note.unlink(missing_ok=True)
        sys.stdout.flush()
        child = os.fork()
        if child == 0:
            try:
                note.write_bytes(pickle.dumps(act()))
            except BaseException as error:
                note.write_bytes(pickle.dumps(f"{type(error).__name__}: {error}"))
            finally:
                os._exit(0)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        return pickle.loads(note.read_bytes()) if note.exists() else f"the process ended with {code}"


def judged(right: Any, found: Any, volatile: set[str], needed: set[str]) -> tuple[str, str]:
    """Compare the answers of a store with those of the whole one."""
    (before, _, _), (after, check, left) = right, found
    differing, is_said = [], bool(check)
    is_older = any("-wal-damaged" in one for one in check)  # all answers are those of an earlier instant
    for name, (status, content) in after.items():
        if status == 500:
            return WRONG, f"{name}: {content.decode(errors='replace')[:300]}"
        if name not in before or (status, content) == before[name] or name in volatile:
            continue
        differing.append(name)
        is_said |= status in (409, 503) or b"damaged" in content or RECOVERED.encode() in content
        if status != 200 or before[name][0] != 200:
            if status not in REFUSALS or not content:
                return WRONG, f"{name}: {status} {content[:200]!r} instead of {before[name][0]}"
        elif name in ("/metrics", "load"):  # counts of runs and jobs, which damaged ones change
            if not check:
                return WRONG, f"{name}: {content[:200]!r}"
        elif not is_older and (why := other_figure(before[name][1], content)):
            return WRONG, f"{name}: {why}; store check: {check}"
    if (lost := needed - left) and "collect" in after:
        return WRONG, f"{len(lost)} blobs were deleted that are needed; store check: {check}"
    if differing and not is_said:
        return WRONG, f"nothing says why {differing[:5]} differ"
    return (NOTICED if differing or check else SAME), "; ".join([*check[:2], *differing[:3]])


def other_figure(before: bytes, after: bytes) -> str:
    """Why an answer shows something else than it should; empty where it shows less."""
    if before.startswith(CSV_OF_RUNS) and after.startswith(CSV_OF_RUNS):
        return _other_rows(before, after)
    first, second = unpacked(before), unpacked(after)
    if first is None or second is None:
        return "" if FAILED in after else f"{after[:150]!r} for {before[:150]!r}"
    return _compared(first, second, "")


def _other_rows(before: bytes, after: bytes) -> str:
    """Compare the runs of a sweep as CSV: one whose outcome is left out is pending, without figures."""
    first, second = (list(csv.DictReader(text.decode().splitlines())) for text in (before, after))
    for row, other in zip(first, second, strict=True):
        figures = {name: text for name, text in other.items() if name not in ("status", "error") and row[name] != text}
        is_left_out = other["status"] == "pending" and not any(figures.values())
        if figures and not is_left_out:
            return f"{figures} instead of {row}"
    return ""


def _compared(before: Any, after: Any, where: str) -> str:
    if after is None or before == after:
        return ""
    if isinstance(before, dict) and isinstance(after, dict):
        if is_marked(before, after) or after == {"run": before.get("run"), "jobs": 0}:  # nothing to compare
            return ""
        more = [key for key in after if key not in before and not key.startswith("damaged")]
        if more:
            return f"{where} has {more[:3]}"
        return next((why for key in before if key in after and (why := _of_key(key, before, after, where))), "")
    if isinstance(before, list) and isinstance(after, list):
        return _compared_lists(before, after, where)
    if isinstance(after, str) and (RECOVERED in after or UNNAMED.search(after)):
        return ""
    return f"{where}: {after!r} instead of {before!r}"


def _compared_lists(before: list[Any], after: list[Any], where: str) -> str:
    keys = ("id", "code", "of")
    if after and all(isinstance(one, dict) and any(key in one for key in keys) for one in (*before, *after)):
        key = next(key for key in keys if key in after[0])
        known = {one[key]: one for one in before}
        for one in after:
            if one[key] not in known and not one.get("damaged"):
                return f"{where}: an unknown {one[key]}"
            if one[key] in known and (why := _compared(known[one[key]], one, f"{where}[{str(one[key])[:8]}]")):
                return why
        return ""
    if after and len(before) != len(after):
        return f"{where}: {len(after)} instead of {len(before)}"
    return next((why for pair in zip(before, after, strict=False) if (why := _compared(*pair, where))), "")


def _of_key(key: str, before: dict[str, Any], after: dict[str, Any], where: str) -> str:
    if (
        key == "added"
        or (key == "status" and after[key] in GONE)
        or (key in ("damaged", "error", "next") and after[key])
    ):
        return ""
    return _compared(before[key], after[key], f"{where}.{key}")


def is_marked(before: dict[str, Any], after: dict[str, Any]) -> bool:
    """Whether it is said of a thing that it is damaged, or not all there."""
    if before.get("damaged") is False and after.get("damaged"):
        return True
    if before.get("status") != after.get("status") in GONE:
        return True
    if "seed" in before and after.get("status") == "pending":  # a run of a sweep whose outcome is left out
        return True
    if after.get("left_out", 0) > before.get("left_out", 0):  # a ranking over fewer instances
        return True
    blocks = [BLOCKS.search(str(one.get("reason", ""))) for one in (before, after)]
    if blocks[0] and blocks[1] and int(blocks[1][1]) < int(blocks[0][1]):  # the width of an interval over fewer blocks
        return True
    bounds = [one.get("exact_bound") or {} for one in (before, after)]
    if bounds[0].get("status") == "finished" != bounds[1].get("status"):
        return True
    counts = [{**one, **(one.get("counts") or {})} for one in (before, after)]
    return counts[1].get("pending", 0) > counts[0].get("pending", 0)


def main() -> int:
    """Print what came of the flips in each kind of file; 1 when anything went wrong."""
    parser = argparse.ArgumentParser(description="Flip bits in each class of bytes of a small store.")
    parser.add_argument("--most", type=int, default=3, help="places of each class")
    parser.add_argument("--every", type=int, default=1, help="of the flips in each kind of file each so many-th")
    parser.add_argument("--only", default="", help="words of the kind of file and the class")
    options = quietly(parser)
    reports: dict[str, Report] = {}
    with hurried(), bounds_apart(), tempfile.TemporaryDirectory() as folder:
        with Server(Path(folder) / "redis.sock", quiet=True) as redis:
            flips = Flips(Path(folder), redis.url)
        classes = {}
        for flip in flips.sampled(options.most, options.only, options.every):
            began = time.monotonic()
            report = reports.setdefault(flip.kind, Report(flip.kind))
            how, why = flips.outcome(flip)
            classes.setdefault(flip.kind, set()).add(flip.place)
            report.flips += 1
            report.outcomes[how] += 1
            if how == WRONG:
                report.wrong.append(f"{flip}: {why}")
                print(report.wrong[-1][:1000], file=sys.stderr, flush=True)
            report.seconds += time.monotonic() - began
    for kind, report in reports.items():
        report.classes, report.seconds = len(classes[kind]), round(report.seconds, 1)
        print(json.dumps(vars(report)), flush=True)
    return 0 if not any(report.wrong for report in reports.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
