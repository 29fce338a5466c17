"""A schedule as one page: the viewer of the pages with all that it reads, without server or network."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
from dataclasses import asdict
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from shadowtime.dashboard import modules
from shadowtime.dashboard.look.sheets import sheets
from shadowtime.dashboard.viewer import tiles
from shadowtime.dashboard.viewer.extent import extent, hints
from shadowtime.dashboard.viewer.useful import useful
from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.registry import find_family
from shadowtime.engine.tables import Table, rows, take

if TYPE_CHECKING:
    from shadowtime.dashboard.face.schedule import Schedule

ASSETS = Path(__file__).resolve().parents[2] / "assets"
HERE = Path(__file__).resolve().parent
STYLES = ("tokens.css", "base.css", "icons.css", "gantt.css")
VIEWER = "gantt/element.js"
MOST_RECTANGLES = 500_000
"""Rectangles, and events, of one page: some 10 MB, which a notebook keeps in its file."""
MOST_CURVES = 200_000
"""Times of all jobs of a moldable run that a page holds, for the curve beside a selected job."""
PAGE = """\
<!DOCTYPE html>
<html lang="en" data-mantine-color-scheme="light">
<head>
<meta charset="utf-8">
<base href="https://shadowtime.invalid/">
<title>{title}</title>
<style>
body {{ padding: 8px; }}
.st-held {{ display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 16px; }}
.st-held .st-job {{ width: 300px; max-height: calc(100vh - 16px); overflow-y: auto; }}
.st-held .st-job:empty {{ display: none; }}
@media (max-width: 1240px) {{
  .st-held {{ grid-template-columns: minmax(0, 1fr); }}
  .st-held .st-job {{ width: auto; }}
}}
</style>
</head>
<body>
<main class="st-held">
<div id="viewer"><shadowtime-gantt run="{run}" link="off"></shadowtime-gantt></div>
<section id="job-panel" class="st-job" aria-label="Selected job" aria-live="polite"></section>
</main>
<script type="text/plain" id="held-code">{code}</script>
<script type="text/plain" id="held-tables">{tables}</script>
<script>{boot}</script>
</body>
</html>
"""


class Gantt:
    """A schedule as the page's own viewer: pan, zoom, search, colours, the life of a selected job and its reasons.

    A notebook shows it alive; `html` is the whole page and `save` writes it to a file. Nothing is fetched: scripts,
    styles and tables are inside: 0.12 MB, and some 20 bytes a rectangle with its jobs and events.

    Parameters
    ----------
    schedule
        What is drawn.
    start, end
        Window [s] of the rectangles and events that are held; None: all of the run.
    height
        Of the frame in a notebook [CSS pixels].

    Raises
    ------
    InvalidParameter
        For more than 500,000 rectangles or events: name a shorter window. Also for a window without length.

    Examples
    --------
    >>> import shadowtime as st
    >>> schedule = st.simulate(st.generate("uniform", {"jobs": 50}, seed=1), "easy")
    >>> gantt = st.Gantt(schedule)
    >>> gantt.html.startswith("<!DOCTYPE html>") and len(gantt.html) < 200_000
    True
    """

    def __init__(self, schedule: Schedule, *, start: float | None = None, end: float | None = None, height: int = 620):
        self.schedule, self.height = schedule, int(height)
        whole = {name: getattr(schedule.tables, name) for name in ("jobs", "segments", "events")}
        self._extent = extent(**whole)
        self._segments, self._events = whole["segments"], whole["events"]
        if start is not None or end is not None:
            self._cut(self._extent["t0"] if start is None else start, self._extent["t1"] if end is None else end)
        n, events = rows(self._segments), rows(self._events)
        if max(n, events) > MOST_RECTANGLES:
            raise InvalidParameter(
                f"this schedule has {n:,} rectangles and {events:,} events here; one page holds at most "
                f"{MOST_RECTANGLES:,} of each: name a window by start and end [s]"
            )

    def _cut(self, start: float, end: float) -> None:
        """Keep what a window shows; jobs stay all, so that rows keep their numbers."""
        if not start < end:
            raise InvalidParameter(f"the window from {start:g} s to {end:g} s has no length; end must be after start")
        segments, events = self._segments, self._events
        self._segments = take(segments, np.flatnonzero((segments["start"] < end) & (segments["end"] > start)))
        self._events = take(events, np.flatnonzero((events["time"] >= start) & (events["time"] <= end)))
        self._extent |= {"t0": float(start), "t1": float(end)}
        self._extent["counts"] |= {"segments": rows(self._segments), "events": rows(self._events)}

    @cached_property
    def html(self) -> str:
        """The whole page."""
        parts = self._parts()
        run = hashlib.sha256(b"".join(parts.values())).hexdigest()[:16]
        answers = {"view": {**self._view(), "id": run}, **self._answers()}
        return PAGE.format(
            title=escape(f"{self.schedule.algorithm} on {self.schedule.workload.name}"),
            run=run,
            code=_text(gzip.compress(json.dumps(_code()).encode(), mtime=0)),
            tables=_text(tiles.bundle(parts, answers=answers)),
            boot=(HERE / "boot.js").read_text(encoding="utf-8"),
        )

    def save(self, path: str | Path) -> Path:
        """Write the page to a file, which any browser opens, and return its path.

        Examples
        --------
        >>> import shadowtime as st, tempfile
        >>> schedule = st.simulate(st.generate("uniform", {"jobs": 5}, seed=1), "easy")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     schedule.gantt().save(f"{folder}/easy.html").name
        'easy.html'
        """
        target = Path(path)
        target.write_text(self.html, encoding="utf-8")
        return target

    def _repr_html_(self) -> str:
        style = f"width: 100%; height: {self.height}px; border: 0"
        name = escape(f"Schedule of {self.schedule.workload.name}", quote=True)
        return f'<iframe title="{name}" style="{style}" srcdoc="{escape(self.html, quote=True)}"></iframe>'

    def __repr__(self) -> str:
        words = f"{self.schedule.workload.name} by {self.schedule.algorithm}"
        return f"<gantt of {words}: {rows(self._segments):,} rectangles, {len(self.html) / 1e6:.1f} MB>"

    def _view(self) -> dict[str, Any]:
        """What `GET /api/runs/<id>/view` answers for a finished run."""
        schedule, clock = self.schedule, self.schedule.workload.clock
        family = find_family(schedule.workload.kind)
        return {
            "status": "finished", "attempt": 1, "progress": {}, "algorithm": schedule.algorithm,
            "kind": schedule.workload.kind, "capacity": schedule.platform.lanes,
            "lanes": schedule.platform.lanes + schedule.counters.get("overcommitted", 0),
            "lane": family.lane, "family": hints(family), "exclusive": schedule.exclusive,
            "idle": schedule.metrics().get("normalized_underutilization"), "tau": schedule.tau,
            "clock": asdict(clock) if clock else None, "format": tiles.FORMAT, **self._extent,
            "large": False, "huge": False,
        }  # fmt: skip

    def _parts(self) -> dict[str, bytes]:
        """The binary tables, as their routes send them."""
        schedule, segments = self.schedule, self._segments
        if "task" in segments:
            from shadowtime.dashboard.viewer.packed import with_remote

            segments = with_remote(segments, schedule.workload)
        found: dict[str, Table] = {
            "jobs": schedule.tables.jobs, "segments": segments, "events": self._events, "series": useful(schedule),
            "rates": schedule.tables.rates, "bands": schedule.tables.bands,
        }  # fmt: skip
        state = {"status": "finished", "attempt": 1}
        return {name: tiles.encode(table, tiles.HINTS[name], **state) for name, table in found.items()}

    def _answers(self) -> dict[str, Any]:
        """What else the viewer loads: the machines of a site, the times of moldable jobs."""
        workload, lanes = self.schedule.workload, self.schedule.platform.lanes
        if workload.site is not None:
            from shadowtime.dashboard.viewer.machines import described

            return {"site": described(workload.site)}
        if find_family(workload.kind).has_curves and len(workload) * lanes <= MOST_CURVES:
            from shadowtime.dashboard.viewer.curves import curve

            ids = workload.jobs["job_id"].tolist()
            return {"allotments": {job: {"job": job, **curve(workload, lanes, row)} for row, job in enumerate(ids)}}
        return {}


def _code() -> dict[str, str]:
    """Styles and script of the viewer."""
    known = sheets(ASSETS)
    styles = [_without_fonts(known[name]) for name in STYLES]
    return {"styles": "\n".join(styles), "script": modules.joined(ASSETS, modules.ordered(ASSETS, VIEWER), "/assets")}


def _without_fonts(styles: str) -> str:
    """The system's fonts stand in for ours: 0.2 MB a page less."""
    head, *faces = styles.split("@font-face {")
    return head + "".join(face.partition("}")[2] for face in faces)


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()
