"""`shadowtime site`: a site of machines as JSON, or as two tables for a spreadsheet."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from shadowtime.dashboard.cli import question
from shadowtime.dashboard.cli.parser import Refusal, check_folder, reason

SUMMARY = "convert the tables of a site to JSON, or JSON to tables"
DESCRIPTION = (
    "Convert two tables (machine,class,cluster and job_class,resource,mean,sd,count) to one JSON file, or back."
)
EPILOG = """\
examples:
  shadowtime site --machines machines.csv --experience experience.csv -o site.json
  shadowtime site site.json -o tables"""


def configure(parser: argparse.ArgumentParser) -> None:
    """What to read and where to write."""
    parser.add_argument("site", nargs="?", metavar="SITE", help="a site as JSON, to be written as tables")
    parser.add_argument("--machines", metavar="FILE", help="table of machines, their classes and clusters")
    parser.add_argument("--experience", metavar="FILE", help="table of times by job class and resource")
    parser.add_argument(
        "-o",
        "--output",
        required=True,
        metavar="PATH",
        help="the JSON file, or the folder of machines.csv, experience.csv",
    )


def run(options: argparse.Namespace) -> int:
    """Read one form, write the other."""
    given = (options.machines, options.experience)
    if options.site is None and all(given):
        return _to_json(*given, options.output)
    if options.site is not None and not any(given):
        return _to_tables(options.site, options.output)
    raise Refusal("site: name either a SITE, or both --machines and --experience; see shadowtime site --help")


def _to_json(machines: str, experience: str, path: str) -> int:
    from shadowtime.engine.families.classed.site.csv_tables import site_of_sheets
    from shadowtime.engine.families.classed.site.json_objects import document
    from shadowtime.engine.workload.words import count
    from shadowtime.workers import outputs

    target = question.output(path)
    for given in (machines, experience):
        question.check_other(target, given, f"-o {path}")
    site = site_of_sheets(_text(machines), _text(experience))
    outputs.write(target, json.dumps(document(site), indent=1) + "\n")
    sizes = (count(len(site.machines), "machine"), count(len(site.clusters), "cluster"))
    print(f"{', '.join(sizes)}, {count(len(site.job_classes), 'job class', 'job classes')} in {target}")
    return 0


def _to_tables(reference: str, path: str) -> int:
    from shadowtime.engine.families.classed.site.csv_tables import sheets
    from shadowtime.workers import outputs

    workload = question.read_or_draw(reference, 0)
    if workload.site is None:
        raise Refusal(f"site: {reference[:80]} holds a {workload.kind} workload, and no site")
    folder = Path(path)
    check_folder(folder, f"-o {path}")
    outputs.write_all(folder, ((f"{name}.csv", [text]) for name, text in sheets(workload.site).items()))
    print(f"machines.csv and experience.csv in {folder}")
    return 0


def _text(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise Refusal(f"{path} was not read: {reason(error)}") from error
    except UnicodeDecodeError:
        raise Refusal(f"{path} was not read: its text is not UTF-8") from None
