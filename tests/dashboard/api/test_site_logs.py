"""Logs of sites through the API: sent, kept, shown, run, and refused with their sentence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.engine.workload.sites.test_pm100 import table

RECORDS = Path(__file__).parents[2] / "engine" / "workload" / "slurm"
HELIOS = """job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue
1425511,uXBbc,vcJkd,1,1,1,COMPLETED,2020-06-09 18:41:01,2020-06-09 18:41:01,2020-06-10 04:55:09,36848,0
1425512,uVMrF,vchbv,4,16,1,FAILED,2020-06-09 18:41:27,2020-06-09 18:41:27,2020-06-09 18:45:36,249,0
"""
BATSIM = {"nb_res": 4, "jobs": [{"id": 1, "subtime": 5, "res": 2, "walltime": 60, "profile": "p"}],
          "profiles": {"p": {"type": "DelayProfile", "delay": 10}}}  # fmt: skip


@pytest.mark.parametrize(
    ("content", "name", "jobs", "processors"),
    [
        ((RECORDS / "mixed.json.gz").read_bytes(), "sacct.json.gz", 56, 128),
        (json.dumps(BATSIM), "batsim.json", 1, 4),
        (HELIOS, "cluster_log.csv", 2, 8),
        (table(), "job_table.parquet", 2, 256),
    ],
)
def test_a_log_is_kept_and_run(site, content, name, jobs, processors):
    sent = site.upload(content, name)
    assert (sent.status_code, sent.json["kind"], sent.json["jobs"], sent.json["cases"]) == (201, "rigid", jobs, [])

    run = site.finished_run(workload=sent.json["id"], platform={"processors": processors})
    assert site.client.get(f"/api/runs/{run}").json["status"] == "finished"


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ((RECORDS / "squeue_23_11.json").read_bytes(), "none that ended: use `sacct --json` for jobs of the past."),
        (table()[:300], "its Parquet is damaged"),
        (HELIOS.splitlines()[0], "it holds no job"),
    ],
)
def test_a_hopeless_log_is_refused_in_one_sentence(site, content, what):
    answer = site.upload(content, "log")
    assert answer.status_code == 400 and what in answer.json["error"]
