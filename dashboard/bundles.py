"""The browser code of `assets/` as three files that a browser keeps: the styles, the viewer, and the rest.

Seventy files of a few kilobytes each cost a page more in questions ("is it still the same?") than in bytes. They are
joined when the site starts, in the order of their names; their address carries the digest of everything, so that they
are asked for once. Workers and fonts stay files of their own.
"""

from __future__ import annotations

import gzip
import hashlib
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from flask import Flask, Response, request

AHEAD = "gantt-ahead.js"
"""First of all: it asks for the tables of the page's runs, and is a worker's code too."""
BOOT = "boot.js"
FOREVER = "public, max-age=31536000, immutable"
_FILE = re.compile(r'url\("([\w./-]+)"\)')


@dataclass(frozen=True)
class Bundles:
    """What of `assets/` a page needs, in the order in which it is run."""

    folder: Path

    @cached_property
    def digest(self) -> str:
        """Of every file: any change gives new addresses."""
        found = hashlib.sha256()
        for path in sorted(path for path in self.folder.rglob("*") if path.is_file()):
            found.update(path.relative_to(self.folder).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
        return found.hexdigest()[:16]

    @cached_property
    def texts(self) -> dict[str, bytes]:
        """Name and content of each bundle."""
        scripts = sorted(self.folder.glob("*.js"))
        viewer = [path for path in scripts if path.name.startswith("gantt") and path.name != AHEAD]
        rest = [path for path in scripts if path not in viewer and path.name not in (AHEAD, BOOT, "live-worker.js")]
        styles = b"\n".join(path.read_bytes() for path in sorted(self.folder.glob("*.css")))
        kept = _FILE.sub(rf'url("\1?m={self.digest}")', styles.decode())
        return {"all.css": kept.encode(), "viewer.js": _joined(viewer), "rest.js": _joined(rest)}

    def address(self, name: str) -> str:
        """Where the browser finds a file of the folder, or a bundle."""
        return f"/assets/{name}?m={self.digest}"

    def head(self) -> str:
        """Tags of the head: first what asks for the schedules of the page, before any script waits for the styles."""
        font = self.address("fonts/Inter.woff2")
        lines = [
            _script(self.address(AHEAD)),
            f'<link rel="preload" href="{self.address("viewer.js")}" as="script">',
            f'<link rel="preload" href="{font}" as="font" type="font/woff2" crossorigin>',
            f'<link rel="stylesheet" href="{self.address("all.css")}">',
        ]
        return "\n".join(lines)

    def viewer(self) -> str:
        """Tag of the scripts that draw schedules."""
        return _script(self.address("viewer.js"))

    def rest(self) -> str:
        """Tags of the scripts that Dash's callbacks call."""
        return "\n".join(map(_script, (self.address("live-worker.js"), self.address("rest.js"))))

    def boot(self) -> str:
        """Tag of the script that starts Dash when the first picture is drawn."""
        return _script(self.address(BOOT))

    def serve(self, server: Flask) -> None:
        """The routes of the bundles; files whose address carries the digest are kept by the browser, too."""
        packed = {name: gzip.compress(text, mtime=0) for name, text in self.texts.items()}

        def bundle(name: str) -> Response:
            kind = "text/css" if name.endswith(".css") else "text/javascript"
            if "gzip" not in request.headers.get("Accept-Encoding", ""):
                return Response(self.texts[name], content_type=f"{kind}; charset=utf-8")
            answer = Response(packed[name], content_type=f"{kind}; charset=utf-8")
            answer.headers.update({"Content-Encoding": "gzip", "Vary": "Accept-Encoding"})
            return answer

        for name in self.texts:
            server.add_url_rule(f"/assets/{name}", f"bundle {name}", bundle, defaults={"name": name})

        @server.after_request
        def keep(response: Response) -> Response:
            asked = request.path.startswith("/assets/") and request.args.get("m") == self.digest
            if asked and response.status_code in (200, 304):
                response.headers["Cache-Control"] = FOREVER
            return response


def _joined(paths: list[Path]) -> bytes:
    return b"\n;\n".join(b"/* %s */\n%s" % (path.name.encode(), path.read_bytes()) for path in paths)


def _script(address: str) -> str:
    return f'<script src="{address}"></script>'
