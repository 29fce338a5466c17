"""`shadowtime pseudonymise`: the jobs of a log without the names of users and accounts."""

from __future__ import annotations

import argparse
import gzip
from pathlib import Path

from shadowtime.dashboard.cli import question
from shadowtime.dashboard.cli.parser import Refusal, reason

SUMMARY = "write a log with pseudonyms for users and accounts"
DESCRIPTION = (
    "Write the jobs of a log as a table with only columns that Shadowtime reads. Users and accounts become\n"
    "user-3f9a2c81 (HMAC-SHA256 with the key); partitions, states and node names stay. Job names, comments and\n"
    "paths are left out."
)
EPILOG = "  head -c 32 /dev/urandom > key\n  shadowtime pseudonymise jobs.txt jobs.csv.gz --key-file key\n"


def configure(parser: argparse.ArgumentParser) -> None:
    """Input, output and key."""
    parser.add_argument("input", metavar="IN", help="a log, or a table (jobs.csv#submit=NAME chooses columns)")
    parser.add_argument("output", metavar="OUT", help="output file: .csv, or .csv.gz to compress")
    parser.add_argument(
        "--key-file",
        required=True,
        metavar="FILE",
        help="file with a key of at least 8 bytes; the same key gives the same pseudonyms",
    )


def run(options: argparse.Namespace) -> int:
    """Read, rename, write."""
    from shadowtime.engine.workload.sites.tables.writing import not_in_table, pseudonyms, write_table
    from shadowtime.workers.outputs import written

    target = question.output(options.output)
    if not target.name.lower().removesuffix(".gz").endswith(".csv"):
        raise Refusal(f"{options.output}: the name must end in .csv, and .gz after it to compress")
    try:
        key = Path(options.key_file).read_bytes()
    except OSError as error:
        raise Refusal(f"--key-file {options.key_file}: {reason(error)}") from error
    rename = pseudonyms(key)
    question.check_other(target, options.key_file, options.output)
    if (source := question.file_of(options.input)[0]) is not None:
        question.check_other(target, str(source), options.output)
    workload = question.read_or_draw(options.input, 0)
    with written(target) as file:
        if target.suffix.lower() == ".gz":
            # No date and no name in the archive: equal jobs give equal bytes.
            with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                write_table(workload, packed, rename)  # type: ignore[arg-type]
        else:
            write_table(workload, file, rename)
    from shadowtime.engine.workload.words import count

    print(f"{count(len(workload), 'job')} in {target}, with pseudonyms for users and accounts")
    if lost := not_in_table(workload):
        print(f"{target.name} has no place for: {', '.join(lost)}")
    return 0
