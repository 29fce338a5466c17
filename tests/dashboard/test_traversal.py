"""Paths in addresses, ids and names: nothing outside of what a route is for is ever sent."""

from __future__ import annotations

import io
import json
import re
from urllib.parse import unquote_to_bytes

import pytest
from werkzeug.test import create_environ, run_wsgi_app

from tests.dashboard.api.named import make

SECRET = "what-no-one-may-read-7f3a"
UP = ("../", "..%2f", "%2e%2e/", "%2e%2e%2f", "..\\", "..%5c", "....//", "%252e%252e%252f", "..%00/", "/", "//", "%2f")
FILES = ("secret.txt", "key", "etc/passwd", "dashboard/app.py")

PLACE = re.compile(r"parses(/[0-9a-f]{64}(/[\w.+-]+(/[0-9a-f]{16})?)?)?")
"""Folders that workloads may have."""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A store one folder below a secret, with secrets in it as well."""
    folder = tmp_path_factory.mktemp("outside")
    made = make(folder / "store", max_uploads=0)
    made.store.key()
    for place in (folder, folder / "store", folder / "store" / "blobs", folder / "store" / "tmp"):
        (place / "secret.txt").write_text(SECRET)
    yield made
    made.close()


def asked(site, path: str, query: str = "") -> tuple[int, bytes]:
    """As gunicorn hands it on: the percent signs of a path undone once."""
    environ = create_environ("/")
    environ |= {"PATH_INFO": unquote_to_bytes(path).decode("latin-1"), "QUERY_STRING": query}
    pieces, status, _ = run_wsgi_app(site.server, environ, buffered=True)
    return int(status.split()[0]), b"".join(pieces)


def places(site):
    """Every route that reads, with a gap for each of its names, and the roots of files that are served."""
    for rule in site.server.url_map.iter_rules():
        if "GET" in rule.methods and rule.rule != "/api/live":
            for argument in rule.arguments:
                others = re.sub(rf"<(?:\w+:)?(?!{argument}>)\w+>", "dash", rule.rule)
                yield re.sub(rf"<(?:\w+:)?{argument}>", "GAP", others)
    yield from (
        "/GAP",
        "/assets/GAP",
        "/assets/base/dom.js/GAP",
        "/runs/GAP",
        "/papers/GAP",
        "/workloads/GAP",
        "/experiments/GAP",
    )


def secrets(site) -> list[bytes]:
    store = site.server.extensions["shadowtime"].settings.store
    own = [path.read_bytes() for path in (store / "key",) if path.exists()]
    return [SECRET.encode(), b"root:x:0:0", b"SQLite format 3", b"[build-system]", b"def create_app", *own]


def test_no_path_leads_out_of_its_folder(site):
    found, tried = [], 0
    for place in places(site):
        for up in UP:
            for depth in (1, 6):
                for file in FILES:
                    path = place.replace("GAP", up * depth + file)
                    status, content = asked(site, path)
                    tried += 1
                    if status >= 500 or any(secret in content for secret in secrets(site)):
                        found.append(f"{status} {path}")

    assert found == [] and tried > 2_000


@pytest.mark.parametrize("name", ["format", "table", "figure", "result", "scale", "theme", "runs", "of", "baseline"])
def test_no_query_does(site, name):
    for path in ("/api/papers/measy", "/api/papers/measy/figures.csv", "/api/compare", "/api/picture.png", "/api/runs"):
        for up in UP:
            status, content = asked(site, path, f"{name}={up * 3}secret.txt")
            assert status < 500 and not any(secret in content for secret in secrets(site))


def test_no_name_of_a_file_or_a_case_becomes_a_path(site):
    store = site.server.extensions["shadowtime"].settings.store
    before = {f"{path.relative_to(store)}" for path in store.rglob("*") if path.is_dir()}
    job = {"processes": 1, "runtime": 5, "usage": [0.5], "phi": [1.0]}
    cases = [
        {"name": name, "processors": 4, "jobs": [job]} for name in ("../../case", "/etc/case", "..", "a/b", "\\case")
    ]
    text = json.dumps({"kind": "two_tier", "cases": cases}).encode()
    for name in ("../../evil.json", "/etc/evil.json", "..\\..\\evil.json", "..", ".", "", "a\0b"):
        site.store.workloads.add(io.BytesIO(text), name)
    outside = sorted(path.name for path in store.parent.iterdir())
    entry = site.store.workloads.list().rows[0]
    for case in entry.cases:
        site.store.workloads.load(entry.digest, case)
    new = {f"{path.relative_to(store)}" for path in store.rglob("*") if path.is_dir()} - before

    assert [one["name"] for one in cases] == list(entry.cases)
    assert outside == ["secret.txt", "store"]
    assert new and all(PLACE.fullmatch(path) for path in new), new
