"""A schedule as one page: the viewer of the pages with all that it reads, without server or network."""

from __future__ import annotations

import hashlib
import math
import sys
from dataclasses import asdict
from functools import cached_property
from html import escape
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shadowtime.dashboard.offline import code
from shadowtime.dashboard.offline.held import Held, Source
from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.tables import Table

if TYPE_CHECKING:
    from shadowtime.dashboard.face.schedule import Schedule

STYLES = ("tokens.css", "base.css", "icons.css", "gantt.css")
VIEWER = "gantt/element.js"
MOST_RECTANGLES = 500_000
"""Rectangles, and events, of one page: some 10 MB, which a notebook keeps in its file."""
PAGE = """\
<!DOCTYPE html>
<html lang="en" data-mantine-color-scheme="light">
<head>
<meta charset="utf-8">
<base href="https://shadowtime.invalid/">
<title>{title}</title>
<script>{theme}</script>
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
{held}
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
        check_window(start, end)
        check_height(height)
        self.schedule, self.height = schedule, int(height)
        self._held = Held(source_of(schedule), start, end)
        n, events = self._held.size
        if max(n, events) > MOST_RECTANGLES:
            raise InvalidParameter(
                f"this schedule has {n:,} rectangles and {events:,} events here; one page holds at most "
                f"{MOST_RECTANGLES:,} of each: name a window by start and end [s]"
            )

    @cached_property
    def html(self) -> str:
        """The whole page."""
        parts = self._held.parts()
        run = hashlib.sha256(b"".join(parts.values())).hexdigest()[:16]
        return PAGE.format(
            title=escape(f"{self.schedule.algorithm} on {self.schedule.workload.name}"),
            run=run,
            theme=code.THEME,
            held=code.held_code(code.script(VIEWER), code.styles(STYLES, with_fonts=False))
            + code.held_tables(run, self._held.bundle(run, parts)),
            boot=code.BOOT,
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
        return f"<gantt of {words}: {self._held.size[0]:,} rectangles, {len(self.html) / 1e6:.1f} MB>"


def check_window(start: Any, end: Any) -> None:
    """Refuse ends of a window that are no finite numbers.

    Raises
    ------
    InvalidParameter
        Naming the end and its value.
    """
    for name, value in (("start", start), ("end", end)):
        if value is None:
            continue
        is_real = isinstance(value, Real) and not isinstance(value, bool)
        if not (is_real and abs(value) <= sys.float_info.max):  # NaN is not
            raise InvalidParameter(f"{name} = {str(value)[:40]!r}, but it must be a number of seconds")


def check_height(height: Any) -> None:
    """Refuse a height that is no number of pixels; raises InvalidParameter."""
    if isinstance(height, bool) or not isinstance(height, Real) or not 1 <= float(height) < math.inf:
        raise InvalidParameter(f"height = {str(height)[:40]!r}, but it must be a number of pixels from 1 on")


class _Tables:
    """The tables of the engine by name: compiled code of the viewer takes no read-only columns."""

    def __init__(self, schedule: Schedule):
        self._tables = schedule.tables

    def table(self, name: str) -> Table:
        return getattr(self._tables, name)


def source_of(schedule: Schedule) -> Source:
    """The schedule as a viewer reads it."""
    workload = schedule.workload
    return Source(
        tables=_Tables(schedule),
        workload=lambda: workload,
        kind=workload.kind,
        lanes=schedule.platform.lanes,
        algorithm=schedule.algorithm,
        exclusive=schedule.exclusive,
        tau=schedule.tau,
        clock=asdict(workload.clock) if workload.clock else None,
        idle=schedule.metrics().get("normalized_underutilization"),
        beyond=schedule.counters.get("overcommitted", 0),
        users=workload.texts.get("user", ()),
    )
