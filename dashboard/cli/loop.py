"""`shadowtime loop`: the scheduler dispatches real processes; what was planned beside what was measured."""

from __future__ import annotations

import argparse
import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from shadowtime.dashboard.cli import question
from shadowtime.dashboard.cli.parser import add_algorithm, add_json, add_workload, check_folders, seconds
from shadowtime.dashboard.cli.progress import Progress

if TYPE_CHECKING:
    from shadowtime.engine.algorithm import Algorithm
    from shadowtime.engine.workload.job import Workload
    from shadowtime.workers.site_loop import Outcome

SUMMARY = "run a small site's scheduler with real processes"
DESCRIPTION = """\
Software in the loop: the machines of a small site become worker processes on this computer, its job classes small real
computations, and the scheduler of the simulation dispatches them. Prints planned and measured times side by side."""
EPILOG = (
    "example:\n"
    "  shadowtime loop classed:site=bench,jobs=12 -a pjs -p learn=true --out measured\n"
    "  shadowtime loop takeover -a pjs --keep"
)


def configure(parser: argparse.ArgumentParser) -> None:
    """What to run, how fast, and where to write it."""
    add_workload(parser)
    add_algorithm(parser, "olb, min-min, min-max, sjs, pjs", default="pjs")
    parser.add_argument(
        "--scale",
        type=seconds,
        default=1.0,
        metavar="S",
        help="seconds of this computer per second of the workload (1)",
    )
    parser.add_argument(
        "--out",
        metavar="DIR",
        help="also write the tables: DIR/planned, DIR/measured, calls.json, and the learned times, site.json",
    )
    parser.add_argument(
        "--keep",
        action="store_true",
        help="also store plan and measurement as two runs, and print the address that compares them",
    )
    parser.add_argument(
        "--store", metavar="DIR", help="store for --keep ($SHADOWTIME_STORE or ~/.local/share/shadowtime)"
    )
    add_json(parser)


def run(options: argparse.Namespace) -> int:
    """Simulate, dispatch, compare."""
    check_folders(options, "out")

    from shadowtime.engine import registry as policies
    from shadowtime.engine import simulate
    from shadowtime.engine.errors import UnsupportedWorkload
    from shadowtime.workers.site_loop import SiteLoop, report_of, rules_of

    entry = policies.find(options.algorithm)
    workload = question.load(options)
    if not any(policies.find_family(kind).has_site for kind in entry.kinds):
        raise UnsupportedWorkload(f"{entry.title} dispatches nothing: a loop takes olb, min-min, min-max, sjs or pjs")
    if workload.site is None:
        raise UnsupportedWorkload(
            f"loop: {workload.name} has {workload.kind} jobs; a loop takes classed jobs, whose workload names "
            "the machines of its site, such as takeover, bench3 or classed:site=bench,jobs=12"
        )
    resolved = entry.parameters_for(workload, options.parameter)
    progress = Progress()
    with _server() as url:
        rules = rules_of(entry.slug, resolved)
        loop = SiteLoop(workload, rules, url, scale=options.scale, on_progress=progress.show)
        planned = simulate(workload, entry.slug, resolved)
        outcome = loop.run()
    progress.end()
    report = report_of(outcome, planned, workload)
    if options.out:
        from shadowtime.engine.families.classed.site.json_objects import document
        from shadowtime.workers import outputs
        from shadowtime.workers.export import write_directory
        from shadowtime.workers.site_schedule import measured_schedule

        folder = Path(options.out)
        write_directory(folder / "planned", planned, {"counters": dict(planned.counters)})
        write_directory(folder / "measured", measured_schedule(outcome, workload), report)
        calls = {"question": outcome.recorder.question, "calls": outcome.recorder.calls}
        outputs.write(folder / "calls.json", json.dumps(calls) + "\n")
        learnt = loop.site.with_(experience=outcome.recorder.experience)
        outputs.write(folder / "site.json", json.dumps(document(learnt), indent=1) + "\n")
    if options.keep:
        report["page"] = _keep(options, workload, entry, resolved, outcome, report)
    print(json.dumps(report, ensure_ascii=False) if options.json else _text(report, entry.title))
    return 0


def _keep(
    options: argparse.Namespace, workload: Workload, entry: Algorithm, resolved: dict, outcome: Outcome, report: dict
) -> str:
    """Store plan and measurement; the address of the page that shows both."""
    from shadowtime.dashboard.sharing import urls
    from shadowtime.workers.settings import Settings
    from shadowtime.workers.site_keep import keep_measured, keep_plan, stored
    from shadowtime.workers.site_schedule import measured_schedule
    from shadowtime.workers.spec import RunSpec
    from shadowtime.workers.store import store_of

    settings = Settings.from_environment()
    store = store_of(settings, options.store)
    known = stored(store, workload, question.file_of(options.workload)[0])
    spec = RunSpec.of(known, entry.slug, resolved, seed=options.seed, conversions=workload.conversions)
    plan = keep_plan(store, spec)
    schedule = measured_schedule(outcome, workload)
    measured = keep_measured(store, spec, entry.title, workload, schedule, options.scale, report)
    return urls.compare(urls.Comparison(runs=(plan, measured), baseline=plan))


@contextlib.contextmanager
def _server() -> Iterator[str]:
    """The installation's Redis where it answers, else one of our own for as long as it takes."""
    from shadowtime.workers.connection import answers
    from shadowtime.workers.redis_server import Server, free_port
    from shadowtime.workers.settings import Settings

    settings = Settings.from_environment()
    if answers(settings.redis_url):
        yield settings.redis_url
        return
    server = Server(free_port(), quiet=True).start()
    try:
        yield server.url
    finally:
        server.stop()


def _text(report: dict, title: str) -> str:
    """Each job, then the sums."""
    from shadowtime.dashboard.cli.figures import table

    rows = [("job", "class", "planned on", "start s", "end s", "ran on", "start s", "end s")]
    for job in report["jobs"]:
        planned, measured = job["planned"], job["measured"]
        rows.append(
            (str(job["job_id"]), job["job_class"], planned["on"], f"{planned['start']:.2f}", f"{planned['end']:.2f}",
             measured["on"], f"{measured['start']:.2f}", f"{measured['end']:.2f}")
        )  # fmt: skip
    sums = [("", "planned", "measured")]
    for name in ("makespan", "total_job_time"):
        sums.append((name, f"{report[name]['planned']:.2f} s", f"{report[name]['measured']:.2f} s"))
    note = (
        f"{report['failures']} machines lost, {report['stopped']} runs stopped; "
        f"from order to start {1000 * report['dispatch_s']:.0f} ms on average."
    )
    head = f"{title} on {report['workload']}, real processes"
    note += f"\nBoth are kept; the page that compares them: {report['page']}" if "page" in report else ""
    return f"{head}\n\n{table(rows, left=(0, 1, 2, 5))}\n\n{table(sums, left=(0,))}\n\n{note}"
