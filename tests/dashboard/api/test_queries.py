"""Every parameter of every query, with what it should not be: an answer or one sentence, never a 5xx."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

LIVE = "/api/live"
"""A stream: it ends with its client alone."""
KNOWN = {
    "/api/runs/{run_id}/export": "format=perfetto",
    "/api/runs/{run_id}/instant": "at=3",
    "/api/runs/{run_id}/point": "at=3",
    "/api/runs/{run_id}/life": "job=1",
    "/api/runs/{run_id}/allotments": "job=1",
    "/api/runs/{run_id}/priority": "job=1",
    "/api/compare": "runs=RUNS",
    "/api/compare/jobs.csv": "runs=RUNS",
    "/api/compare/report.html": "runs=RUNS",
    "/api/waits": "runs=RUNS",
    "/api/waits.csv": "runs=RUNS",
    "/api/picture.png": "runs=RUNS",
    "/api/sweeps/{sweep_id}/pairs": "metric=mean_flow&a=0&b=1",
    "/api/sweeps/{sweep_id}/ranking": "metric=mean_flow",
    "/api/sweeps/{sweep_id}/precision": "metric=mean_flow",
    "/api/papers/{name}/figures.csv": "figure=1",
}
"""What a route needs beside the parameter that is tried."""
EXTREMES = ("-1e308", "1e308", "1e-320", "0", "-1e15", "1e15", "nan")
HOSTILE = (
    *EXTREMES, "", " ", "-1", "9" * 30, "1_000", "\0", "²", "٣", "\ud800".encode("utf-8", "surrogatepass"), "a" * 5000,
    ",", ",,,", "0-9", "9-0", "0-999999999", "999999999-999999999", "1e308,-1e308", "1,2,3,4,5,6,7,8,9", "true", "1",
    "size > 9" + "9" * 400, "size 1-" + "9" * 30, "user -1", "job 1e5", "../../etc/passwd", "'; --", "%00", "{}", "[]",
)  # fmt: skip


@pytest.fixture(scope="module")
def filled(site):
    """The site with two runs and a sweep; an unexpected error is a 500 there."""
    site.server.testing = False
    runs = [site.finished_run(seed=seed) for seed in (31, 32)]
    workload = site.workload()
    sweep = {"workloads": ["uniform:jobs=20"], "seeds": [1, 2], "algorithms": ["easy", "fcfs"]}
    link = site.client.post("/api/links", json={"target": f"/runs/{runs[0]}"}).json["code"]
    known = {
        "run_id": runs[0], "RUNS": ",".join(runs), "workload_id": workload, "code": link, "name": "measy",
        "sweep_id": site.client.post("/api/sweeps", json=sweep).json["id"], "file": "methods.txt",
    }  # fmt: skip
    yield site, known
    site.server.testing = True


def routes(site) -> Iterator[tuple[str, list[str]]]:
    """Each address that is read, with the names of its parameters."""
    for path, operations in site.client.get("/api/openapi.json").json["paths"].items():
        found = operations.get("get")
        if found and path != LIVE:
            yield path, [one["name"] for one in found.get("parameters", ()) if one["in"] == "query"]


def answered(site, known: dict[str, str], path: str, given: dict[str, str | bytes]) -> None:
    """Ask; the answer may be a refusal, in one sentence."""
    query = dict(pair.split("=", 1) for pair in KNOWN.get(path, "").replace("RUNS", known["RUNS"]).split("&") if pair)
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)  # what numpy makes of numbers that are none
        answer = site.client.get(path.format(**known), query_string={**query, **given})
        content = answer.data  # a stream is read to its end
    assert answer.status_code < 500 or (answer.status_code, path) == (503, "/healthz"), (path, given, content[:300])
    if answer.status_code >= 400 and path.startswith("/api/"):
        assert list(answer.json) == ["error"], (path, given)


def test_one_parameter_at_a_time(filled):
    site, known = filled
    tried = 0
    for path, names in routes(site):
        slow = path.endswith("report.html")
        for name, value in itertools.product(names, EXTREMES if slow else HOSTILE):
            answered(site, known, path, {name: value})
            tried += 1
    assert tried > 2000


def test_windows_of_any_width(filled):
    site, known = filled
    for path, names in routes(site):
        if {"from", "to"} <= set(names):
            for first, last in itertools.product(EXTREMES, EXTREMES):
                answered(site, known, path, {"from": first, "to": last})


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_several_parameters_at_a_time(filled, data):
    site, known = filled
    path, names = data.draw(st.sampled_from([one for one in routes_of(site) if one[1]]))
    given_ = data.draw(st.dictionaries(st.sampled_from(names), st.sampled_from(HOSTILE) | st.text(max_size=20)))
    answered(site, known, path, given_)


def routes_of(site, kept: dict[int, list] = {}) -> list[tuple[str, list[str]]]:  # noqa: B006
    """As `routes`, read once."""
    return kept.setdefault(id(site), list(routes(site)))


def test_a_parameter_that_the_route_does_not_have(filled):
    """A misspelled filter, left unread, would select everything."""
    site, known = filled
    for path, names in routes(site):
        answer = site.client.get(path.format(**known), query_string={"statu": "failed"})
        if names:
            assert answer.status_code == 400, path
            assert answer.json["error"] == f"unknown parameter 'statu' of the query; known: {', '.join(names)}", path


def test_a_parameter_twice(filled):
    site, _ = filled
    answer = site.client.get("/api/runs?status=failed&status=finished")
    assert (answer.status_code, answer.json["error"]) == (400, "status is given 2 times, but it must be given once.")


def test_probes_of_the_service_take_any_parameter(filled):
    site, _ = filled
    assert site.client.get("/healthz?probe=1").json == site.client.get("/healthz").json
