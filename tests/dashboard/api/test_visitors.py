"""Whom a request is believed to come from."""

from __future__ import annotations

import pytest
from flask import Flask, request

from shadowtime.dashboard.access import visitors
from shadowtime.dashboard.access.visitors import EDITOR, VIEWER
from shadowtime.engine.errors import InvalidParameter
from shadowtime.workers.settings import Settings
from tests.dashboard.api.conftest import make_site

PROXY = Settings(user_header="X-Forwarded-User", proxies=("10.0.0.0/8", "::1"), editors=("anna", "ben@example.org"))
ANYBODY = Settings(user_header="X-Forwarded-User", proxies=("10.0.0.0/8",))
TOKEN = Settings(token="se cret")


def visitor(settings: Settings, address: str = "10.0.0.1", **headers: str) -> visitors.Visitor:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    with Flask("x").test_request_context("/", headers=named, environ_base={"REMOTE_ADDR": address}):
        return visitors.of(request, settings)


def test_where_nothing_is_set_everybody_writes_and_nobody_is_told_apart():
    found = visitor(Settings(), "127.0.0.1")

    assert (found.role, found.name, found.owner, found.client) == (EDITOR, "", None, "127.0.0.1")


def test_the_token_makes_an_editor_of_a_viewer():
    assert visitor(TOKEN).role == VIEWER
    assert visitor(TOKEN, Authorization="Bearer wrong").role == VIEWER
    found = visitor(TOKEN, Authorization="Bearer se cret")
    assert (found.role, found.owner) == (EDITOR, "token")


@pytest.mark.parametrize(
    ("settings", "name", "role"),
    [(PROXY, "anna", EDITOR), (PROXY, "ben@example.org", EDITOR), (PROXY, "carl", VIEWER), (ANYBODY, "carl", EDITOR)],
)
def test_a_trusted_proxy_says_who_it_is_and_the_settings_who_may_write(settings, name, role):
    found = visitor(settings, "10.9.9.9", X_Forwarded_User=name)

    assert (found.name, found.role, found.owner, found.client) == (name, role, f"user:{name}", f"user:{name}")


def test_an_ipv4_client_of_an_ipv6_socket_is_that_client():
    clients = [visitor(Settings(), f"::ffff:{one}").client for one in ("192.0.2.1", "198.51.100.7", "127.0.0.1")]

    assert clients == ["192.0.2.1", "198.51.100.7", "127.0.0.1"]
    assert visitor(Settings(), "2001:db8::5").client == "2001:db8::/64"


@pytest.mark.parametrize("proxies", [("10.0.0.0/8",), ("::ffff:10.0.0.0/104",)])
def test_an_ipv4_proxy_is_trusted_on_an_ipv6_socket(proxies):
    settings = Settings(user_header="X-Forwarded-User", proxies=proxies)
    found = visitor(settings, "::ffff:10.0.0.1", X_Forwarded_User="anna", X_Forwarded_For="::ffff:192.0.2.7")

    assert (found.name, found.address) == ("anna", "192.0.2.7")
    assert visitor(settings, "::ffff:11.0.0.1", X_Forwarded_User="anna").name == ""


@pytest.mark.parametrize("address", ["192.0.2.1", "127.0.0.1", "11.0.0.1", "::2", ""])
def test_from_anywhere_else_the_same_header_says_nothing(address):
    found = visitor(ANYBODY, address, X_Forwarded_User="anna", X_Forwarded_For="10.0.0.1")

    assert (found.name, found.role, found.owner, found.address) == ("", VIEWER, None, address)


@pytest.mark.parametrize(
    "name", ["", "anna, ben", "anna;ben", "a" * 65, "änna", "anna ben", '"anna"', "../anna", "-\t-"]
)
def test_what_is_no_name_names_nobody(name):
    with Flask("x").test_request_context("/", environ_base={"REMOTE_ADDR": "10.0.0.1"}) as context:
        context.request.environ["HTTP_X_FORWARDED_USER"] = name
        found = visitors.of(request, ANYBODY)

    assert (found.name, found.role) == ("", VIEWER)


@pytest.mark.parametrize(
    ("peer", "said", "address"),
    [
        ("10.0.0.1", "192.0.2.7", "192.0.2.7"),
        ("10.0.0.1", "203.0.113.9, 192.0.2.7", "192.0.2.7"),
        ("10.0.0.1", "203.0.113.9, 192.0.2.7, 10.0.0.2", "192.0.2.7"),
        ("192.0.2.7", "10.0.0.1", "192.0.2.7"),
        ("10.0.0.1", "192.0.2.7, nonsense", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
    ],
)
def test_the_client_is_the_last_address_that_a_trusted_proxy_saw(peer, said, address):
    assert visitor(PROXY, peer, X_Forwarded_For=said).address == address


def test_all_addresses_of_a_network_of_version_6_are_one_client():
    assert visitor(Settings(), "2001:db8:1:2::5").client == visitor(Settings(), "2001:db8:1:2:3::9").client
    assert visitor(Settings(), "2001:db8:1:2::5").client != visitor(Settings(), "2001:db8:1:3::5").client


def test_a_viewer_of_the_proxy_reads_and_is_told_why_no_more(tmp_path):
    made = make_site(tmp_path, user_header="X-Forwarded-User", proxies=("127.0.0.1",), editors=("anna",))
    refused = made.client.post("/api/runs", headers={"X-Forwarded-User": "carl"})
    unnamed = made.client.post("/api/runs")
    taken = made.client.post("/api/runs", json={}, headers={"X-Forwarded-User": "anna"})

    assert made.client.get("/api/runs", headers={"X-Forwarded-User": "carl"}).status_code == 200
    assert (refused.status_code, unnamed.status_code, taken.status_code) == (403, 403, 400)
    assert "carl" in refused.json["error"] and "proxy" in unnamed.json["error"]


def test_behind_a_trusted_proxy_our_pages_have_its_name(tmp_path):
    made = make_site(tmp_path, user_header="X-Forwarded-User", proxies=("127.0.0.1",))
    own = {"X-Forwarded-User": "anna", "Origin": "https://lab.example.org", "X-Forwarded-Host": "lab.example.org"}

    assert made.client.post("/api/runs", json={}, headers=own).status_code == 400
    forged = made.client.post("/api/runs", json={}, headers=own, environ_base={"REMOTE_ADDR": "192.0.2.1"})
    assert forged.status_code == 403


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"SHADOWTIME_USER_HEADER": "X-User"}, "SHADOWTIME_PROXIES"),
        ({"SHADOWTIME_USER_HEADER": "X User", "SHADOWTIME_PROXIES": "::1"}, "name of a header"),
        ({"SHADOWTIME_PROXIES": "everywhere"}, "10.0.0.0/8"),
    ],
)
def test_a_proxy_that_is_half_configured_is_refused(given, words):
    with pytest.raises(InvalidParameter, match=words):
        Settings.from_environment(given)


def test_the_traceback_of_a_failed_run_is_for_who_submitted_it(tmp_path):
    named = {"user_header": "X-Forwarded-User", "proxies": ("127.0.0.1",), "editors": ("anna", "ben")}
    anna, ben, carl = ({"X-Forwarded-User": name} for name in ("anna", "ben", "carl"))
    with make_site(tmp_path, **named) as site:
        workload = site.upload(headers=anna).json["id"]
        for private in (False, True):
            question = {"workload": workload, "algorithm": "easy", "private": private}
            run = site.client.post("/api/runs", json=question, headers=anna).json["id"]
            site.store.runs.fail(site.store.runs.get(run).digest, "It failed.", traceback="Traceback: line 7")
            link = site.client.post("/api/links", json={"target": f"/runs/{run}"}, headers=anna).json["code"]
            address = f"/api/runs/{run}"
            mine = site.client.get(address, headers=anna)
            assert (mine.json["traceback"], mine.headers["Cache-Control"]) == ("Traceback: line 7", "no-store")
            for who in (ben, carl, {}):
                for query in ("", f"?link={link}"):
                    assert "Traceback" not in site.client.get(address + query, headers=who).text
                assert "Traceback" not in site.client.get("/api/runs", headers=who).text
            assert "Traceback" not in site.client.get("/api/runs", headers=anna).text
