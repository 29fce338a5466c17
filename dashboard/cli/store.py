"""`shadowtime store`: look whether a store is whole, copy it, forget old runs, print who did what."""

from __future__ import annotations

import argparse
import os
import sys
from typing import TYPE_CHECKING

from shadowtime.dashboard.cli.parser import Refusal, add_store
from shadowtime.dashboard.cli.stores import NoRecords, with_settings, without_records

if TYPE_CHECKING:
    from shadowtime.workers.records.store import RecordStore
    from shadowtime.workers.settings import Settings

SUMMARY = "check a store, copy it, delete old runs, print the audit log"
EPILOG = """\
  shadowtime store check
  shadowtime store prune --older-than 90 --keep-linked --dry-run
  shadowtime store backup /backup/shadowtime
  shadowtime store audit --since 2025-03-01
"""
MOST_DAYS = 100_000


def configure(parser: argparse.ArgumentParser) -> None:
    """One command each, all with `--store`."""
    acts = parser.add_subparsers(required=True)
    check = acts.add_parser("check", help="print a line for each fault; exit code 1 if there is any")
    check.add_argument("--repair-index", action="store_true", help=argparse.SUPPRESS)  # older versions had an index
    check.add_argument(
        "--delete-older",
        action="store_true",
        help="if no fault is found, delete files that older versions left",
    )
    check.set_defaults(act=check_all)
    prune = acts.add_parser("prune", help="delete results of old runs; their configurations stay")
    prune.add_argument(
        "--older-than", type=days, required=True, metavar="DAYS", help="runs that ended more than this many days ago"
    )
    prune.add_argument("--keep-linked", action="store_true", help="keep runs that a short link leads to")
    prune.add_argument("--dry-run", action="store_true", help="list the runs, and delete nothing")
    prune.set_defaults(act=prune_old)
    audit = acts.add_parser("audit", help="print recorded actions, one JSON object a line, oldest first")
    audit.add_argument(
        "--since", type=instant, metavar="TIME",
        help="first time to print, such as 2025-03-01 or 2025-03-01T12:00:00+01:00; UTC without an offset",
    )  # fmt: skip
    audit.set_defaults(act=print_audit)
    copy = acts.add_parser("backup", help="copy a store that is in use into a new folder")
    copy.add_argument("folder", metavar="FOLDER", help="target folder; it must be empty or not exist")
    copy.set_defaults(act=copy_all)
    for act in (check, prune, audit, copy):
        add_store(act)


def run(options: argparse.Namespace) -> int:
    """Do one of the acts on the store."""
    try:
        found = with_settings("store", options.store)
    except NoRecords as missing:
        if options.act is not check_all:
            raise
        print(missing)
        return 1
    return options.act(*found, options)


def check_all(store: RecordStore, settings: Settings, options: argparse.Namespace) -> int:
    """Print what is wrong; 1 when something is."""
    from shadowtime.dashboard.look import words
    from shadowtime.workers.records import older
    from shadowtime.workers.store.integrity import faults

    found = 0
    for fault in faults(store):
        found += 1
        print(fault, flush=True)
    looked = ", ".join(
        words.count(len(there), name)
        for name, there in (
            ("run", store.runs.digests()),
            ("workload", store.workloads.digests()),
            ("sweep", store.sweeps.digests()),
        )
    )
    verdict = f"{words.count(found, 'fault')} found" if found else "no faults"
    print(f"{looked}: {verdict}", file=sys.stderr)
    if not found and options.delete_older:
        for path in older.kept(store.path):
            older.delete(path)
            print(f"{path.name} is deleted", file=sys.stderr)
    return 1 if found else 0


def prune_old(store: RecordStore, settings: Settings, options: argparse.Namespace) -> int:
    """Forget the runs that ended long ago, a line each.

    Raises Refusal: where there are blobs, but no records.
    """
    from datetime import UTC, datetime, timedelta

    from shadowtime.dashboard.look import words
    from shadowtime.workers.audit import Audit, account
    from shadowtime.workers.store.retention import forget, old_runs

    if n := store.shelf.without_records():
        raise Refusal(f"store: {without_records(n, store.path)}")

    before = datetime.now(UTC) - timedelta(days=options.older_than)
    log, who = Audit(settings.audit or store.database), account()
    gone = freed = 0
    for old in old_runs(store, before, keep_linked=options.keep_linked):
        if options.dry_run or forget(store, old):
            gone, freed = gone + 1, freed + old.size
            print(f"{old.run.id} ended {old.ended:%Y-%m-%d}, {old.run.status.status}", flush=True)
            if not options.dry_run:
                log.write(who=who, role="command line", action="delete run", object=f"run {old.run.id}")
    if not options.dry_run:
        adopt_strays(store, settings)
        store.tidy()
    verb = "would be deleted" if options.dry_run else "deleted"
    print(f"{words.count(gone, 'run')} {verb}, {freed / 1e6:,.1f} MB", file=sys.stderr)
    return 0


def adopt_strays(store: RecordStore, settings: Settings) -> None:
    """Have blobs without a record deleted later, unless they may belong to other records: then print that they stay."""
    from shadowtime.dashboard.look import words
    from shadowtime.workers import laboratory

    strays = store.shelf.strays()
    if not strays:
        return
    if laboratory.owns_blobs(store, settings) and len(strays) <= store.shelf.announced():
        store.shelf.adopt(strays)
        return
    print(
        f"{words.count(len(strays), 'blob')} without a record: not deleted, since they may belong to another database",
        file=sys.stderr,
    )


def copy_all(store: RecordStore, settings: Settings, options: argparse.Namespace) -> int:
    """Copy the store into a folder."""
    from pathlib import Path

    from shadowtime.dashboard.look import words
    from shadowtime.workers.store.backup import backup

    blobs, size = backup(store, Path(options.folder).expanduser())
    print(f"{options.folder}: the records and {words.count(blobs, 'blob')}, {size / 1e6:,.1f} MB", file=sys.stderr)
    return 0


def print_audit(store: RecordStore, settings: Settings, options: argparse.Namespace) -> int:
    """Print the audit log: the rows of the database, the file of older versions, and that of SHADOWTIME_AUDIT."""
    from shadowtime.workers.audit import NAME, lines

    given = settings.audit
    files = dict.fromkeys(path for path in ((store.path / NAME).resolve(), given) if path and path.is_file())
    for path in files:
        if not os.access(path, os.R_OK):
            raise Refusal(f"store: {path} cannot be read")
    for line in lines(store.database, list(files), options.since or ""):
        print(line)
    return 0


def instant(text: str) -> str:
    """Return a time as the audit log has it."""
    from datetime import UTC, datetime

    from shadowtime.workers.utc import utc_text

    try:
        time = datetime.fromisoformat(text)
        return utc_text(time if time.tzinfo else time.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        raise argparse.ArgumentTypeError(f"{text[:80]!r}, but it must be a time such as 2025-03-01T12:00:00Z") from None


def days(text: str) -> float:
    """A number of days, 0 or more."""
    try:
        number = float(text)
    except ValueError:
        number = -1.0
    if not 0 <= number <= MOST_DAYS:
        raise argparse.ArgumentTypeError(f"{text[:80]!r}, but it must be a number of days, 0 or more")
    return number
