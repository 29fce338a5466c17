"""The documentation as pages under /docs: files of the folder manual/, which `make docs` and every installation build.

They hold nothing of the store, so everyone who reaches the server may read them.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from flask import Blueprint, Response, redirect, request, send_from_directory
from werkzeug.exceptions import NotFound
from werkzeug.security import safe_join

from shadowtime.dashboard.bundles import FOREVER

MANUAL = Path(__file__).resolve().parent.parent / "manual"
NOT_BUILT = "The documentation is not built here. In a clone of the repository, make docs builds it."
NO_PAGE = "There is no such page in the documentation: /docs/ leads to its start."
HASHED = re.compile(r"\.[0-9a-f]{8}\.min\.(js|css)$|/inline-[0-9a-f]{12}\.js$")
"""Names that hold the digest of their content."""


def blueprint(folder: Path = MANUAL) -> Blueprint:
    """Return the routes of the site in `folder`."""
    routes = Blueprint("manual", __name__)

    @routes.get("/docs")
    def start() -> Response:
        return redirect(f"{request.script_root}/docs/", 308)  # type: ignore[return-value]

    @routes.get("/docs/", defaults={"path": ""})
    @routes.get("/docs/<path:path>")
    def page(path: str) -> Response:
        if not (folder / "index.html").is_file():
            return Response(NOT_BUILT, 404, mimetype="text/plain")
        return _file(folder, path)

    return routes


def _file(folder: Path, path: str) -> Response:
    """Return a file, the page of a folder, or the way to it; all links of the site are relative to the slash."""
    name = f"{path}index.html" if not path or path.endswith("/") else path
    try:
        response = send_from_directory(folder, name)
    except NotFound:
        if not path.endswith("/") and "." not in path and _is_page(folder, path):
            return redirect(f"{request.script_root}/docs/{path}/", 308)  # type: ignore[return-value]
        return Response(NO_PAGE, 404, mimetype="text/plain")
    if HASHED.search(f"/{name}"):
        response.headers["Cache-Control"] = FOREVER
    return response


def _is_page(folder: Path, path: str) -> bool:
    """Whether `path` is a folder of the site with a page."""
    page = safe_join(str(folder), path, "index.html")
    return page is not None and os.path.isfile(page)  # False for a name with a NUL, where pathlib raises
