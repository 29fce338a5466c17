"""The documentation as pages: no broken link, nothing that the content policy stops, and a search that finds."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest
from flask import Flask
from werkzeug.serving import make_server

import shadowtime
from shadowtime.dashboard import app as site
from shadowtime.dashboard import manual
from shadowtime.dashboard.access import security

ROOT = Path(__file__).parent.parent
PARTS = ("tutorial", "how-to", "reference", "explanation")


@pytest.fixture(scope="session")
def built(tmp_path_factory) -> Path:
    """The folder of the site, built anew; any broken link or anchor ends the build."""
    folder = tmp_path_factory.mktemp("manual")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    answer = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return folder


@pytest.fixture(scope="session")
def server(built) -> Flask:
    """The site behind the content policy, and nothing else."""
    made = Flask("manual", static_folder=None)
    made.register_blueprint(manual.blueprint(built))
    security.protect(made)
    return made


@pytest.fixture(scope="session")
def pages(server) -> dict[str, Page]:
    """Every page that links lead to from the start, by its path."""
    client, found, todo = server.test_client(), {}, ["/docs/"]
    while todo:
        path = todo.pop()
        if path not in found:
            answer = client.get(path)
            assert answer.status_code == 200, path
            found[path] = Page(answer.text)
            todo += [one for one in found[path].local(path) if one.endswith("/") and one.startswith("/docs/")]
    return found


class Page(HTMLParser):
    """What a page refers to, and what of it the content policy would stop."""

    def __init__(self, text: str):
        super().__init__()
        self.links: list[str] = []
        self.files: list[str] = []
        self.ids: set[str] = set()
        self.stopped: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids.add(given.get("id") or "")
        self.stopped += [f"{tag} {name}" for name in given if name.startswith("on")]
        if tag == "script" and "src" not in given and given.get("type") != "application/json":
            self.stopped.append("script without a file")
        if tag == "a":
            self.links.append(given.get("href") or "")
        elif tag in ("img", "script", "link", "iframe", "source"):
            self.files.append(given.get("src") or given.get("href") or "")

    def local(self, path: str) -> list[str]:
        """Paths of this server that it links to."""
        return [urldefrag(urljoin(path, link)).url for link in self.links if not urlsplit(link).scheme]


def test_every_document_is_a_page_that_links_lead_to(pages):
    documents = {
        f"/docs/{path.relative_to(ROOT / 'docs').with_suffix('').as_posix()}/"
        for part in PARTS
        for path in (ROOT / "docs" / part).rglob("*.md")
    }

    assert documents | {"/docs/", "/docs/contributing/", "/docs/changes/", "/docs/SECURITY/"} == set(pages)


def test_every_link_and_every_anchor_is_there(pages, server):
    client, missing = server.test_client(), set()
    for path, page in pages.items():
        for link in (link for link in page.links if not urlsplit(link).scheme):
            target, anchor = urldefrag(urljoin(path, link))
            is_here = target in pages and (not anchor or anchor == "__skip" or anchor in pages[target].ids)
            if target != "/" and not is_here and (target in pages or client.get(target).status_code != 200):
                missing.add(f"{path}: {link}")
        missing |= {f"{path}: {one}" for one in page.files if client.get(urljoin(path, one)).status_code != 200}

    assert missing == set()


def test_nothing_comes_from_another_host_and_no_script_is_inline(pages):
    assert {path: page.stopped for path, page in pages.items() if page.stopped} == {}
    assert [one for page in pages.values() for one in page.files if urlsplit(one).netloc] == []


def test_formulas_are_written_out_and_nothing_else_is_taken_for_one(built):
    texts = {path.relative_to(built).parent.as_posix(): path.read_text() for path in built.rglob("index.html")}

    assert {name for name, text in texts.items() if "<math" in text} == {
        "explanation/batch", "explanation/bounds", "reference/glossary", "reference/metrics",
    }  # fmt: skip
    assert [name for name, text in texts.items() if "arithmatex" in text or r"\frac" in text] == []


def test_every_public_name_has_its_entry(pages):
    page = pages["/docs/reference/python-api/"]

    assert [name for name in shadowtime.__all__ if f"shadowtime.{name}" not in page.ids] == []


def test_pages_are_asked_for_again_and_files_of_a_digest_are_kept(server, built):
    client = server.test_client()
    bundle = next((built / "assets" / "javascripts").glob("bundle.*.js")).name

    assert client.get("/docs/").headers["Cache-Control"] == "no-cache"
    assert "immutable" in client.get(f"/docs/assets/javascripts/{bundle}").headers["Cache-Control"]
    assert "script-src 'self';" in client.get("/docs/").headers["Content-Security-Policy"] + ";"


def test_an_address_without_its_slash_leads_to_the_page(server):
    client = server.test_client()

    assert client.get("/docs").location.endswith("/docs/")
    assert client.get("/docs/reference/cli").location == "/docs/reference/cli/"
    assert client.get("/docs/reference/cli", base_url="http://x/lab").location == "/lab/docs/reference/cli/"


@pytest.mark.parametrize("path", ["nothing", "nothing/", "../mkdocs.yml", "..%2fmkdocs.yml", "%2fetc/passwd", "a%00b"])
def test_no_other_file_is_sent(server, path):
    answer = server.test_client().get(f"/docs/{path}")

    assert answer.status_code in (308, 404)
    assert "site_name" not in answer.text and "root:" not in answer.text


def test_where_it_is_not_built_one_sentence_says_how(tmp_path):
    server = Flask("manual", static_folder=None)
    server.register_blueprint(manual.blueprint(tmp_path))

    answer = server.test_client().get("/docs/")

    assert (answer.status_code, answer.text) == (404, manual.NOT_BUILT)


def test_the_citation_is_of_this_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")

    assert re.findall(r"^(?:version|license): (.+)$", citation, re.MULTILINE) == [
        project["version"], project["license"],
    ]  # fmt: skip


def test_what_builds_the_pages_is_what_the_extra_installs():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

    assert project["build-system"]["requires"][1:] == project["project"]["optional-dependencies"]["docs"]


@pytest.fixture
def start(server, free_port):
    """The address of the documents on a server."""
    web = make_server("127.0.0.1", free_port, server, threaded=True)
    threading.Thread(target=web.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{free_port}/docs/"
    web.shutdown()


@pytest.mark.browser
def test_search_finds_the_page_of_a_word(page, start):
    refused: list[str] = []
    page.on("console", lambda line: refused.append(line.text) if "Content Security Policy" in line.text else None)
    page.goto(start)
    page.locator("input.md-search__input").press_sequentially("shadow time")
    first = page.locator(".md-search-result__item a").first
    first.wait_for(timeout=30_000)
    assert first.get_attribute("href")
    page.locator(".md-search-result__item a[href*='reference/glossary']").first.wait_for(timeout=30_000)
    assert refused == []


@pytest.mark.browser
def test_the_theme_is_that_of_the_laboratory_both_ways(page, start):
    def in_laboratory() -> str:
        page.evaluate(site.SCHEME)
        return page.locator("html").get_attribute("data-mantine-color-scheme")

    def documents_are(scheme: str, where=page) -> None:
        where.locator(f"body[data-md-color-scheme={scheme}]").wait_for()

    page.emulate_media(color_scheme="light")
    page.goto(start)
    documents_are("default")
    page.evaluate("localStorage.setItem('mantine-color-scheme-value', 'dark')")  # as the button of the laboratory does
    page.goto(f"{start}reference/cli/")
    documents_are("slate")
    other = page.context.new_page()
    other.goto(start)
    page.get_by_title("Use the colours of the system").click()
    documents_are("default")
    documents_are("default", other)
    assert in_laboratory() == "light"
    page.emulate_media(color_scheme="dark")
    assert in_laboratory() == "dark"
    page.get_by_title("Switch to light colours").click()
    assert in_laboratory() == "light"


def test_the_folder_of_the_product_is_the_one_that_is_built():
    assert manual.MANUAL == ROOT / "manual"
    assert shutil.which("mkdocs", path=str(Path(sys.executable).parent)), "the test extra holds what builds the pages"
