"""What the documentation site needs beyond Markdown; mkdocs.yml names this file.

- Formulas become MathML when the site is built, so that a page needs no script and no font for them.
- Inline scripts of the theme become files, so that the content policy (`dashboard/access/security.py`) holds.
- Light or dark is one choice for the documents and the laboratory (`docs/look/theme.js`).
- The package is found where it lies, under its name, without being installed.
- CONTRIBUTING.md and CHANGELOG.md, which stand beside README.md, become pages, and links to them are kept.
- The search finds definitions and tasks before tables of results.
- The fonts and the mark of the product are copied from assets/.
"""

from __future__ import annotations

import atexit
import hashlib
import html
import re
import shutil
import tempfile
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert
from mkdocs.plugins import event_priority
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).resolve().parent.parent
BESIDE = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changes.md"}
"""Documents at the root of the repository, and their pages."""
COPIED = {"favicon.svg": "favicon.svg", "fonts/Inter.woff2": "inter.woff2", "fonts/JetBrainsMono.woff2": "mono.woff2"}
"""Files of assets/, and their names in look/."""
PARTS = ("__init__.py", "engine", "workers", "dashboard")
"""What `shadowtime` is made of."""
FORMULA = re.compile(r'<(span|div) class="arithmatex">(.*?)</\1>', re.DOTALL)
SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
RESULTS = "explanation/papers/"
BOOSTS = {"reference/glossary": 8, "tutorial/": 2, "how-to/": 2, RESULTS: 0.2, "changes": 0.2}
"""How much more a page counts in the search, by the start of its path."""
LINK = re.compile(r"(\]\()([^)\s#]+)")
scripts: dict[str, str] = {}
"""Texts of inline scripts, by the name of the file that they become."""


@event_priority(100)  # before mkdocstrings reads its settings
def on_config(config: Any) -> Any:
    """Let the pages of Python names find `shadowtime`, which is this folder: by links in a temporary one, to its own
    parts alone. mkdocstrings lists all files below it; with the environment, `node_modules` and `.link/shadowtime`,
    which leads back here, these were 1.6 million paths, and listing them took 2 minutes."""
    links = Path(tempfile.mkdtemp())
    atexit.register(shutil.rmtree, links, ignore_errors=True)
    (links / "shadowtime").mkdir()
    for part in PARTS:
        (links / "shadowtime" / part).symlink_to(ROOT / part)
    config.plugins["mkdocstrings"].config["handlers"]["python"]["paths"] = [str(links)]
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the documents beside README.md, the fonts and the mark."""
    for name, page in BESIDE.items():
        files.append(File.generated(config, page, content=(ROOT / name).read_text(encoding="utf-8")))
    for name, place in COPIED.items():
        files.append(File.generated(config, f"look/{place}", abs_src_path=str(ROOT / "assets" / name)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead links to and from the documents at the root to their pages; rank the page in the search."""
    place = page.file.src_uri
    page.meta["search"] = {"boost": next((boost for start, boost in BOOSTS.items() if place.startswith(start)), 1)}
    depth = place.count("/")

    def moved(link: re.Match[str]) -> str:
        target = link[2]
        if place in BESIDE.values():
            target = target.removeprefix("docs/")
        if target.removeprefix("../" * (depth + 1)) in BESIDE:
            target = "../" * depth + BESIDE[target.removeprefix("../" * (depth + 1))]
        return link[1] + target

    return LINK.sub(moved, markdown)


def on_page_content(text: str, page: Any, **_: Any) -> str:
    """Write formulas as MathML; leave the figures of the papers' tables out of the search."""
    if page.file.src_uri.startswith(RESULTS):
        text = text.replace("<table>", "<table data-search-exclude>")
    return FORMULA.sub(lambda found: formula(found[2], block=found[1] == "div"), text)


def formula(source: str, block: bool) -> str:
    """Return LaTeX between `\\(` and `\\)`, or `\\[` and `\\]`, as MathML."""
    latex = html.unescape(source).strip()[2:-2].strip()
    made = convert(latex, display="block" if block else "inline")
    return f'<div class="st-formula">{made}</div>' if block else made


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Put inline scripts into files; add the one that shares the theme, after the functions that it replaces."""
    up = "../" * page.url.rstrip("/").count("/") + ("../" if page.url.strip("./") else "")

    def moved(found: re.Match[str]) -> str:
        name = f"inline-{hashlib.sha256(found[1].encode()).hexdigest()[:12]}.js"
        scripts[name] = found[1]
        return f'<script src="{up}look/{name}"></script>'

    theme = f'<script src="{up}look/theme.js"></script>'
    return SCRIPT.sub(moved, output).replace("</head>", f"{theme}</head>", 1)


def on_post_build(config: Any) -> None:
    """Write the scripts; remove what only other languages and the address of a published site need."""
    site = Path(config.site_dir)
    for name, text in scripts.items():
        (site / "look" / name).write_text(text, encoding="utf-8")
    shutil.rmtree(site / "assets" / "javascripts" / "lunr", ignore_errors=True)
    for name in ("404.html", "sitemap.xml", "sitemap.xml.gz"):
        (site / name).unlink(missing_ok=True)
    for name in site.rglob("*.map"):
        name.unlink()
