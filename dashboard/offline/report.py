"""A run, or several compared, as one HTML file: the live schedule, figures beside their bounds, and their origin."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup

from shadowtime.dashboard import picture
from shadowtime.dashboard.components import compare_stack, results, trust
from shadowtime.dashboard.look import words
from shadowtime.dashboard.look.definitions import metrics as registered
from shadowtime.dashboard.offline import code, comparing, histogram
from shadowtime.dashboard.offline.held import Held
from shadowtime.dashboard.offline.subject import Subject, date
from shadowtime.engine.workload.job import Clock

HERE = Path(__file__).resolve().parent
STYLES = ("tokens.css", "base.css", "frame.css", "icons.css", "gantt.css", "run.css", "compare.css", "pages.css")
SHEET = (HERE / "report.css").read_text(encoding="utf-8")
ENTRIES = ("gantt/element.js", "pages/compare/stack.js", "pages/compare/lives.js")
MOST_RECTANGLES = 2_000_000
"""Rectangles, and events, of all runs of a file that is live; with more it holds a picture."""


@dataclass(frozen=True)
class Figure:
    """A metric beside its proof."""

    title: str
    text: str
    value: str
    ratio: str
    bound: str
    proof: str
    interval: str


@dataclass(frozen=True)
class Report:
    """What is written into a file."""

    runs: Sequence[Subject]
    """The first is the baseline of a comparison."""
    written: datetime
    """When the report is written, in UTC."""
    start: float | None = None
    end: float | None = None
    """Window of the schedules [s]; figures are those of the whole runs."""
    is_aligned: bool = False
    """Runs of other jobs are compared by job id."""
    held: list[Held] = field(init=False)

    def __post_init__(self) -> None:
        """Raises as `comparing.check`, and InvalidParameter for a window without length."""
        comparing.check(self.runs, is_aligned=self.is_aligned)
        object.__setattr__(self, "held", [Held(one.source, self.start, self.end) for one in self.runs])

    @property
    def is_live(self) -> bool:
        """Whether the file holds the schedules themselves, and no picture of them."""
        return all(sum(counts) <= MOST_RECTANGLES for counts in zip(*(one.size for one in self.held), strict=True))

    @property
    def title(self) -> str:
        """`EASY on KTH-SP2`."""
        return comparing.title(self.runs)

    def html(self) -> str:
        """Return the file."""
        script = code.script(*ENTRIES) if self.is_live else ""
        head = code.THEME + code.PRINT
        scripts = (head, code.BOOT, script) if self.is_live else (head,)
        several = len(self.runs) > 1
        return _template().render(
            title=self.title,
            policy=code.policy(*scripts),
            styles=Markup(code.styles(STYLES, with_fonts=True) + SHEET),
            head=Markup(head),
            boot=Markup(code.BOOT),
            held=Markup(self._held(script)) if self.is_live else "",
            picture="" if self.is_live else self._picture(),
            size=[sum(counts) for counts in zip(*(one.size for one in self.held), strict=True)],
            most=MOST_RECTANGLES,
            names=words.joined([one.title for one in self.runs]),
            span=self._span(),
            window=self._span() if (self.start, self.end) != (None, None) else "",
            runs=self.runs,
            written=date(self.written),
            spreads=self._spreads(),
            **(self._comparison() if several else self._single()),
        )

    def _held(self, script: str) -> str:
        tables = [
            code.held_tables(one.run, held.bundle(one.run)) for one, held in zip(self.runs, self.held, strict=True)
        ]
        return code.held_code(script) + "".join(tables)

    def _picture(self) -> dict[str, str]:
        """The schedules under one another in both themes, as addresses that hold them."""
        start = min(one.extent["t0"] for one in self.held)
        end = max(one.extent["t1"] for one in self.held)
        drawn = [
            picture.Drawn(held.segments, one.jobs["job_id"], one.source.lanes)
            for one, held in zip(self.runs, self.held, strict=True)
        ]
        found = {}
        for scheme in ("light", "dark"):
            pixels = picture.picture(drawn, (start, end), scheme=scheme)
            found[scheme] = "data:image/png;base64," + base64.b64encode(pixels).decode()
        return found

    def _span(self) -> str:
        """The time that the schedules show: `Thu 1 Aug 2002 08:05:17 to Mon 16 Jan 2006 20:12:31`."""
        clock = self.runs[0].source.clock
        known = Clock(**clock) if clock else None
        ends = (min(one.extent["t0"] for one in self.held), max(one.extent["t1"] for one in self.held))
        return " to ".join(words.instant(end, known, year=True) for end in ends)

    def _spreads(self) -> list[list[histogram.Histogram]]:
        """Histograms of stretch and of wait, one for each run."""
        return [
            histogram.histograms(histogram.STRETCH, [one.stretches() for one in self.runs]),
            histogram.histograms(histogram.WAIT, [one.waits() for one in self.runs]),
        ]

    def _single(self) -> dict[str, Any]:
        (run,) = self.runs
        return {
            "facts": run.facts(),
            "headline": headline(run),
            "summary": summary(run),
            "figures": figures(run),
            "trust": trust.sentences(run.summary.get("intervals", {})),
            "explanation": explanation(self.runs),
            "lanes": (),
            "rows": (),
            "outcomes": (),
        }

    def _comparison(self) -> dict[str, Any]:
        height = compare_stack.HEIGHTS[len(self.runs)]
        lanes = []
        for place, (one, held) in enumerate(zip(self.runs, self.held, strict=True)):
            tall = height * (compare_stack.TWO_TIERS if held.extent["tiers"] > 1 else 1)
            parts = "none" if place else "bar axis scrub"
            lanes.append((one, {"height": round(tall + (0 if place else compare_stack.AXIS)), "parts": parts}))
        return {
            "facts": comparing.facts(self.runs, is_aligned=self.is_aligned),
            "lanes": lanes,
            "rows": comparing.table(self.runs, is_aligned=self.is_aligned),
            "outcomes": comparing.outcomes(self.runs, is_aligned=self.is_aligned),
            "explanation": explanation(self.runs),
            "headline": None,
            "summary": (),
            "figures": (),
        }


def headline(run: Subject) -> dict[str, str] | None:
    """The one large figure: how far from the optimum at the most; None where nothing is proven."""
    name = results.headline(run.metrics, run.bounds, run.source.kind)
    ratio = results.ratio_of(name, run.metrics, run.bounds) if name else None
    if name is None or ratio is None:
        return None
    proof = results.PROOFS.get(run.summary.get("bound_names", {}).get(name, ""), "")
    bound = results.whole(name, run.bounds[name]) + (f" by {proof}" if proof else "")
    said = f"{results.whole(name, run.metrics[name])}; lower bound {bound}"
    interval = trust.interval(name, run.summary.get("intervals", {}))
    return {"ratio": words.at_most(ratio), "of": results.titled(name), "said": said, "interval": interval}


def summary(run: Subject) -> list[results.Line]:
    """The usual figures beside their bounds, without the large one."""
    lines = results.lines(run.metrics, run.bounds, run.source.kind)
    large = results.headline(run.metrics, run.bounds, run.source.kind)
    return [line for line in lines if line.name != large or not line.ratio]


def figures(run: Subject) -> list[Figure]:
    """All metrics with their bounds."""
    names, sure = run.summary.get("bound_names", {}), run.summary.get("intervals", {})
    return [
        Figure(
            known.title, known.text, results.written(name, run.metrics[name]),
            words.ratio(results.ratio_of(name, run.metrics, run.bounds)),
            results.written(name, run.bounds.get(name)), names.get(name, "").replace("_", " "),
            trust.interval(name, sure).partition(": ")[2],
        )
        for name, known in registered().items() if run.metrics.get(name) is not None
    ]  # fmt: skip


def explanation(runs: Sequence[Subject]) -> list[str]:
    """What the marks of the figures mean."""
    said = ["● marks the best of each row."] if len(runs) > 1 else []
    if any(one.bounds for one in runs):
        said.append(results.RATIO_WORDS)
    elif not any(one.source.beyond for one in runs):
        said.append("No lower bound is proven for these jobs.")
    said += [
        f"The log overcommits its machine by up to {one.source.beyond:,} processors, so no bound holds for {one.title}."
        for one in runs
        if one.source.beyond
    ]
    waiting = [one.title for one in runs if one.summary.get("exact_bound", {}).get("status") == "queued"]
    if waiting:
        said.append(f"{words.joined(waiting)}: the exact bound of the largest bounded slowdown was not computed yet.")
    return said


@cache
def _template() -> Template:
    """The file's HTML; what is put into it is escaped unless it is marked as HTML."""
    loader = FileSystemLoader(HERE)
    environment = Environment(
        loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    return environment.get_template("report.html")
