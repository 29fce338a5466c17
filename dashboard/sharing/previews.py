"""What a link is shown as elsewhere: title, sentence and picture in the head of the page (Open Graph).

Programs that show previews run no scripts, so these stand in the HTML that the server sends for an address.
"""

from __future__ import annotations

from html import escape
from typing import NamedTuple
from urllib.parse import urlencode

from shadowtime.dashboard import picture
from shadowtime.dashboard.components import naming, results
from shadowtime.dashboard.components.run_view import RunView, view
from shadowtime.dashboard.context import Context
from shadowtime.dashboard.look import words
from shadowtime.dashboard.sharing import shared, urls
from shadowtime.workers.errors import NotFound

SITE = "Shadowtime"
MOST = 6
"""Runs of a comparison."""


class Preview(NamedTuple):
    """Of one address."""

    title: str
    text: str
    picture: str = ""
    """Path of the picture on this site; empty where there is none."""


def tags(found: Preview, root: str, path: str) -> str:
    """The lines of the head; everything that a person could have written is escaped."""
    said: dict[str, str | int] = {"og:site_name": SITE, "og:type": "website", "og:title": found.title}
    said |= {"og:description": found.text, "og:url": root + path}
    if found.picture:
        said["og:image"] = root + found.picture
        said |= {"og:image:type": "image/png", "og:image:width": picture.WIDTH, "og:image:height": picture.HEIGHT}
        said["og:image:alt"] = "The schedule: lanes from top to bottom, time from left to right"
    lines = [f'<meta property="{name}" content="{escape(str(value))}">' for name, value in said.items()]
    lines.append(f'<meta name="description" content="{escape(found.text)}">')
    lines.append(f'<meta name="twitter:card" content="{"summary_large_image" if found.picture else "summary"}">')
    return "\n".join(["", *lines])


def preview(context: Context, path: str, query: str) -> Preview | None:
    """What the page at an address is shown as; None where it is no page of runs, or they are not here."""
    code = urls.query(query).get(urls.LINK, "")
    title = ""
    if urls.place(path).page == "shared":
        code = urls.place(path).item
    if code:
        try:
            link = context.store.links.read(code)
        except NotFound:
            pass  # an address written by hand: the runs that it names are shown
        else:
            title = link.title
            if urls.place(path).page == "shared":
                path, _, query = link.target.partition("?")
    runs = shared.runs_of(f"{path}?{query}")[:MOST]
    try:
        views = [view(context, reference) for reference in runs]
        if any(one.run.is_private for one in views):
            return None  # programs that fetch previews publish them
        return of_runs(views, urls.View.parse(query), title) if views else None
    except NotFound:
        return None


def of_runs(views: list[RunView], shown: urls.View, title: str) -> Preview:
    """Runs and a view of them."""
    algorithms = dict.fromkeys(naming.run_words(one.run.spec) for one in views)
    workloads = dict.fromkeys(naming.workload_words(one.context.store, one.run.spec) for one in views)
    named = f"{words.joined(list(algorithms))} on {words.joined(list(workloads))}"
    said = [judged(one) for one in views]
    text = f"{'; '.join(filter(None, said))}." if any(said) else "A schedule of parallel jobs."
    if title:
        text = f"{named}. {text}"
    drawn = ",".join(one.run.id for one in views if one.is_finished)
    window = urls.View(shown.start, shown.end, shown.nodes).query()
    address = "/api/picture.png?" + "&".join(filter(None, [urlencode({"runs": drawn}, safe=","), window]))
    return Preview(title or named, text, address if drawn else "")


def judged(one: RunView) -> str:
    """`EASY: 751 jobs, mean turnaround 3 h 11 min, at most 1.61 × optimal`."""
    name = naming.run_words(one.run.spec)
    if not one.is_finished:
        return f"{name}: {one.run.status.status}"
    values, bounds = one.figures()
    headline = results.headline(values, bounds, one.asked["kind"])
    said = [words.count(int(one.summary.get("jobs", 0)), "job")]
    if headline:
        said.append(f"{results.titled(headline).lower()} {results.written(headline, values[headline])}")
        ratio = results.ratio_of(headline, values, bounds)
        said += [words.at_most(ratio)] if ratio is not None else []
    return f"{name}: {', '.join(said)}"
