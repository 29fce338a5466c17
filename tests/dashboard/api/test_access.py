"""Who may write."""

from __future__ import annotations

import pytest

from shadowtime.workers.settings import Settings
from tests.dashboard.api.conftest import make_site

WRITES = [
    ("POST", "/api/workloads"),
    ("POST", "/api/runs"),
    ("POST", "/api/runs/0123456789abcdef/cancel"),
    ("DELETE", "/api/runs/0123456789abcdef"),
    ("DELETE", "/api/workloads/0123456789abcdef"),
]


def another(method, path):
    """An address of its own for each of WRITES: tries of one client are few."""
    return {"REMOTE_ADDR": f"127.0.1.{WRITES.index((method, path)) + 1}"}


@pytest.fixture(scope="module")
def guarded(tmp_path_factory):
    with make_site(tmp_path_factory.mktemp("guarded"), token="se cret") as made:
        yield made


@pytest.mark.parametrize(("method", "path"), WRITES)
def test_writing_needs_the_token(guarded, method, path):
    for headers in ({}, {"Authorization": "Bearer other"}, {"Authorization": "Basic se cret"}, {"Authorization": ""}):
        refused = guarded.client.open(path, method=method, headers=headers)
        assert (refused.status_code, list(refused.json)) == (401, ["error"])
        assert refused.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize(("method", "path"), WRITES)
def test_the_token_opens_in_a_header_or_a_cookie(guarded, method, path):
    by_header = guarded.client.open(path, method=method, headers={"Authorization": "Bearer se cret"})
    browser = guarded.server.test_client()
    assert (
        browser.post("/api/session", json={"token": "se cret"}, environ_base=another(method, path)).status_code == 200
    )
    by_cookie = browser.open(path, method=method)

    assert by_header.status_code not in (401, 403)
    assert by_cookie.status_code not in (401, 403)


@pytest.mark.parametrize("path", ["/api/runs", "/api/algorithms", "/healthz", "/api/openapi.json"])
def test_reading_needs_no_token(guarded, path):
    assert guarded.client.get(path).status_code in (200, 503)


def test_a_preview_needs_no_token(guarded):
    assert guarded.client.post("/api/preview", json={"generator": "uniform"}).status_code == 200


@pytest.mark.parametrize(("method", "path"), WRITES)
def test_a_page_of_another_site_may_not_write(site, method, path):
    for origin in ("https://evil.example", "null", "http://localhost:1", "http://[::1", "https://[", "["):
        refused = site.client.open(path, method=method, headers={"Origin": origin})
        assert (refused.status_code, list(refused.json)) == (403, ["error"])
    own = site.client.open(path, method=method, headers={"Origin": "http://localhost"})
    assert own.status_code != 403


def test_a_page_of_another_site_may_not_even_ask_for_a_preview(site):
    refused = site.client.post(
        "/api/preview", json={"generator": "uniform"}, headers={"Origin": "https://evil.example"}
    )

    assert refused.status_code == 403


@pytest.mark.parametrize(("kind", "status"), [("cross-site", 403), ("same-site", 403), ("same-origin", 404)])
def test_what_a_browser_says_of_the_page_is_believed(site, kind, status):
    asked = site.client.delete("/api/runs/0123456789abcdef", headers={"Sec-Fetch-Site": kind})

    assert asked.status_code == status


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8050", "localhost.evil.example", "192.0.2.7"])
def test_a_name_that_was_made_to_lead_here_is_refused(site, host):
    for method, path in (("GET", "/api/runs"), ("POST", "/api/runs"), ("GET", "/healthz")):
        refused = site.client.open(path, method=method, headers={"Host": host, "Origin": f"http://{host}"})
        assert refused.status_code == 403
        assert "SHADOWTIME_HOSTS" in refused.json["error"]


def test_other_names_are_ours_where_a_setting_says_so(tmp_path):
    named = Settings.from_environment({"SHADOWTIME_HOSTS": "Lab.example.org"})
    everywhere = Settings.from_environment({"HOST": "0.0.0.0"})
    for settings, host, status in (
        (named, "lab.example.org:8443", 200),
        (named, "localhost", 200),
        (named, "other.example.org", 403),
        (everywhere, "whatever.example.org", 200),
    ):
        made = make_site(tmp_path, hosts=settings.hosts)
        assert made.client.get("/api/runs", headers={"Host": host}).status_code == status


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_a_token_may_have_letters_beyond_ascii(tmp_path, encoding):
    sent = "Bearer Einführung für alle".encode(encoding).decode("latin-1")  # as a server hands it on
    with make_site(tmp_path, token="Einführung für alle") as made:
        known = made.client.get("/api/me", environ_base={"HTTP_AUTHORIZATION": sent})

    assert known.json["role"] == "editor"
