"""A finished run for other programs."""

from __future__ import annotations

import csv
import hashlib
import io

import pytest


def asked_again(answer):
    """What a browser sends that has this answer."""
    return {"If-None-Match": answer.headers["ETag"]}


@pytest.mark.parametrize("table", ["jobs", "segments", "events", "series"])
def test_a_table_is_sent_as_csv(site, finished, table):
    answer = site.client.get(f"/api/runs/{finished}/{table}.csv")

    assert answer.status_code == 200
    assert answer.content_type == "text/csv; charset=utf-8"
    assert f'"{finished}-{table}.csv"' in answer.headers["Content-Disposition"]
    again = site.client.get(f"/api/runs/{finished}/{table}.csv", headers=asked_again(answer))
    assert (again.status_code, again.data, answer.headers["Cache-Control"]) == (304, b"", "private, no-cache")
    assert len(list(csv.DictReader(io.StringIO(answer.text)))) >= 4


def test_jobs_are_those_of_the_contract(site, finished):
    lines = site.client.get(f"/api/runs/{finished}/jobs.csv").text.splitlines()

    assert lines[0].startswith("job_id,submission_time,requested_number_of_resources,requested_time,success,")
    for line, expected in zip(
        lines[1:],
        (
            "1,0.0,6,100.0,1,0.0,100.0,100.0,0.0,100.0,1.0,0-5,",
            "2,1.0,10,10.0,1,100.0,10.0,110.0,99.0,109.0,10.9,0-9,",
            "3,2.0,4,1000.0,1,110.0,1000.0,1110.0,108.0,1108.0,1.108,0-3,",
            "4,3.0,4,50.0,1,3.0,50.0,53.0,0.0,50.0,1.0,6-9,",
        ),
        strict=True,
    ):
        assert line.startswith(expected)


def test_segments_are_those_of_the_contract(site, finished):
    assert site.client.get(f"/api/runs/{finished}/segments.csv").text.splitlines() == [
        "job_id,first,last,tier,start,end,share,kind",
        "1,0,5,0,0.0,100.0,1.0,run",
        "4,6,9,0,3.0,53.0,1.0,run",
        "2,0,9,0,100.0,110.0,1.0,run",
        "3,0,3,0,110.0,1110.0,1.0,run",
    ]


def test_summary_is_that_of_the_run(site, finished):
    answer = site.client.get(f"/api/runs/{finished}/summary.json")

    assert answer.json == site.client.get(f"/api/runs/{finished}").json["summary"]


def test_the_digest_of_the_spec_is_the_name_of_the_run(site, finished):
    spec = site.client.get(f"/api/runs/{finished}/spec.json").data

    assert hashlib.sha256(spec).hexdigest()[:16] == finished


@pytest.mark.parametrize("name", ["jobs.csv", "segments.csv", "events.csv", "series.csv", "summary.json"])
def test_a_run_that_has_not_finished_has_no_tables(site, name):
    run = site.ask(seed=1).json["id"]

    refused = site.client.get(f"/api/runs/{run}/{name}")

    assert (refused.status_code, list(refused.json)) == (409, ["error"])
    assert site.client.get(f"/api/runs/{run}/spec.json").status_code == 200


@pytest.mark.parametrize("form", ["csv", "parquet", "perfetto", "evalys", "spec", "command", "json"])
def test_a_form_is_what_the_command_line_writes(site, finished, form, tmp_path, capfdbinary):
    from shadowtime.dashboard.cli import main

    answer = site.client.get(f"/api/runs/{finished}/export?format={form}")
    folder = str(site.server.extensions["shadowtime"].settings.store)
    code = main(["export", finished, "--format", form, "-o", str(tmp_path / "out"), "--store", folder])

    assert (answer.status_code, code) == (200, 0)
    assert answer.data == (tmp_path / "out").read_bytes()
    assert answer.headers["Content-Disposition"].startswith(f'attachment; filename="{finished}-')
    again = site.client.get(f"/api/runs/{finished}/export?format={form}", headers=asked_again(answer))
    assert (again.status_code, again.data, answer.headers["Cache-Control"]) == (304, b"", "private, no-cache")


def test_trace_events_name_users_as_the_log_does(site):
    log = "submit,start,end,cores,user\n0,0,10,1,anna\n1,1,5,1,ben\n2,2,6,1,\n"
    run = site.finished_run(workload=site.upload(log, "jobs.csv").json["id"], platform={"processors": 4})
    events = site.client.get(f"/api/runs/{run}/export?format=perfetto").json["traceEvents"]

    assert [event["args"].get("user") for event in events if event["ph"] == "X"] == ["anna", "ben", None]


def test_a_name_that_somebody_gave_never_becomes_a_header(site):
    workload = site.upload(name='x"\r\nSet-Cookie: a=b; .swf').json["id"]
    run = site.ask(workload=workload, seed=5).json["id"]

    for form in ("spec", "command"):
        answer = site.client.get(f"/api/runs/{run}/export?format={form}")
        assert (
            answer.headers["Content-Disposition"]
            == f'attachment; filename="{run}-{form}.{"json" if form == "spec" else "txt"}"'
        )
        assert "Set-Cookie" not in answer.headers
