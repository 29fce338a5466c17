"""Who one is here, and how a browser shows the token."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from tests.dashboard.api.conftest import make_site

SECRET = "se; cret=ü"


@pytest.fixture
def guarded(tmp_path):
    return make_site(tmp_path, token=SECRET)


def test_the_token_is_shown_once_and_kept_where_no_script_reads_it(guarded):
    before = guarded.client.get("/api/me").json
    entered = guarded.client.post("/api/session", json={"token": SECRET})
    after = guarded.client.get("/api/me").json
    cookie = entered.headers["Set-Cookie"]

    assert (before["role"], entered.status_code, after["role"]) == ("viewer", 200, "editor")
    assert (before["private"], after["private"], after["access"]) == (False, True, "token")
    assert "HttpOnly" in cookie and "SameSite=Lax" in cookie
    assert guarded.client.delete("/api/runs/0123456789abcdef").status_code == 404


def test_who_leaves_is_a_viewer_again(guarded):
    guarded.client.post("/api/session", json={"token": SECRET})
    left = guarded.client.delete("/api/session")

    assert left.status_code == 204
    assert guarded.client.get("/api/me").json["role"] == "viewer"


def test_another_token_is_none_and_tries_are_few(guarded):
    answers = [guarded.client.post("/api/session", json={"token": f"{n}"}) for n in range(12)]

    assert [answer.status_code for answer in answers] == [401] * 10 + [429] * 2
    assert "Set-Cookie" not in answers[0].headers
    assert answers[-1].headers["Retry-After"]


def test_without_a_token_there_is_none_to_show(tmp_path):
    made = make_site(tmp_path)

    assert made.client.post("/api/session", json={"token": "x"}).status_code == 409
    assert made.client.get("/api/me").json == {"name": "", "role": "editor", "access": "open", "private": False}


def test_a_proxy_says_who_one_is(tmp_path):
    made = make_site(tmp_path, user_header="X-Forwarded-User", proxies=("127.0.0.1",), editors=("anna",))
    told = [made.client.get("/api/me", headers={"X-Forwarded-User": name}).json for name in ("anna", "carl")]

    assert [(one["name"], one["role"], one["private"]) for one in told] == [
        ("anna", "editor", True),
        ("carl", "viewer", False),
    ]


def test_tokens_are_guessed_no_faster_by_header_or_cookie_than_by_the_form(tmp_path):
    guarded = make_site(tmp_path, token="plain")
    right = {"Authorization": "Bearer plain"}
    assert guarded.client.get("/api/me", headers=right).json["role"] == "editor"
    wrong = [guarded.client.get("/api/me", headers={"Authorization": f"Bearer {n}"}) for n in range(12)]
    assert [answer.status_code for answer in wrong] == [200] * 10 + [429] * 2
    assert wrong[-1].headers["Retry-After"]
    assert guarded.client.get("/api/me", headers=right).status_code == 429  # nothing tells which one is right
    elsewhere = {"REMOTE_ADDR": "127.0.0.9"}
    assert guarded.client.get("/api/me", headers=right, environ_base=elsewhere).json["role"] == "editor"


def test_an_old_cookie_still_reads_and_its_guesses_are_counted(guarded):
    for n in range(11):
        guarded.client.set_cookie("shadowtime-token", f"{n}")
        assert guarded.client.get("/api/me").json["role"] == "viewer"
    guarded.client.set_cookie("shadowtime-token", quote(SECRET))
    answer = guarded.client.get("/api/me")
    assert (answer.status_code, answer.json["role"]) == (200, "viewer")


def test_right_tokens_are_never_too_many(tmp_path):
    guarded = make_site(tmp_path, token="plain")
    right = {"Authorization": "Bearer plain"}
    roles = {guarded.client.get("/api/me", headers=right).json["role"] for _ in range(30)}
    assert roles == {"editor"}
