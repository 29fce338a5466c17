"""What Prometheus reads, and what a request leaves in the log."""

from __future__ import annotations

import json
import logging

import pytest
from prometheus_client.parser import text_string_to_metric_families

from shadowtime.dashboard.api import measured
from shadowtime.workers.logs import JsonLines
from shadowtime.workers.queue import Health
from shadowtime.workers.records.database import DatabaseAway
from tests.dashboard.api.conftest import make_site


def read(text):
    """Values by name and labels, as Prometheus reads them."""
    found = {}
    for family in text_string_to_metric_families(text):
        assert family.documentation and family.type in ("gauge", "counter", "histogram")
        for sample in family.samples:
            labels = ",".join(f'{name}="{value}"' for name, value in sample.labels.items() if name != "le")
            edge = f',le="{sample.labels["le"]}"' if "le" in sample.labels else ""
            key = sample.name.removeprefix("shadowtime_"), labels + edge
            assert key not in found, f"{sample} is there twice"
            found[key] = sample.value
    return found


def scraped(site):
    answer = site.client.get("/metrics")
    assert answer.status_code == 200
    assert answer.content_type == "text/plain; version=0.0.4; charset=utf-8"
    return read(answer.text)


def test_runs_are_counted_by_state(site, finished):
    site.ask(algorithm="fcfs", seed=77)
    found = scraped(site)

    assert found["runs", 'state="finished"'] == 1
    assert found["runs", 'state="queued"'] >= 1
    assert [found["runs", f'state="{state}"'] for state in ("running", "failed", "cancelled")] == [0, 0, 0]


def test_where_redis_is_away_nothing_is_said_of_queue_and_workers(site):
    found = scraped(site)

    assert found["redis_up", ""] == 0
    assert ("queue_length", "") not in found and ("workers", "") not in found
    assert found["store_writable", ""] == 1 and found["store_bytes_free", ""] > 0
    assert found["live_streams", ""] == 0


def test_what_is_kept_in_memory_is_counted(site, finished):
    before = scraped(site)["kept_bytes", ""]
    answer = site.client.get(f"/api/runs/{finished}/jobs")

    assert scraped(site)["kept_bytes", ""] >= before + len(answer.data) > before


def test_open_streams_are_counted(site):
    hub = site.server.extensions["shadowtime"].hub
    hub._heard.set()
    with hub.stream(["0" * 16]):
        assert scraped(site)["live_streams", ""] == 1
    assert scraped(site)["live_streams", ""] == 0


def test_requests_are_counted_by_route_and_not_by_address(site, finished):
    for reference in (finished, "0" * 16, "1" * 16):
        site.client.get(f"/api/runs/{reference}")
    for n in range(20):
        site.client.get(f"/api/nothing/{n}")
        site.client.open("/api/runs", method=f"FETCH{n}")
    before = scraped(site)
    for n in range(20):
        site.client.get(f"/api/runs/{n:016x}?x={n}")
    after = scraped(site)
    route = 'method="GET",route="/api/runs/<run_id>"'

    assert before["http_requests_total", f'{route},status="404"'] >= 2
    assert (
        after["http_requests_total", f'{route},status="404"'] - 20
        == before["http_requests_total", f'{route},status="404"']
    )
    assert after["http_request_seconds_bucket", f'{route},le="+Inf"'] == after["http_request_seconds_count", route]
    assert not [labels for _, labels in after if "nothing" in labels or "FETCH" in labels]
    assert len(after) - len(before) <= 14  # the first look at the metrics is a route of its own


def test_durations_fall_into_the_first_bucket_that_holds_them():
    requests = measured.Requests()
    for seconds in (0.001, 0.005, 0.3, 99.0):
        requests.add("GET", "/", 200, seconds)
    *_, seconds = requests.collect()
    upto = {sample.labels["le"]: sample.value for sample in seconds.samples if sample.name.endswith("_bucket")}
    (total,) = [sample.value for sample in seconds.samples if sample.name.endswith("_sum")]

    assert [*upto] == ["0.005", "0.01", "0.025", "0.05", "0.1", "0.2", "0.5", "1", "2.5", "10", "+Inf"]
    assert [upto[edge] for edge in ("0.005", "0.2", "0.5", "10", "+Inf")] == [2, 2, 3, 3, 4]
    assert total == pytest.approx(99.306)


def test_json_logs_have_a_line_a_request_without_query_and_token(tmp_path, caplog):
    site = make_site(tmp_path, log="json", token="secret-token")
    with caplog.at_level(logging.INFO, logger="shadowtime.requests"):
        site.client.get("/api/runs/0123456789abcdef?q=secret-query", headers={"Authorization": "Bearer secret-token"})
    site.close()
    (record,) = caplog.records
    text = JsonLines().format(record)
    line = json.loads(text)

    assert (line["method"], line["route"], line["status"]) == ("GET", "/api/runs/<run_id>", 404)
    assert line["run"] == "0123456789abcdef" and 0 <= line["seconds"] < 60
    assert "secret" not in text


def test_without_json_logs_requests_leave_no_line(site, caplog):
    with caplog.at_level(logging.INFO, logger="shadowtime.requests"):
        site.client.get("/healthz")

    assert not caplog.records


def test_what_is_known_without_the_database_is_still_said(site, monkeypatch):
    def away(*given, **more):
        raise DatabaseAway("the database does not answer")

    monkeypatch.setattr(site.store.runs, "counts", away)
    monkeypatch.setattr(site.store.database, "is_there", lambda: False)
    said = scraped(site)

    assert said["store_writable", ""] == 0
    assert not any(name == "runs" for name, _ in said)


def test_the_length_of_the_queue_is_described_as_all_work(site, monkeypatch):
    """The queue holds batches of sweeps, bounds and parts of papers, too."""
    health = Health(redis=True, workers=1, waiting=3)
    monkeypatch.setattr(site.server.extensions["shadowtime"].queue, "health", lambda: health)
    text = site.client.get("/metrics").text

    assert "# HELP shadowtime_queue_length Work that waits for a worker: runs, batches of sweeps," in text
    assert read(text)["queue_length", ""] == 3
