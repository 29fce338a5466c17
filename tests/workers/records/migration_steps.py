"""Take over a store of version 0.1.0, and let each of its steps fail in each way (`tests.chaos.injection`).

python -m tests.workers.records.migration_steps FOLDER [--every 20] [--first 3] [--whole] [--postgres URL]
prints how many faults of each kind there were, as JSON. Without `--whole`, the store has some of its runs and workloads
only. On PostgreSQL, processes are killed and nothing else.
"""

from __future__ import annotations

import argparse
import json
import logging
import pickle
import shutil
import signal
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from shadowtime.engine.errors import EngineError
from shadowtime.workers.records.older import CannotTakeOver, runs
from shadowtime.workers.records.store import RecordStore
from shadowtime.workers.store.integrity import faults
from tests.chaos.injection import FULL, KILL, POWER, READ_ONLY, Injector, Step
from tests.chaos.steps import DONE, REFUSED, WRONG, forked, hurried
from tests.workers.records import old_answers
from tests.workers.records.old_answers import ANSWERS, FAULT, SPECIAL

KEPT_RUNS = ("damaged", "private", "queued", "cancelled", "failed", "bound proven", "converted", "re-run", "measured")
KEPT_WORKLOADS = ("figure1.json", "four.swf", "uniform:jobs=30")
TOGETHER = 4
"""Runs of one transaction: there are several even in the small store."""
NEVER = 10_000_000


def unpack(folder: Path, *, is_whole: bool) -> None:
    """The old store, or a part of it."""
    old_answers.unpack(folder)
    if is_whole:
        return
    names = {digest: said["entry"]["name"] for digest, said in ANSWERS["workloads"].items()}
    for path in (*(folder / "runs").iterdir(), *(folder / "workloads").iterdir()):
        is_kept = path.name in (SPECIAL[name] for name in KEPT_RUNS) or names.get(path.name) in KEPT_WORKLOADS
        if len(path.name) == 64 and not is_kept:
            shutil.rmtree(path)


def opened(folder: Path, url: str, at: int, how: str, note: Path | None = None) -> int:
    """Open the store in a process of its own, in which a step fails; return how that ended."""

    def act() -> int:
        injector = Injector(folder, at, how)
        injector.arm()
        try:
            RecordStore(folder, url)
        except CannotTakeOver:
            return REFUSED
        except EngineError as error:  # of the database; of a disk that is full or read-only, CannotTakeOver says more
            code = REFUSED if how not in (FULL, READ_ONLY) else WRONG
            print(f"{error}\n" * (code == WRONG), end="", file=sys.stderr, flush=True)
            return code
        injector.end()
        if note is not None:
            note.write_bytes(pickle.dumps(injector.steps))
        return DONE

    return forked(act)


def tried(folder: Path, every: int, first: int, server: str, *, is_whole: bool) -> Counter[str]:
    """Try each so-many-th fault and look at what is left; return how many there were of each kind."""
    prepared, copy, note = folder / "prepared", folder / "copy", folder / "steps"
    unpack(prepared, is_whole=is_whole)
    written = old_answers.as_written(prepared)
    done: Counter[str] = Counter()
    places, expected = [(NEVER, "")], None
    while places:
        at, how = places.pop(0)
        where = f"step {at}, {how}"
        shutil.copytree(prepared, copy)
        with ExitStack() as stack:
            url = stack.enter_context(old_answers.new_database(server)) if server else ""
            code = opened(copy, url, at, how, note if expected is None else None)
            is_killed = how in (KILL, POWER)
            assert code in ((DONE, -signal.SIGKILL) if is_killed else (DONE, REFUSED)), f"{where}: ended with {code}"
            left = old_answers.as_written(copy)
            assert without_key(left, how) == without_key(written, how), f"{where}: files of the old store have changed"
            found = taken_over(copy, url)
            if expected is None:
                steps: list[Step] = pickle.loads(note.read_bytes())
                places = faults_at(steps, KILL if server else "")[first % every :: every]
                done["steps"] = len(steps)
                expected = found
            for what in expected:
                same = found[what] == expected[what] or (what == "set aside" and how == POWER)
                assert same, f"{where}: {what} {set(found[what]) ^ set(expected[what])}"
            assert without_key(found["set aside"], how) == without_key(written, how), f"{where}: set aside otherwise"
            assert found["faults"] == [FAULT] and found["left"] == [], where
        shutil.rmtree(copy)
        done[how] += 1
    del done[""]
    return done


def faults_at(steps: list[Step], how: str) -> list[tuple[int, str]]:
    """What may happen where: all, or one kind."""
    places = [(at, variant) for at, step in enumerate(steps, 1) for variant in step.variants]
    return [place for place in [*places, (len(steps) + 1, KILL)] if how in (place[1], "")]


def without_key(files: dict[str, str], how: str) -> dict[str, str]:
    """Files of the old store. A loss of power takes a file whose new name is not flushed, here that of the key."""
    return {name: digest for name, digest in files.items() if how != POWER or name != "key"}


def taken_over(folder: Path, url: str) -> dict[str, Any]:
    """What is there when the store was opened once more."""
    store = RecordStore(folder, url)
    found: dict[str, Any] = old_answers.records(store)
    found["set aside"] = old_answers.set_aside(folder)
    found["faults"] = [str(fault) for fault in faults(store)]
    found["left"] = sorted(path.name for path in folder.glob("index.sqlite*"))
    store.database.close()
    return found


def main() -> int:
    """Print how many faults of each kind there were."""
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--whole", action="store_true")
    parser.add_argument("--postgres", default="")
    options = parser.parse_args()
    logging.disable(logging.CRITICAL)
    runs.TOGETHER = TOGETHER
    with hurried():
        done = tried(options.folder, options.every, options.first, options.postgres, is_whole=options.whole)
    print(json.dumps(done))
    return 0


if __name__ == "__main__":
    sys.exit(main())
