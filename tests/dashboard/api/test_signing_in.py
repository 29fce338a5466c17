"""Signing in by OpenID Connect, with a real provider on the loopback."""

from __future__ import annotations

import io
import json
import time
from dataclasses import replace
from itertools import count
from urllib.parse import parse_qs, urlsplit

import pytest
import requests
from joserfc.jwk import OctKey, RSAKey

from shadowtime.dashboard.access.provider import is_path
from shadowtime.dashboard.app import create_app
from shadowtime.engine.errors import InvalidParameter
from shadowtime.workers import audit
from shadowtime.workers.queue import open_queue
from shadowtime.workers.settings import Settings
from shadowtime.workers.store import open_store
from tests.conftest import FOUR_SWF
from tests.dashboard.api.conftest import NO_REDIS, Site
from tests.dashboard.identity_provider import CLIENT, SECRET, IdentityProvider, running

AFRESH = IdentityProvider()
ADDRESSES = count(1)


@pytest.fixture(scope="module")
def provider():
    with running() as state:
        yield state


@pytest.fixture(scope="module")
def settings(provider, tmp_path_factory):
    return Settings(
        store=tmp_path_factory.mktemp("oidc"),
        redis_url=NO_REDIS,
        oidc_issuer=provider.issuer,
        oidc_client_id=CLIENT,
        oidc_client_secret=SECRET,
        editors=("anna",),
    )


def made(settings):
    store = open_store(settings.store)
    server = create_app(store, open_queue(settings, store), settings).server
    server.testing = True
    return Site(server, server.test_client(), store)


@pytest.fixture(scope="module")
def site(settings):
    with made(settings) as found:
        yield found


@pytest.fixture
def browser(site, provider):
    """A browser without cookies, before a provider that is as it should be."""
    provider.person, provider.metadata, provider.claims, provider.key = dict(AFRESH.person), {}, {}, None
    visitor = site.server.test_client()
    visitor.environ_base["REMOTE_ADDR"] = f"127.1.0.{next(ADDRESSES)}"  # tries are counted by address
    return visitor


def came_back(browser, path="/sign-in", **more):
    """Open the sign-in, let the provider answer, and return the address to which it sends the browser."""
    begun = browser.get(path, **more)
    assert begun.status_code == 302, begun.text
    answer = requests.get(begun.headers["Location"], allow_redirects=False, timeout=10)
    return answer.headers["Location"]


def done(browser, address):
    parts = urlsplit(address)
    return browser.get(f"{parts.path}?{parts.query}")


def test_a_person_signs_in_with_pkce_state_and_nonce_and_signs_out(browser, site, provider):
    answer = done(browser, came_back(browser, "/sign-in?next=/runs?q=easy"))

    assert (answer.status_code, answer.headers["Location"]) == (302, "/runs?q=easy")
    assert answer.headers["Cache-Control"] == "no-store"
    sent = provider.asked[-1]
    assert (sent["code_challenge_method"], sent["client_id"], sent["response_type"]) == ("S256", CLIENT, "code")
    assert min(len(sent[name]) for name in ("state", "nonce", "code_challenge")) >= 20
    me = browser.get("/api/me").json
    assert (me["name"], me["role"], me["groups"], me["access"]) == ("anna", "editor", ["hpc"], "token")
    cookie = browser.get_cookie(f"shadowtime-{site.store.identity}")
    assert cookie.http_only and cookie.same_site == "Lax"
    assert browser.get_cookie(f"shadowtime-{site.store.identity}-sign-in") is None
    assert len(browser.get("/api/sessions").json["sessions"]) >= 1
    assert browser.delete("/api/session").status_code == 204
    assert browser.get("/api/me").json["name"] == ""
    browser.set_cookie(cookie.key, cookie.value)
    assert browser.get("/api/me").json["name"] == "", "the session has ended, also for a copy of the cookie"


def test_over_tls_the_callback_and_the_cookies_are_bound_to_the_host(settings, provider, browser):
    with made(replace(settings, proxies=("127.0.0.1",))) as behind:
        visitor = behind.server.test_client()
        visitor.environ_base |= {"HTTP_X_FORWARDED_PROTO": "https", "HTTP_X_FORWARDED_HOST": "lab.example"}
        begun = visitor.get("/sign-in")
        sent = parse_qs(urlsplit(begun.headers["Location"]).query)
        assert sent["redirect_uri"] == ["https://lab.example/sign-in/done"]
        [cookie] = [one for one in begun.headers.getlist("Set-Cookie") if "-sign-in=" in one]
        assert cookie.startswith("__Host-shadowtime-") and "Secure" in cookie and "Path=/;" in f"{cookie};"
        address = requests.get(begun.headers["Location"], allow_redirects=False, timeout=10).headers["Location"]
        assert "__Host-shadowtime-" in done(visitor, address).headers.getlist("Set-Cookie")[0]


def test_who_is_no_editor_reads(browser, provider):
    provider.person["preferred_username"] = "ben"
    assert done(browser, came_back(browser)).status_code == 302

    assert browser.get("/api/me").json["role"] == "viewer"
    assert browser.post("/api/runs", json={}).status_code == 403


def test_groups_of_the_claim_open_runs_of_the_group(browser, site, provider):
    done(browser, came_back(browser))
    sent = browser.post("/api/workloads", data={"file": (io.BytesIO(FOUR_SWF.encode()), "four.swf")})
    question = {"workload": sent.json["id"], "algorithm": "easy", "group": "hpc"}
    run = browser.post("/api/runs", json=question).json["id"]
    seen = {}
    for name, groups in (("cleo", "hpc,x"), ("ben", ["other"]), ("dora", None)):
        provider.person = {"preferred_username": name, **({"groups": groups} if groups else {})}
        other = site.server.test_client()
        done(other, came_back(other))
        seen[name] = other.get(f"/api/runs/{run}").status_code

    assert seen == {"cleo": 200, "ben": 404, "dora": 404}


def refused(browser, address, status, words):
    answer = done(browser, address)
    assert (answer.status_code, words in answer.text) == (status, True), answer.text
    assert browser.get("/api/me").json["name"] == ""
    return answer


@pytest.mark.parametrize(
    "claims",
    [
        {"nonce": "another"}, {"nonce": None}, {"iss": "https://evil.example"}, {"iss": None}, {"aud": ["another"]},
        {"aud": None}, {"exp": 1_000_000_000}, {"exp": None}, {"iat": 4_000_000_000},
    ],
)  # fmt: skip
def test_an_identity_token_that_is_wrong_opens_nothing(browser, provider, claims):
    provider.claims = claims

    refused(browser, came_back(browser), 401, "The sign-in failed")


def test_a_token_that_has_just_expired_opens_nothing(browser, provider):
    provider.claims = {"exp": int(time.time()) - 90}

    assert "expired" in refused(browser, came_back(browser), 401, "The sign-in failed").text


@pytest.mark.parametrize("key", [RSAKey.generate_key(2048, {"kid": "one"}), RSAKey.generate_key(2048, {"kid": "two"})])
def test_a_foreign_signature_opens_nothing(browser, provider, key):
    provider.key = key

    refused(browser, came_back(browser), 401, "The sign-in failed")


def test_a_code_is_used_once(browser, site):
    address = came_back(browser)
    secret = browser.get_cookie(f"shadowtime-{site.store.identity}-sign-in").value
    assert done(browser, address).status_code == 302
    browser.delete("/api/session")
    refused(browser, address, 401, "another browser")
    browser.set_cookie(f"shadowtime-{site.store.identity}-sign-in", secret)
    refused(browser, address, 401, "was used")


def test_the_answer_of_another_browsers_sign_in_opens_nothing(browser, site):
    victim = site.server.test_client()
    victim.get("/sign-in")

    refused(victim, came_back(browser), 401, "another browser")
    refused(site.server.test_client(), came_back(browser), 401, "another browser")


def test_a_sign_in_of_long_ago_opens_nothing(browser, monkeypatch):
    address, now = came_back(browser), time.time()
    monkeypatch.setattr("itsdangerous.timed.time.time", lambda: now + 700)

    refused(browser, address, 401, "ten minutes")


def test_a_refusal_of_the_provider_is_said_in_our_words(browser, provider):
    provider.person["refuse"] = True

    refused(browser, came_back(browser), 401, "the identity provider refused it")


@pytest.mark.parametrize("name", ["anna, ben", "", "a" * 65, None, "Ä", "an\nna"])
def test_what_is_no_name_opens_nothing(browser, provider, name):
    provider.person["preferred_username"] = name

    refused(browser, came_back(browser), 403, "preferred_username")


def test_an_address_that_is_not_verified_is_no_name(settings, provider, browser):
    with made(replace(settings, oidc_name_claim="email")) as by_mail:
        for verified, status in ((None, 403), (False, 403), ("true", 403), (True, 302)):
            provider.person = {"email": "anna@example.org", "email_verified": verified}
            visitor = by_mail.server.test_client()
            assert done(visitor, came_back(visitor)).status_code == status


@pytest.mark.parametrize(
    "target", ["https://evil.example", "//evil.example", "/\\evil.example", "\\\\evil.example", "/%0d%0aX: y\r\n",
               "javascript:alert(1)", "evil", "", "/\t/evil.example"]
)  # fmt: skip
def test_no_sign_in_leads_to_another_site(browser, target):
    answer = done(browser, came_back(browser, "/sign-in", query_string={"next": target}))

    assert (answer.status_code, answer.headers["Location"]) == (302, "/")


def test_the_page_before_is_shown_again_if_it_was_ours(browser):
    ours = {"Referer": "http://localhost/runs?q=easy"}
    assert done(browser, came_back(browser, headers=ours)).headers["Location"] == "/runs?q=easy"
    for theirs in ("http://evil.example/runs", "http://[::1"):
        assert done(browser, came_back(browser, headers={"Referer": theirs})).headers["Location"] == "/"
    assert is_path("/runs?next=//x") and not is_path("/\x00")


def test_another_issuer_than_that_of_the_settings_is_refused(settings, provider, browser):
    provider.metadata = {"issuer": "https://evil.example"}
    with made(settings) as misled:
        answer = misled.server.test_client().get("/sign-in")

    assert answer.status_code == 502 and "SHADOWTIME_OIDC_ISSUER" in answer.text


def test_signatures_that_all_can_make_are_refused_whatever_the_provider_states(settings, provider, browser):
    provider.metadata = {"id_token_signing_alg_values_supported": ["none", "HS256"]}
    provider.key = OctKey.import_key(SECRET.encode())
    with made(settings) as misled:
        visitor = misled.server.test_client()
        refused(visitor, came_back(visitor), 401, "The sign-in failed")


def test_a_provider_that_is_away_is_named(settings):
    with made(replace(settings, oidc_issuer="http://127.0.0.1:9")) as alone:
        answer = alone.server.test_client().get("/sign-in")

        assert answer.status_code == 502 and "does not answer" in answer.text
        assert alone.server.test_client().get("/api/runs").status_code == 200


def test_sessions_end_when_another_provider_is_set_and_editors_count_at_once(settings, site, provider, browser):
    done(browser, came_back(browser))
    name = f"shadowtime-{site.store.identity}"
    secret = browser.get_cookie(name).value
    roles = []
    for changed in (settings, replace(settings, editors=()), replace(settings, oidc_client_id="another"),
                    replace(settings, oidc_issuer="", oidc_client_id="")):  # fmt: skip
        with made(changed) as other:
            visitor = other.server.test_client()
            visitor.set_cookie(name, secret)
            me = visitor.get("/api/me").json
            roles.append((me["name"], me["role"]))

    assert roles == [("anna", "editor"), ("anna", "viewer"), ("", "viewer"), ("", "editor")]


def test_sign_ins_are_in_the_audit_log_without_code_and_state(browser, site):
    address = came_back(browser)
    done(browser, address)
    done(browser, address)
    entries = [line for line in audit.lines(site.store.database, []) if json.loads(line)["action"] == "sign-in.end"][
        -2:
    ]
    good, bad = map(json.loads, entries)

    assert (good["who"], good["source"], good["status"], bad["status"]) == ("anna", "oidc", 302, 401)
    sent = parse_qs(urlsplit(address).query)
    assert not any(value in line for line in entries for value in (sent["code"][0], sent["state"][0]))


def test_without_a_provider_there_is_no_sign_in(tmp_path):
    with made(Settings(store=tmp_path, redis_url=NO_REDIS)) as plain:
        assert plain.client.get("/sign-in").status_code == 404
        assert plain.client.get("/sign-in/done?code=a&state=b").status_code == 404


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"ISSUER": "http://idp.example"}, "https://"),
        ({"ISSUER": "https://idp.example"}, "CLIENT_ID"),
        ({"ISSUER": "https://idp.example", "CLIENT_ID": "x", "SCOPES": "profile"}, "openid"),
    ],
)
def test_settings_that_make_no_sign_in_are_refused(said, words):
    with pytest.raises(InvalidParameter, match=words):
        Settings.from_environment({f"SHADOWTIME_OIDC_{name}": value for name, value in said.items()})
