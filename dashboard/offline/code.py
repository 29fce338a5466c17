"""Styles and scripts of a page that holds everything, as text: joined from `assets/`, the same bytes at every time."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from collections.abc import Iterable
from pathlib import Path

from shadowtime.dashboard import modules
from shadowtime.dashboard.look.sheets import sheets

ASSETS = Path(__file__).resolve().parents[2] / "assets"
HERE = Path(__file__).resolve().parent
BOOT = (HERE / "boot.js").read_text(encoding="utf-8")
"""Runs last: it answers what the viewer fetches, then starts the held script."""
THEME = (HERE / "theme.js").read_text(encoding="utf-8")
"""Runs first, so that the first paint has the right colours."""
PRINT = (HERE / "print.js").read_text(encoding="utf-8")
"""Runs before the viewers, in pages that are made for paper, too."""
COMMENT = re.compile(
    r"^[ \t]*/\*(?:(?!\*/).)*\*/\n|^[ \t]*//[^\n]*\n|/\*\* @type [^*]*\*/ ?|(?<=[;,{]) // [^\n]*",
    re.MULTILINE | re.DOTALL,
)
"""A comment on lines of its own, a type within a line, or words behind a statement: a fifth of a small page."""
FACE = "@font-face {"
FONT = "data:font/woff2;base64,"


def script(*entries: str) -> str:
    """Return the modules of `assets/` that the entries need, and the entries, as one script without comments."""
    order = dict.fromkeys(module for entry in entries for module in modules.ordered(ASSETS, entry))
    return COMMENT.sub("", modules.joined(ASSETS, order, "/assets"))


def styles(names: Iterable[str], *, with_fonts: bool) -> str:
    """Return style sheets as one, with the fonts in it; without them the system's stand in: 0.2 MB less."""
    known = sheets(ASSETS)
    text = "\n".join(known[name] for name in names)
    if with_fonts:
        for path in sorted((ASSETS / "fonts").glob("*.woff2")):
            text = text.replace(f'url("fonts/{path.name}")', f'url("{FONT}{_text(path.read_bytes())}")')
        return text
    head, *faces = text.split(FACE)
    return head + "".join(face.partition("}")[2] for face in faces)


def held_code(text: str, sheet: str = "") -> str:
    """Return the element that holds the script of the page, packed, and styles that may come as late as it."""
    packed = gzip.compress(json.dumps({"styles": sheet, "script": text}).encode(), mtime=0)
    return f'<script type="text/plain" id="held-code">{_text(packed)}</script>\n'


def held_tables(run: str, bundle: bytes) -> str:
    """Return the element that holds the tables of the run with the id `run`."""
    return f'<script type="text/plain" data-run="{run}">{_text(bundle)}</script>\n'


def policy(*scripts: str) -> str:
    """Return the content policy of a page that runs these scripts and nothing else, and loads nothing."""
    hashes = " ".join(f"'sha256-{_text(hashlib.sha256(text.encode()).digest())}'" for text in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; img-src data:; font-src data:; "
        "base-uri 'none'; form-action 'none'"
    )


def _text(content: bytes) -> str:
    return base64.b64encode(content).decode()
