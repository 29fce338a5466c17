"""`shadowtime store`: look whether a store is whole, write its index again, forget old runs."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from shadowtime.dashboard.cli.parser import Refusal, add_store

if TYPE_CHECKING:
    from shadowtime.workers.store.files import FileStore

SUMMARY = "check a store, write its index again, forget old runs"
EPILOG = """\
  shadowtime store check
  shadowtime store check --repair-index
  shadowtime store prune --older-than 90 --keep-linked --dry-run
"""
MOST_DAYS = 100_000


def configure(parser: argparse.ArgumentParser) -> None:
    """One command each, all with `--store`."""
    acts = parser.add_subparsers(metavar="ACT", required=True)
    check = acts.add_parser("check", help="one line for each thing that is wrong; exit 1 when something is")
    check.add_argument("--repair-index", action="store_true", help="first write the index again from the folders")
    check.set_defaults(act=check_all)
    prune = acts.add_parser("prune", help="forget runs that ended long ago; their questions stay")
    prune.add_argument(
        "--older-than", type=days, required=True, metavar="DAYS", help="runs that ended longer ago than so many days"
    )
    prune.add_argument("--keep-linked", action="store_true", help="keep runs that a short link shows")
    prune.add_argument("--dry-run", action="store_true", help="say what would go, and keep it")
    prune.set_defaults(act=prune_old)
    for act in (check, prune):
        add_store(act)


def run(options: argparse.Namespace) -> int:
    """Do one of the acts on the store."""
    from pathlib import Path

    from shadowtime.workers.settings import Settings
    from shadowtime.workers.store.files import FileStore

    settings = Settings.from_environment()
    place = Path(options.store).expanduser() if options.store else settings.store
    if not (place / "runs").is_dir():
        raise Refusal(f"store: there is no store at {place}")
    return options.act(FileStore(place, settings.database), options)


def check_all(store: FileStore, options: argparse.Namespace) -> int:
    """Print what is wrong; 1 when something is."""
    from shadowtime.dashboard import words
    from shadowtime.workers.store.integrity import faults
    from shadowtime.workers.store.listing import digests

    if options.repair_index:
        store.index.rebuild()
        print(f"{store.index.path.name} is written again", file=sys.stderr)
    found = 0
    for fault in faults(store):
        found += 1
        print(fault, flush=True)
    looked = ", ".join(
        words.count(len(digests(part.root)), name)
        for name, part in (("run", store.runs), ("workload", store.workloads), ("sweep", store.sweeps))
    )
    verdict = f"{words.count(found, 'fault')} found" if found else "all is well"
    print(f"{looked}: {verdict}", file=sys.stderr)
    return 1 if found else 0


def prune_old(store: FileStore, options: argparse.Namespace) -> int:
    """Forget the runs that ended long ago, a line each."""
    from datetime import UTC, datetime, timedelta

    from shadowtime.dashboard import words
    from shadowtime.workers.store.retention import forget, old_runs

    before = datetime.now(UTC) - timedelta(days=options.older_than)
    gone = freed = 0
    for old in old_runs(store, before, keep_linked=options.keep_linked):
        if options.dry_run or forget(store, old):
            gone, freed = gone + 1, freed + old.size
            print(f"{old.run.id} ended {old.ended:%Y-%m-%d}, {old.run.status.status}", flush=True)
    verb = "would go" if options.dry_run else "went"
    print(f"{words.count(gone, 'run')} {verb}, {freed / 1e6:,.1f} MB", file=sys.stderr)
    return 0


def days(text: str) -> float:
    """A number of days, 0 or more."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= MOST_DAYS:
        raise argparse.ArgumentTypeError(f"{text[:80]!r}, but it must be a number of days, 0 or more")
    return number
