"""`shadowtime paper`: run a paper's study again and print ours beside theirs."""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shadowtime.dashboard.cli.parser import Refusal, add_json, check_folders
from shadowtime.dashboard.cli.progress import Progress

SUMMARY = "repeat a paper's study: its figures and claims beside ours"
EPILOG = (
    "A study that is stopped resumes where it was. examples:\n"
    "  shadowtime paper measy --scale quick\n  shadowtime paper dfrs --scale full --keep --publish figures"
)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the options: which paper, how large, and how to print it."""
    parser.add_argument(
        "name",
        metavar="NAME",
        help="batch, demt, dfrs (or dfrs-table2 to -table5, dfrs-period, dfrs-times), measy, one-workload, pjs or "
        "synchpack",
    )
    parser.add_argument(
        "--scale",
        choices=("quick", "full"),
        default="quick",
        help="quick: half a minute to six minutes, by paper; full: up to half an hour on two cores (quick)",
    )
    parser.add_argument(
        "--publish",
        metavar="DIR",
        help="also write to DIR: figures (SVG, PDF), tables (CSV, LaTeX), BibTeX, and a paragraph on the methods",
    )
    parser.add_argument("--keep", action="store_true", help="store the result, so that the paper's page shows it")
    parser.add_argument("--ship", metavar="DIR", help="also write the result to DIR in the form that the package ships")
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Run the study; progress goes to standard error."""
    from shadowtime.dashboard.papers import PAGES
    from shadowtime.workers.papers.cells import resumable
    from shadowtime.workers.papers.groups import find_group, make
    from shadowtime.workers.papers.kept import study_of
    from shadowtime.workers.settings import Settings
    from shadowtime.workers.store import store_of

    check_folders(options, "publish", "ship")
    group = find_group(options.name)
    if options.keep and group.name not in PAGES:
        raise Refusal(f"--keep: {group.name} has no page that shows it; papers with a page: {', '.join(PAGES)}")
    if options.publish and group.name not in PAGES:
        raise Refusal(f"--publish: {group.name} has no page of its own; publish the whole paper: {', '.join(PAGES)}")
    settings = Settings.from_environment()
    study = study_of(store_of(settings).papers, group.name, options.scale)
    progress = Progress()
    result, reports = make(group, options.scale, progress.show, resumable(study))
    result["processor_seconds"] = study.processor_seconds()
    progress.end()
    if options.publish:
        _publish(Path(options.publish), group.name, result)
    if options.ship:
        text = json.dumps(result, allow_nan=False) + "\n"
        _write(Path(options.ship), {f"{group.name}-{options.scale}.json": text.encode()})
    if options.keep:
        study.finish(result)
    else:
        study.clear()
    printed = [report.as_dict() for report in reports]
    if options.json:
        print(json.dumps(printed[0] if len(printed) == 1 else result, allow_nan=False))
    else:
        print("\n".join(report.markdown() for report in reports))
    return 0


def _publish(folder: Path, name: str, result: Mapping[str, Any]) -> None:
    """Write all files for authors."""
    from shadowtime.dashboard.papers import PAGES, illustrations
    from shadowtime.dashboard.papers.publishing import makers

    page = PAGES[name]
    for file, content in makers(page, result, page.drawings(result["studies"])).items():
        _write(folder, {file: content()})
    for one in page.illustrations:
        _write(folder, {f"{one.key}.svg": illustrations.svg(name, one.key, "light")})


def _write(folder: Path, contents: Mapping[str, bytes]) -> None:
    from shadowtime.workers import outputs

    folder.mkdir(parents=True, exist_ok=True)
    for name, content in contents.items():
        outputs.write(folder / name, content)
