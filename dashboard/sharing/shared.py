"""Short links: `/s/<code>` leads to the view that it stands for, with `link=<code>` in its address.

The page of the view shows what was shared, with a button to compute it again. Where a run was deleted, `/s/<code>` is a
page of its own: the link has kept the questions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from flask import Flask, Response, redirect, request

from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.sharing import urls
from shadowtime.engine.errors import InvalidParameter
from shadowtime.workers.errors import NotFound
from shadowtime.workers.records.links import Link
from shadowtime.workers.rerun import linked
from shadowtime.workers.store import VisibleStore


def register(server: Flask, store: VisibleStore, index: Callable[[], str]) -> None:
    """The route of short links; `index` gives the page that shows what cannot be shown."""

    @server.get("/s/<code>")
    def short(code: str) -> Any:
        """To the view, while its runs are here."""
        try:
            link = store.links.read(code)
        except NotFound:
            return index(), 404
        if missing(store, runs_of(link.target)):
            return index()
        response = redirect(opened(link))
        response.headers["Cache-Control"] = "no-cache"
        return response

    @server.after_request
    def remember(response: Response) -> Response:
        """Pages behind a secret link send further requests: the cookie shows that their visitor has the link."""
        code = visitors.came_by()
        if code and request.method == "GET" and not request.path.startswith("/api/"):
            with suppress(NotFound):
                if store.links.read(code).is_secret:
                    codes = ".".join(visitors.codes())
                    secure = visitors.is_secure_here()
                    response.set_cookie(visitors.OPENED, codes, httponly=True, samesite="Lax", secure=secure)
        return response


def make(store: VisibleStore, target: str, title: str = "") -> tuple[Link, bool]:
    """A short link to a page of this site; False: it was here already.

    Raises InvalidParameter: for what is no page here.
    Raises NotFound: for a run that is not here.
    """
    target = without(target, urls.LINK)
    page = urls.place(target.partition("?")[0].partition("#")[0]).page
    if page in ("unknown", "shared"):
        raise InvalidParameter(f"{target[:80]!r} is no page of this site")
    return store.links.make(target, title, [linked(store, store.runs.get(run)) for run in runs_of(target)])


def runs_of(target: str) -> list[str]:
    """Ids of the runs that a page of this site shows, in their order."""
    path, _, query = target.partition("#")[0].partition("?")
    place = urls.place(path)
    if place.page == "run":
        return [place.item]
    return list(urls.Comparison.parse(query).runs) if place.page in ("compare", "waits") else []


def missing(store: VisibleStore, runs: Sequence[str]) -> list[str]:
    """Those that are not in the store."""
    return [run for run in runs if not _is_here(store, run)]


def opened(link: Link) -> str:
    """The address of a link's view, which names the link."""
    path, mark, fragment = link.target.partition("#")
    path, _, query = path.partition("?")
    parts = [f"{urls.LINK}={link.code}", query]
    return f"{path}?{'&'.join(filter(None, parts))}{mark}{fragment}"


def without(target: str, name: str) -> str:
    """A target without one part of its query; what remains is as it was written."""
    path, mark, fragment = target.partition("#")
    path, _, query = path.partition("?")
    kept = [part for part in query.split("&") if part and part.partition("=")[0] != name]
    return path + (f"?{'&'.join(kept)}" if kept else "") + mark + fragment


def renamed(target: str, ids: Mapping[str, str]) -> str:
    """The same view of other runs: `ids` maps each run to the one in its place."""
    for old, new in ids.items():
        target = target.replace(old, new)
    return target


def _is_here(store: VisibleStore, run: str) -> bool:
    try:
        store.runs.get(run)
    except NotFound:
        return False
    return True
