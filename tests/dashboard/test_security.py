"""Headers of every answer."""

from __future__ import annotations

import pytest
from flask import Flask, abort

from shadowtime.dashboard.access import security
from shadowtime.dashboard.access.security import hashed
from tests.dashboard.api.named import make
from tests.dashboard.inline import inline_scripts

PAGE = """<!DOCTYPE html><html><head><script>start()</script><script src="/a.js"></script>
<script id="c" type="application/json">{"a": 1}</script></head>
<body><script id="r" type="application/javascript">var a = "<b>" && '&amp;';</script></body></html>"""


@pytest.fixture
def client():
    server = Flask("x")
    security.protect(server, lambda: [*map(hashed, inline_scripts(PAGE))])
    server.get("/", endpoint="page")(lambda: PAGE)
    server.get("/own", endpoint="own")(lambda: ("x", {"Content-Security-Policy": "default-src 'none'"}))
    server.get("/fail", endpoint="fail")(lambda: abort(500))
    return server.test_client()


def test_inline_scripts_of_a_page_are_found_to_the_letter():
    assert inline_scripts(PAGE) == ["start()", "var a = \"<b>\" && '&amp;';"]


def test_only_our_inline_scripts_may_run(client):
    policy = client.get("/").headers["Content-Security-Policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))

    assert rules["script-src"] == " ".join(["'self'", *map(hashed, inline_scripts(PAGE))])
    assert rules["default-src"] == "'self'"
    assert rules["frame-ancestors"] == rules["object-src"] == rules["base-uri"] == "'none'"
    assert "unsafe-eval" not in policy


@pytest.mark.parametrize("path", ["/", "/fail", "/nothing"])
def test_every_answer_carries_them(client, path):
    headers = client.get(path).headers

    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "Content-Security-Policy" in headers


def test_only_listed_origins_frame_only_views_that_ask_for_it(tmp_path):
    origins = ("https://wiki.example", "http://course.example:8080")
    client = make(tmp_path, embed_origins=origins).client

    framed = client.get("/compare?runs=a&embed=1")
    assert f"frame-ancestors {' '.join(origins)};" in framed.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in framed.headers
    assert '<html data-role="viewer" data-embed ' in framed.text
    for address in ("/compare?runs=a", "/?embed=1", "/runs?embed=1", "/api/runs?embed=1", "/compare?embed=11"):
        whole = client.get(address)
        assert "frame-ancestors 'none'" in whole.headers["Content-Security-Policy"], address
        assert whole.headers["X-Frame-Options"] == "DENY", address
        assert "data-embed" not in whole.text

    closed = make(tmp_path / "closed").client.get("/compare?runs=a&embed=1")
    assert "frame-ancestors 'none'" in closed.headers["Content-Security-Policy"]


def test_an_answer_may_have_a_policy_of_its_own(client):
    assert client.get("/own").headers["Content-Security-Policy"] == "default-src 'none'"
