"""Whatever is sent, the answer is JSON, and a refusal is one sentence."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shadowtime.dashboard.api import body

ROUTES = [("/api/runs", "workload"), ("/api/preview", "workload"), ("/api/workloads", "generator")]

TEXTS = st.text(max_size=8) | st.sampled_from(["easy", "keasy", "week", "load", "rho", "uniform", "lublin", "jobs"])
NUMBERS = st.integers() | st.floats() | st.sampled_from([0, 1, -1, 2**31, 2**63, 10**400, 1e308, 5e-324])
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda some: st.lists(some, max_size=3) | st.dictionaries(TEXTS, some, max_size=3),
    max_leaves=8,
)
NAMES = ["workload", "algorithm", "conversions", "parameters", "platform", "estimates", "seed", "priority",
         "generator", "algorithms", "bounds"]  # fmt: skip


@pytest.fixture(scope="module")
def workload(site):
    return site.workload()


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(value=VALUES)
def test_no_json_makes_the_server_fail(site, value):
    for path, _ in ROUTES:
        answer = site.client.post(path, data=json.dumps(value), content_type="application/json")

        assert 400 <= answer.status_code < 500 or path == "/api/preview", answer.json
        assert answer.status_code < 500


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=3))
def test_no_question_makes_the_server_fail(site, workload, changes):
    question = {"workload": workload, "algorithm": "easy", **changes}
    for path in ("/api/runs", "/api/preview"):
        known = {key: value for key, value in question.items() if path == "/api/preview" or key in NAMES[:8]}
        answer = site.client.post(path, data=json.dumps(known), content_type="application/json")

        assert answer.status_code < 500
        if answer.status_code >= 400:
            assert list(answer.json) == ["error"]
            assert isinstance(answer.json["error"], str)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.binary(max_size=200))
def test_no_bytes_make_the_server_fail(site, content):
    for path, _ in ROUTES:
        assert 400 <= site.client.post(path, data=content, content_type="application/json").status_code < 500
    assert site.upload(content, "x.swf").status_code < 500


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=st.text(max_size=30))
def test_no_text_of_a_query_makes_the_server_fail(site, text):
    for path in ("/api/runs", "/api/workloads", "/api/live"):
        for name in ("status", "algorithm", "workload", "q", "ids", "limit", "after", "runs"):
            if path != "/api/live" or name == "runs":
                answer = site.client.get(path, query_string={name: text or "-"})
                assert answer.status_code < 500
                answer.close()


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/api/nothing", 404),
        ("POST", "/api/nothing", 404),
        ("GET", "/api", 404),
        ("GET", "/api/runs/0123456789abcdef", 404),
        ("GET", "/api/runs/..%2f..%2fetc", 404),
        ("GET", "/api/runs/0123456789abcdef/jobs.csv", 404),
        ("GET", "/api/runs/0123456789abcdef/view", 404),
        ("POST", "/api/runs/0123456789abcdef/cancel", 404),
        ("DELETE", "/api/runs/0123456789abcdef", 404),
        ("GET", "/api/workloads/0123456789abcdef", 404),
        ("GET", "/api/workloads/NOID", 404),
        ("DELETE", "/api/runs", 405),
        ("PUT", "/api/runs", 405),
        ("GET", "/api/preview", 405),
        ("GET", "/api/sweeps/preview", 405),
        ("DELETE", "/api/sweeps/preview", 405),
        ("GET", "/api/runs/0123456789abcdef/cancel", 405),
        ("POST", "/healthz", 405),
        ("GET", "/api/runs?limit=0", 400),
        ("GET", "/api/runs?limit=0&ids=", 400),
        ("GET", "/api/runs?limit=ten", 400),
        ("GET", "/api/live?runs=x", 400),
    ],
)
def test_every_refusal_is_a_sentence(site, method, path, status):
    refused = site.client.open(path, method=method)

    assert (refused.status_code, list(refused.json)) == (status, ["error"])
    assert refused.content_type == "application/json"
    if status == 405:
        assert refused.headers["Allow"]


def test_a_question_has_a_limit(site):
    long = json.dumps({"workload": "x" * body.LONGEST, "algorithm": "easy"})

    assert site.client.post("/api/runs", data=long, content_type="application/json").status_code == 413


@pytest.mark.parametrize(
    "text",
    ["", "[", "[1]", "null", '"text"', '{"seed": NaN}', '{"seed": 1e999}', '{"workload": "\\ud800"}', "[" * 100_000],
)
def test_what_is_no_json_object_is_refused(site, text):
    refused = site.client.post("/api/runs", data=text, content_type="application/json")

    assert (refused.status_code, list(refused.json)) == (400, ["error"])
    assert len(refused.json["error"]) < 300


@pytest.mark.parametrize("text", ['{"seed": 1, "seed": 2}', '{"workload": "x", "parameters": {"seed": 1, "seed": 1}}'])
def test_a_key_with_two_values_is_refused(site, text):
    refused = site.client.post("/api/runs", data=text, content_type="application/json")

    assert refused.status_code == 400
    assert refused.json["error"] == "The body has the key 'seed' twice in one object."


@pytest.mark.parametrize(("seed", "found"), [("3", "a text"), (3.5, "3.5"), (True, "true or false")])
def test_the_seed_of_a_run_is_a_whole_number_as_in_its_description(site, workload, seed, found):
    refused = site.client.post("/api/runs", json={"workload": workload, "algorithm": "easy", "seed": seed})

    assert refused.status_code == 400
    assert refused.json["error"] == f"seed must be a whole number, but it is {found}."


def test_an_error_that_nobody_expected_keeps_its_secrets(site, monkeypatch, caplog):
    monkeypatch.setattr(site.server, "testing", False)
    monkeypatch.setattr(type(site.store.runs), "list", lambda *_, **__: 1 / 0)

    answer = site.client.get("/api/runs")

    assert answer.status_code == 500
    assert answer.json == {"error": "Something went wrong here. The log of the web process says what."}
    assert "ZeroDivisionError" in caplog.text
