"""What the server writes into the page of a run or of a comparison: its schedules, which are drawn while Dash starts.

Around them stand the header, the title and the line of facts, where the page has them; the elements move into the page
when it is there (`assets/pages/frame/gantt.js`).
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from shadowtime.dashboard.components import compare_stack
from shadowtime.dashboard.components.compare_view import FEWEST, MOST, Incomparable, compared
from shadowtime.dashboard.components.frame import NAVIGATION
from shadowtime.dashboard.components.gantt import written
from shadowtime.dashboard.components.run_view import view
from shadowtime.dashboard.context import Context
from shadowtime.dashboard.sharing import urls
from shadowtime.dashboard.sharing.urls import Comparison
from shadowtime.workers.errors import Damaged, NotFound

STACKED = urls.SHOWN[0]


def first_view(context: Context, path: str, query: str) -> str:
    """The schedules of the page at an address as HTML; empty where it shows none."""
    place = urls.place(path)
    try:
        if place.page == "run":
            return _page("run", run(context, place.item))
        if place.page == "compare":
            found = comparison(context, Comparison.parse(urls.query(query)))
            return _page("compare", found) if found else ""
    except (Damaged, Incomparable, NotFound):
        return ""
    return ""


def run(context: Context, run_id: str) -> str:
    """Title, facts and the schedule of one run."""
    shown = view(context, run_id)
    facts = "".join(f"<span>{escape(one)}</span>" for one in shown.facts())
    facts += f'<span class="st-mono">{shown.run.id}</span>'
    head = f'<div class="st-runhead">{_headline(shown.title)}<div class="st-factline">{facts}</div></div>'
    schedule = f'<div class="st-viewer">{written(shown.run.id)}</div>'
    return (
        f'<div class="st-columns st-run"><div class="st-column st-runcolumn">{head}{schedule}</div>'
        '<aside class="st-aside st-runaside"></aside></div>'
    )


def comparison(context: Context, asked: Comparison) -> str:
    """Title and the stacked schedules of several runs; empty where something else is shown first."""
    if asked.show != STACKED or not FEWEST <= len(asked.runs) <= MOST:
        return ""
    found = compared(context, asked)
    lanes = [
        f'<div class="st-lane{"" if place else " st-lane-first"}"><div class="st-rail"><div class="st-railhead">'
        f'<span class="st-railname">{escape(found.name(one))}</span></div></div>'
        f'<div class="st-viewer">{written(one.run.id, **compare_stack.settings(found, one, place))}</div></div>'
        for place, one in enumerate(found.runs)
    ]
    head = f'<div class="st-comparehead">{_headline(found.title, compare_stack.facts(found))}</div>'
    return f'<div class="st-column st-compare" data-show="{STACKED}">{head}{_joined(lanes)}</div>'


def _headline(title: str, facts: str = "") -> str:
    said = f'<span class="st-ink2">{escape(facts)}</span>' if facts else ""
    return f'<div class="st-headline"><h1>{escape(title)}</h1>{said}<div class="st-actions"></div></div>'


def _page(name: str, body: str) -> str:
    """Under the frame's header, without what acts."""
    links = [f'<a class="st-navlink st-nav-{page}" href="{to}">{word}</a>' for page, word, to in NAVIGATION]
    brand = f'<a class="st-brand" href="{urls.NEW}"><span class="st-logo"></span>Shadowtime</a>'
    header = f'<header class="st-header">{brand}<nav class="st-nav" aria-label="Pages">{_joined(links)}</nav></header>'
    return f'<div id="first-view" data-page="{name}">{header}<main class="st-page">{body}</main></div>'


def _joined(parts: Iterable[str]) -> str:
    return "".join(parts)
