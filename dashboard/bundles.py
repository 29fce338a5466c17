"""The browser code of `assets/` as few files that a browser keeps: one of styles, and a script for each entry.

A hundred modules of a few kilobytes each cost a page more in requests than in bytes. They are joined when the site
starts. An address holds the digest of everything, so that it is asked for once; what a file names relatively (a font, a
worker) has the digest, too.
"""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from flask import Flask, Response, request, send_from_directory

from shadowtime.dashboard import modules
from shadowtime.dashboard.look.sheets import sheets

AHEAD = "api/ahead.js"
"""First of all: it requests the tables of the page's runs."""
VIEWER = "gantt/index.js"
PAGES = "pages/index.js"
BOOT = "pages/boot.js"
ENTRIES: Mapping[str, tuple[str, ...]] = {
    AHEAD: (),
    VIEWER: (AHEAD,),
    PAGES: (AHEAD, VIEWER),
    BOOT: (),
    "api/table-worker.js": (),
    "live/live-worker.js": (),
}
"""Entry of each script, and the scripts that a page runs before it."""
STYLES = "all.css"
FOREVER = "public, max-age=31536000, immutable"


@dataclass(frozen=True)
class Bundles:
    """What of `assets/` a page needs, in the order in which it is run."""

    folder: Path
    entries: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: ENTRIES)

    @cached_property
    def digest(self) -> str:
        """Of every file, and of the styles that stand in none: any change gives new addresses."""
        found = hashlib.sha256()
        for path in sorted(path for path in self.folder.rglob("*") if path.is_file()):
            found.update(path.relative_to(self.folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
        found.update(self.styles)
        return found.hexdigest()[:16]

    @cached_property
    def styles(self) -> bytes:
        """All style sheets as one."""
        return "\n".join(sheets(self.folder).values()).encode()

    @cached_property
    def texts(self) -> dict[str, bytes]:
        """Name and content of each bundle."""
        order = {entry: modules.ordered(self.folder, entry) for entry in self.entries}
        found = {STYLES: self.styles}
        for entry, before in self.entries.items():
            known = {module for other in before for module in order[other]}
            own = [module for module in order[entry] if module not in known]
            found[entry] = modules.joined(self.folder, own, f"/assets/{self.digest}").encode()
        return found

    def address(self, name: str) -> str:
        """Where the browser finds a file of the folder, or a bundle."""
        return f"/assets/{self.digest}/{name}"

    def head(self) -> str:
        """Tags of the head: first what asks for the schedules of the page, before any script waits for the styles."""
        font = self.address("fonts/Inter.woff2")
        lines = [
            self.script(AHEAD),
            f'<link rel="preload" href="{self.address(VIEWER)}" as="script">',
            f'<link rel="preload" href="{font}" as="font" type="font/woff2" crossorigin>',
            f'<link rel="stylesheet" href="{self.address(STYLES)}">',
        ]
        return "\n".join(lines)

    def script(self, entry: str) -> str:
        """Tag of a bundle."""
        return f'<script src="{self.address(entry)}"></script>'

    def serve(self, server: Flask) -> None:
        """The routes of bundles and files; a page of an older version gets what is here now, and keeps it not."""
        packed = {name: gzip.compress(text, mtime=0) for name, text in self.texts.items()}

        @server.get("/assets/<string(length=16):digest>/<path:name>")
        def asset(digest: str, name: str) -> Response:
            if name in packed:
                response = self._bundle(name, packed[name])
            else:
                response = send_from_directory(self.folder, name)
            if digest == self.digest:
                response.headers["Cache-Control"] = FOREVER
            return response

    def _bundle(self, name: str, packed: bytes) -> Response:
        kind = "text/css" if name.endswith(".css") else "text/javascript"
        if "gzip" not in request.headers.get("Accept-Encoding", ""):
            return Response(self.texts[name], content_type=f"{kind}; charset=utf-8")
        response = Response(packed, content_type=f"{kind}; charset=utf-8")
        response.headers.update({"Content-Encoding": "gzip", "Vary": "Accept-Encoding"})
        return response
