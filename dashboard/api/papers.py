"""Papers: what they claim and what came out, and having them computed again on the workers."""

from __future__ import annotations

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

from flask import Blueprint, Response, jsonify, request

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api import body
from shadowtime.dashboard.api.context import context
from shadowtime.dashboard.figures.drawing import FORMATS, as_csv
from shadowtime.dashboard.figures.sketch import COLOURS
from shadowtime.dashboard.papers import PAGES, PaperPage, illustrations, publishing
from shadowtime.dashboard.papers.standing import SHIPPED, Standing, standing
from shadowtime.dashboard.papers.verdicts import counts
from shadowtime.dashboard.serving.cache import remembered
from shadowtime.dashboard.sharing import urls
from shadowtime.workers.errors import NotFound
from shadowtime.workers.papers import parts
from shadowtime.workers.papers.registry import SCALES
from shadowtime.workers.version import engine_version

blueprint = Blueprint("papers", __name__)

TYPES = {
    **{f".{form}": media for form, media in FORMATS.items()},
    ".csv": "text/csv",
    ".tex": "application/x-tex",
    ".bib": "application/x-bibtex",
    ".txt": "text/plain",
    ".zip": "application/zip",
}
"""Media types of the files of a paper, by ending."""


@blueprint.get("/api/papers")
def listing() -> Response:
    """The papers, each at quick and at full scale: how many claims agree, and what is computed now."""
    return jsonify(papers=[described(_standing(page, scale)) for page in PAGES.values() for scale in SCALES])


@blueprint.get("/api/papers/<name>")
def one(name: str) -> Response:
    """A paper at a scale: its claims with ours, the tables behind its figures, and how recomputing stands."""
    here = _asked(name)
    figures = [drawing.key for drawing in here.drawings()]
    return jsonify({**described(here), "figures": figures, "result": here.shown})


@blueprint.post("/api/papers/<name>")
def again(name: str) -> tuple[Response, int]:
    """Have a paper computed again at a scale: 202; 200 where it is computed already."""
    page, scale = _page(name), _scale_of(body.json_object(("scale",)))
    _, is_new = parts.submit(context().store, context().queue, page.name, scale)
    return jsonify(described(_standing(page, scale))), 202 if is_new else 200


@blueprint.post("/api/papers/<name>/cancel")
def cancel(name: str) -> tuple[Response, int]:
    """Stop recomputing a paper: 202; finished parts are kept for the next time. 409 when nothing is computed."""
    page, scale = _page(name), _scale_of(body.json_object(("scale",)) if request.content_length else {})
    parts.cancel(context().store, page.name, scale)
    return jsonify(described(_standing(page, scale))), 202


@blueprint.get("/api/papers/<name>/figures.csv")
def numbers(name: str) -> Response:
    """All values of a figure of a paper's page: panel, line, point, value, and extremes where they are known."""
    key = request.args.get("figure", "")
    here = _asked(name)
    for drawing in here.drawings():
        if drawing.key == key:
            response = Response(as_csv(drawing), mimetype="text/csv")
            file = f"{here.page.name}-{here.scale}-{drawing.key}.csv"
            response.headers["Content-Disposition"] = f'attachment; filename="{file}"'
            return response
    raise NotFound("figure", key)


@blueprint.get("/api/papers/<name>/files/<file>")
def file(name: str, file: str) -> Response:
    """A file of a paper's page: figures as `.svg` and `.pdf`, tables as `.csv` and `.tex`, `reference.bib`,
    `methods.txt`, illustrations as `.svg` (`theme` = light or dark), or all of it as `<name>.zip`.
    """
    theme = request.args.get("theme", "light")
    if theme not in COLOURS:
        raise Refusal(400, f"theme = {theme[:40]!r}, but it must be light or dark.")
    here = _asked(name)
    for picture in here.page.illustrations:
        if file == f"{picture.key}.svg":
            return Response(illustrations.svg(here.page.name, picture.key, theme), mimetype=FORMATS["svg"])
    response = Response(_content(here, file), mimetype=TYPES[Path(file).suffix])
    response.headers["Content-Disposition"] = f'attachment; filename="{here.page.name}-{here.scale}-{file}"'
    return response


def _content(here: Standing, file: str) -> bytes:
    """Render a file; cached, since a figure takes 0.2 s and an archive of forty 12 s."""
    if here.shown is None:
        raise NotFound("file of a paper", file)
    makers = publishing.makers(here.page, here.shown, here.drawings())
    archive = f"{here.page.name}.zip"
    if file not in (*makers, archive):
        raise NotFound("file of a paper", file)

    def make() -> str:
        content = publishing.archive(makers) if file == archive else makers[file]()
        return base64.b64encode(content.encode() if isinstance(content, str) else content).decode()

    identity = json.dumps(
        [here.page.name, here.scale, here.shown["made"], here.shown["engine_version"], engine_version()]
    )
    digest = hashlib.sha256(identity.encode()).hexdigest()[:32]
    return base64.b64decode(remembered(context().cache, digest, f"file-{file}", make))


def described(here: Standing) -> dict[str, Any]:
    """A paper at a scale, in an answer."""
    shown = here.shown or {}
    workers = max(1, context().queue.health().workers) if here.processor_seconds else 1
    return {
        "name": here.page.name,
        "title": here.page.title,
        "sentence": here.page.sentence,
        "url": urls.paper(here.page.name, here.scale),
        "scale": here.scale,
        "claims": counts(here.studies),
        "made": shown.get("made"),
        "seconds": shown.get("seconds"),
        "engine_version": shown.get("engine_version"),
        "shipped": shown.get("shipped"),
        "status": here.status.status if here.status else None,
        "error": here.status.error if here.status else None,
        "damaged": list(here.damaged),
        "progress": dict(here.progress),
        "expected_seconds": here.seconds(workers),
    }


def _page(name: str) -> PaperPage:
    if name.lower() not in PAGES:
        raise NotFound("paper", name)
    return PAGES[name.lower()]


def _standing(page: PaperPage, scale: str, which: str = "") -> Standing:
    return standing(context().store.papers, page, scale, which)


def _asked(name: str) -> Standing:
    which = request.args.get("result")
    if which not in (None, SHIPPED):
        raise Refusal(400, f"result = {which[:40]!r}, but it must be {SHIPPED}, or left out for the newest.")
    return _standing(_page(name), _scale_of(request.args), which or "")


def _scale_of(given: Any) -> str:
    scale = given.get("scale")
    if scale is None:
        return SCALES[0]
    if scale not in SCALES:
        raise Refusal(400, f"scale = {str(scale)[:40]!r}, but it must be {' or '.join(SCALES)}.")
    return scale
