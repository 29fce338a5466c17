"""Every link of the site, built and parsed here.

A *view* is what stands on the screen of a run's page, as a versioned, readable query string, so that copying the
address bar shares exactly that:

    /runs/13189c2c62a84589?v=1&from=0&to=1110&nodes=0-9&job=2&colour=stretch&at=53&find=user+15

The viewer in the browser writes the same form. What is missing is the default; what cannot be read is left out,
since an old or shortened link should still show the run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, unquote, urlencode

from shadowtime.dashboard.sharing import areas
from shadowtime.dashboard.sharing.numbers import real, written

NEW, RUNS, COMPARE, ALGORITHMS, SITES, PAPERS = "/", "/runs", "/compare", "/algorithms", "/sites", "/papers"
EXPERIMENTS, LINKS, DOCS, WAITS, FIDELITY = "/experiments", "/links", "/docs/", "/waits", "/fidelity"
GLOSSARY, SESSIONS, SIGN_IN = "/glossary", "/sessions", "/sign-in"
VERSION = "1"
LINK = "link"
"""In the query: the code of the short link that led here."""
COLOURS = ("job", "user", "size", "stretch", "wait", "tier", "kind", "priority")
PANELS = ("now",)
ROWS = ("submission", "start", "wait", "stretch", "size", "user")
"""Orders of jobs as rows, instead of lanes."""
FIND = re.compile(r"(job|user|size) (?:(\d{1,12})(?:\s*[-–]\s*(\d{1,12}))?|([<>]) (\d{1,12}))", re.ASCII)
ID = re.compile(r"[0-9a-f]{16}(?:[0-9a-f]{48})?")


@dataclass(frozen=True)
class View:
    """What a link to a run shows of it; None is the default of the viewer."""

    start: float | None = None
    """Left edge of the window [s]; with `end` or not at all."""
    end: float | None = None
    nodes: tuple[int, int] | None = None
    """First and last lane of the window."""
    job: int | None = None
    """Id of the selected job."""
    colour: str | None = None
    """What the colour of a rectangle shows: one of COLOURS."""
    at: float | None = None
    """The cursor [s]."""
    find: str | None = None
    """What jobs were searched for by: `user 15`, `size > 64`."""
    rows: str | None = None
    """Jobs as rows, in one of the orders ROWS; else lanes."""
    panels: tuple[str, ...] = ()
    """What is open beside the schedule, of PANELS."""
    area: areas.Area | None = None
    """The area that is summed up: from, to [s], first and last lane."""
    note: str | None = None
    """Beside the area, at most `areas.LONGEST` characters."""

    def query(self) -> str:
        """The query string, without `?`; empty when nothing differs from the default."""
        window = self.start is not None and self.end is not None
        parts = {
            "from": written(self.start) if window else None,
            "to": written(self.end) if window else None,
            "nodes": f"{self.nodes[0]}-{self.nodes[1]}" if self.nodes else None,
            "job": str(self.job) if self.job is not None else None,
            "colour": self.colour,
            "at": written(self.at),
            "find": self.find,
            "panels": ",".join(self.panels) or None,
            "rows": self.rows,
            "area": areas.area_words(self.area) if self.area else None,
            "note": self.note if self.area else None,
        }
        given = {name: text for name, text in parts.items() if text is not None}
        return urlencode({"v": VERSION, **given}, safe=",") if given else ""

    @classmethod
    def parse(cls, query: str) -> View:
        """The view of a query string, with or without `?`; empty for another version than this one. Of a name that is
        there twice the first one counts."""
        given = dict(reversed(parse_qsl(query.removeprefix("?"), keep_blank_values=True)))
        if (given.get("v") or VERSION) != VERSION:
            return cls()
        start, end = real(given.get("from")), real(given.get("to"))
        window = start is not None and end is not None and start < end
        nodes = re.fullmatch(r"([0-9]{1,9})-([0-9]{1,9})", given.get("nodes", ""))
        first, last = (int(nodes[1]), int(nodes[2])) if nodes else (1, 0)
        job = given.get("job", "")
        return cls(
            start=start if window else None,
            end=end if window else None,
            nodes=(first, last) if first <= last else None,
            job=int(job) if re.fullmatch(r"-?[0-9]{1,18}", job) else None,
            colour=given["colour"] if given.get("colour") in COLOURS else None,
            at=real(given.get("at")),
            find=search_words(given.get("find", "")),
            rows=given["rows"] if given.get("rows") in ROWS else None,
            panels=tuple(name for name in PANELS if name in given.get("panels", "").split(",")),
            area=areas.area(given.get("area", "")),
            note=areas.note(given.get("note", "")),
        )


def search_words(text: str) -> str | None:
    """Words by which jobs are searched, in lower case: `user 15`, `size 32-64`, `size > 64`; None for others."""
    found = FIND.fullmatch(text.strip().lower())
    if not found or (found[3] and int(found[3]) < int(found[2])):
        return None
    return found[0]


SPREAD = re.compile(r"[a-z]{1,12}-(?:share|count)")
SHOWN = ("stacked", "difference", "scatter")
"""Ways to look at compared runs; the first is the default."""


@dataclass(frozen=True)
class Comparison:
    """What a link to compared runs shows, beside the view of their schedules.

    /compare?runs=13189c2c62a84589,6f0d2a91c7be4410&baseline=6f0d2a91c7be4410&show=scatter
    """

    runs: tuple[str, ...] = ()
    """Short ids, each once, in the order in which they are stacked."""
    baseline: str = ""
    """The one that the others are held against; else the first."""
    of: str = ""
    """The one whose jobs are held against those of the baseline; else the last that is not the baseline."""
    show: str = SHOWN[0]
    align: str = ""
    """"id": jobs are the same when their ids are, whatever else differs."""
    columns: str | None = None
    """What stands in the table of metrics beside the values, with commas between; None for the default."""
    spread: str = ""
    """What the distributions are of and how they are drawn, as `wait-count`; empty for the default."""
    why: str = ""
    """The run whose life of the selected job stands beside that under the baseline."""

    def query(self) -> str:
        """The query string, without `?`."""
        parts = {
            "runs": ",".join(self.runs),
            "baseline": self.baseline,
            "of": self.of,
            "show": self.show if self.show != SHOWN[0] else "",
            "align": self.align,
            "spread": self.spread,
            "why": self.why,
        }
        given = {name: text for name, text in parts.items() if text}
        if self.columns is not None:
            given["columns"] = self.columns
        return urlencode(given, safe=",")

    @classmethod
    def parse(cls, query: str | Mapping[str, str]) -> Comparison:
        """The comparison of a query; what cannot be read is left out."""
        given = dict(parse_qsl(query.removeprefix("?"), keep_blank_values=True)) if isinstance(query, str) else query
        named = [text.strip() for text in given.get("runs", "").split(",")]
        runs = tuple(dict.fromkeys(text[:16] for text in named if ID.fullmatch(text)))

        def one(name: str) -> str:
            short = given.get(name, "")[:16]
            return short if short in runs else ""

        return cls(
            runs=runs,
            baseline=one("baseline"),
            of=one("of"),
            show=given["show"] if given.get("show") in SHOWN else SHOWN[0],
            align="id" if given.get("align") == "id" else "",
            columns=given.get("columns"),
            spread=given["spread"] if SPREAD.fullmatch(given.get("spread", "")) else "",
            why=one("why"),
        )


PAGES: dict[tuple[str, ...], str] = {
    (): "new",
    **{(name,): name for name in ("runs", "compare", "waits", "fidelity", "links", "algorithms", "glossary", "sites")},
    **{(name,): name for name in ("experiments", "papers", "sessions")},
    ("experiments", "new"): "experiment_new",
}
PAGE_OF_ID = {"runs": "run", "workloads": "workload", "experiments": "experiment"}


@dataclass(frozen=True)
class Place:
    """The page of a path: its name, and its item."""

    page: str
    """"new", "runs", "run", "compare", "waits", "fidelity", "workload", "links", "shared", "algorithms",
    "algorithm", "glossary", "sites", "papers", "paper", "experiments", "experiment_new", "experiment",
    "sessions" or "unknown"."""
    item: str = ""


def place(pathname: str | None) -> Place:
    """The page behind the path of an address."""
    parts = [unquote(part) for part in (pathname or "/").strip("/").split("/") if part]
    match parts:
        case path if tuple(path) in PAGES:
            return Place(PAGES[tuple(path)])
        case [folder, item] if folder in PAGE_OF_ID and ID.fullmatch(item):
            return Place(PAGE_OF_ID[folder], item[:16])
        case ["s", code]:
            return Place("shared", code)
        case ["papers", item]:
            return Place("paper", item.lower())
        case ["algorithms", item]:
            return Place("algorithm", item.lower())
    return Place("unknown", pathname or "")


EMBEDDED = ("run", "compare", "experiment", "paper", "algorithm")
"""Pages that may stand in a frame of another site: `?embed=1`."""


def is_embedded(path: str, search: str) -> bool:
    """Whether an address asks for a page as it stands in a frame of another site."""
    return query(search).get("embed") == "1" and place(path).page in EMBEDDED


def run(run_id: str, view: View | None = None) -> str:
    """The page of a run, as `view` shows it."""
    query = view.query() if view else ""
    return f"/runs/{run_id[:16]}" + (f"?{query}" if query else "")


def runs(status: str = "", text: str = "") -> str:
    """The list of runs, filtered."""
    return _with(RUNS, {"status": status, "q": text})


def compare(comparison: Comparison) -> str:
    """The page of several runs beside each other."""
    query = comparison.query()
    return f"{COMPARE}?{query}" if query else COMPARE


def waits(runs: Iterable[str], by: str = "", show: str = "", of: str = "") -> str:
    """Who waited: the jobs of one to six runs in groups, and when their machine was busy."""
    return _waits(WAITS, runs, {"by": by, "show": show, "of": of})


def fidelity(workload: str = "") -> str:
    """How true a simulation is to the log of a stored workload; without one, the logs that are here."""
    return _with(FIDELITY, {"workload": workload[:16]})


def new(workload: str = "", case: str = "", generator: str = "") -> str:
    """The page for a new run, with a stored workload or a generator chosen."""
    return _with(NEW, {"workload": workload[:16], "case": case, "generator": generator})


def new_like(run_id: str) -> str:
    """The page for a new run, with the question of another one to begin with."""
    return _with(NEW, {"run": run_id[:16]})


def workload(workload_id: str) -> str:
    """The page of a workload."""
    return f"/workloads/{workload_id[:16]}"


def sites(workload: str = "", sample: str = "") -> str:
    """The editor of a site, with that of a stored workload or of a sample in it."""
    return _with(SITES, {"workload": workload, "sample": sample})


def paper(name: str, scale: str = "", result: str = "") -> str:
    """The page of a paper at a scale, else at the largest with a result; `result` = "shipped": that of the package."""
    return _with(f"{PAPERS}/{name}", {"scale": scale, "result": result})


def experiment(sweep_id: str) -> str:
    """The page of a sweep."""
    return f"{EXPERIMENTS}/{sweep_id[:16]}"


def shared(code: str) -> str:
    """A short link."""
    return f"/s/{code}"


def algorithm(slug: str) -> str:
    """The page of an algorithm; of a fractional one, its row on the page that all of them share."""
    row, is_variant, _ = slug.partition("/opt=")
    if is_variant:
        return f"{ALGORITHMS}/fractional#{quote(row, safe='*/')}"
    return f"{ALGORITHMS}/{quote(row, safe='+')}"


def try_out(slug: str, example: str = "") -> str:
    """The page for a new run with an algorithm chosen, and the twelve jobs of a family's example."""
    return _with(NEW, {"algorithm": slug, "example": example})


def definition(name: str) -> str:
    """The entry of a metric, or of a quantity of jobs or of the machine, in the glossary."""
    return f"{GLOSSARY}#{name}"


def api_run(run_id: str) -> str:
    """A run for scripts: its status, spec and summary; DELETE deletes it."""
    return f"/api/runs/{run_id[:16]}"


def api_export(run_id: str, form: str, table: str = "") -> str:
    """A run as a file for other programs: `form` is one of `dashboard.sharing.exporting.FORMS`."""
    return _with(f"{api_run(run_id)}/export", {"format": form, "table": table})


def api_compare(comparison: Comparison) -> str:
    """The figures of compared runs for scripts."""
    asked = Comparison(runs=comparison.runs, baseline=comparison.baseline, align=comparison.align)
    return f"/api/compare?{asked.query()}"


def api_compared_jobs(comparison: Comparison) -> str:
    """Job by job, one run against the baseline, as CSV."""
    asked = Comparison(comparison.runs, comparison.baseline, comparison.of, align=comparison.align)
    return f"/api/compare/jobs.csv?{asked.query()}"


def api_waits(runs: Iterable[str], by: str, form: str = "") -> str:
    """The waits of groups of jobs for scripts; `form` is "csv", else JSON."""
    return _waits("/api/waits" + (f".{form}" if form else ""), runs, {"by": by})


def api_groups(run_id: str, by: str, form: str = "") -> str:
    """The groups of a run's jobs for scripts; `form` is "csv", else JSON."""
    return _with(f"{api_run(run_id)}/groups" + (f".{form}" if form else ""), {"by": by})


def api_report(run_id: str) -> str:
    """A run as one HTML file that needs no server."""
    return f"{api_run(run_id)}/report.html"


def api_compared_report(comparison: Comparison) -> str:
    """Compared runs as one HTML file that needs no server."""
    asked = Comparison(runs=comparison.runs, baseline=comparison.baseline, align=comparison.align)
    return f"/api/compare/report.html?{asked.query()}"


def api_paper_csv(name: str, scale: str, figure: str, shipped: bool = False) -> str:
    """The numbers of a figure of a paper's page."""
    asked = {"figure": figure, "scale": scale, "result": "shipped" if shipped else ""}
    return _with(f"/api/papers/{name}/figures.csv", asked)


def api_paper_file(name: str, file: str, scale: str = "", shipped: bool = False, theme: str = "") -> str:
    """A file of a paper's page: a figure, an illustration, a table, the reference, the methods."""
    asked = {"scale": scale, "result": "shipped" if shipped else "", "theme": theme}
    return _with(f"/api/papers/{name}/files/{file}", asked)


def query(search: str | None) -> dict[str, str]:
    """The parameters of an address's query, the last of each name."""
    return dict(parse_qsl((search or "").removeprefix("?")))


def _with(path: str, parameters: Mapping[str, str]) -> str:
    given: Iterable[tuple[str, str]] = [(name, value) for name, value in parameters.items() if value]
    text = urlencode(list(given))
    return f"{path}?{text}" if text else path


def _waits(path: str, runs: Iterable[str], more: Mapping[str, str]) -> str:
    given = {"runs": ",".join(run_id[:16] for run_id in runs), **{name: text for name, text in more.items() if text}}
    return f"{path}?{urlencode(given, safe=',')}"
