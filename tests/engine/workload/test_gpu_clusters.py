"""Logs of clusters of GPUs: Helios, Philly and Alibaba's PAI, and the batch jobs of Alibaba of 2018.

HELIOS: the three jobs in the README of S-Lab-System-Group/HeliosData. PHILLY: the job in the README of
msr-fiddle/philly-traces. PAI: the task in the README of alibaba/clusterdata, cluster-trace-gpu-v2020, and its file
`pai_task_table.header`. TASK and INSTANCE: lines of `batch_task.csv` and `batch_instance.csv` of cluster-trace-v2018.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime

import numpy as np
import pytest

from shadowtime.engine.workload.sites.alibaba import kind_of
from tests.engine.workload.logs import check_refusal, read_text

HELIOS = """job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue
1425511,uXBbc,vcJkd,1,1,1,COMPLETED,2020-06-09 18:41:01,2020-06-09 18:41:01,2020-06-10 04:55:09,36848,0
1425512,uVMrF,vchbv,4,16,1,FAILED,2020-06-09 18:41:27,2020-06-09 18:41:27,2020-06-09 18:45:36,249,0
1425513,uzqls,vcpDC,1,1,1,CANCELLED,2020-06-09 18:41:28,2020-06-09 18:41:28,2020-06-17 14:15:21,675233,0
"""
GPUS = [f"gpu{n}" for n in range(8)]
PHILLY = {
    "status": "Pass", "vc": "ee9e8c", "jobid": "application_1506638472019_14199", "user": "ce2f4c",
    "attempts": [
        {"start_time": "2017-10-07 01:12:09", "end_time": "2017-10-07 01:13:23",
         "detail": [{"ip": "m47", "gpus": GPUS}]},
        {"start_time": "2017-10-07 01:13:30", "end_time": "2017-10-09 06:53:12",
         "detail": [{"ip": "m412", "gpus": GPUS}]},
    ],
    "submitted_time": "2017-10-07 01:11:39",
}  # fmt: skip
PAI_HEADER = "job_name,task_name,inst_num,status,start_time,end_time,plan_cpu,plan_mem,plan_gpu,gpu_type"
PAI = "4f057009a5d481acec67b088,tensorflow,1.0,Terminated,1739162.0,1739200.0,600.0,29.296875,50.0,MISC"
LANES = "Sizes are GPUs: give their number as that of processors."
TASK = "M1,1,j_1,1,Terminated,419912,419912,100,0.2"
INSTANCE = "ins_74901673,task_LTg,j_217,10,Terminated,673795,673797,m_2637,1,1,13,16,0.02,0.02"


def read_jobs(*jobs):
    return read_text(json.dumps(list(jobs)))


def columns(workload, *names):
    return list(zip(*(workload.jobs[name].tolist() for name in names), strict=True))


def named(workload, name):
    return [workload.texts[name][code] for code in workload.jobs[name]]


def test_helios():
    workload = read_text(HELIOS)

    assert columns(workload, "job_id", "release", "runtime", "processors", "gpus") == [
        (1425511, 0.0, 36848.0, 1, 1.0), (1425512, 26.0, 249.0, 4, 4.0), (1425513, 27.0, 675233.0, 1, 1.0),
    ]  # fmt: skip
    assert workload.clock.unix_start == datetime(2020, 6, 9, 18, 41, 1, tzinfo=UTC).timestamp()
    assert (workload.jobs["recorded_end"] - workload.jobs["recorded_start"]).tolist() == [36848.0, 249.0, 675233.0]
    assert named(workload, "user") == ["uXBbc", "uVMrF", "uzqls"]
    assert named(workload, "partition") == ["vcJkd", "vchbv", "vcpDC"]
    assert named(workload, "outcome") == ["COMPLETED", "FAILED", "CANCELLED"]
    assert workload.report == (
        "3 jobs of Helios with GPUs, 3 kept.",
        LANES,
        "No job has a time limit: the runtime stands in for it.",
        "Outcomes: 1 COMPLETED, 1 FAILED, 1 CANCELLED.",
        "At most 6 GPUs were in use at one time.",
    )


def test_helios_with_odd_lines():
    lines = HELIOS.splitlines()
    cpu, never = (
        lines[1].replace("vcJkd,1", "vcJkd,0"),
        lines[2].replace(",2020-06-09 18:41:27,2020-06-09 18:45:36", ",,"),
    )
    text = "\r\n".join([*lines, cpu, never, "1,2,3", lines[3].replace("675233", "")]).encode()
    workload = read_text(text.replace(b"uXBbc", b"u\xff").replace(b"1,2,3", b"1,\xff,3"))

    assert len(workload) == 4
    assert workload.jobs["runtime"].tolist() == [36848.0, 249.0, 675233.0, 675233.0]
    assert "1 job without GPUs was left out." in workload.report
    assert "1 line with another number of columns (the first begins '1,ÿ,3') was left out." in workload.report
    assert "1 job that never started was left out." in workload.report


def test_philly():
    workload = read_jobs(
        PHILLY, {**PHILLY, "attempts": PHILLY["attempts"][:1], "submitted_time": "2017-10-07 01:11:40"}
    )
    second = (datetime(2017, 10, 9, 6, 53, 12) - datetime(2017, 10, 7, 1, 13, 30)).total_seconds()

    assert columns(workload, "job_id", "release", "runtime", "processors") == [
        (1, 0.0, 74 + second, 8),
        (2, 1.0, 74.0, 8),
    ]
    assert workload.jobs["recorded_start"].tolist() == [30.0, 30.0]
    assert workload.jobs["recorded_end"].tolist() == [30 + 74 + 7 + second, 104.0]
    assert (named(workload, "nodes"), named(workload, "partition")) == (["m47", "m47"], ["ee9e8c"] * 2)
    assert workload.report[:2] == ("2 jobs of Philly, 2 kept.", "1 job with several attempts: their times are added.")
    assert workload.report[-1] == "At most 16 GPUs were in use at one time."


def test_philly_with_gaps():
    one, other = PHILLY["attempts"]
    jobs = [
        PHILLY,
        {**PHILLY, "attempts": []},
        {**PHILLY, "attempts": [one, {**other, "end_time": None}]},
        {**PHILLY, "attempts": [{**one, "start_time": "None"}, other]},
        {**PHILLY, "attempts": [{**one, "detail": []}]},
        {**PHILLY, "attempts": [{**one, "detail": [{"ip": "m1", "gpus": ["gpu0"]}, {"ip": "m2", "gpus": ["gpu3"]}]}]},
        7,
    ]
    workload = read_jobs(*jobs)

    assert workload.jobs["job_id"].tolist() == [1, 4, 6]
    assert workload.jobs["processors"].tolist() == [8, 8, 2]
    assert named(workload, "nodes") == ["m47", "m47", "m1,m2"]
    assert set(workload.report[1:7]) == {
        "1 value that is no job was left out.",
        "3 jobs with several attempts: their times are added.",
        "2 attempts without a start or an end were left out.",
        "1 job that never started was left out.",
        "1 job that had not ended was left out.",
        "1 job without GPUs, runtime or submission was left out.",
    }


@pytest.mark.parametrize("header", [[PAI_HEADER], []])
def test_tasks_of_pai(header):
    several, none = PAI.replace("1.0,T", "5.0,T", 1), PAI.replace(",50.0,", ",,")
    late, ps = PAI.replace("1739162.0", "1739172.0").replace(",50.0,", ",300.0,"), PAI.replace(",50.0,", ",0.0,")
    workload = read_text("\n".join([*header, PAI, several, late, none, ps]))

    assert columns(workload, "job_id", "release", "runtime", "processors", "gpus") == [
        (1, 0.0, 38.0, 1, 0.5), (2, 0.0, 38.0, 3, 2.5), (3, 10.0, 28.0, 3, 3.0),
    ]  # fmt: skip
    assert named(workload, "partition") == ["MISC"] * 3
    np.testing.assert_allclose(workload.jobs["memory_kb"], 29.296875 * 1024**2 / np.array([1, 3 / 5, 3]))
    assert "recorded_start" not in workload.jobs and workload.clock is None
    assert workload.report == (
        "3 jobs of Alibaba PAI 2020 (tasks), 3 kept.",
        "2 tasks without GPUs were left out.",
        "2 jobs with a fraction of a GPU: rounded up.",
        LANES,
        "It has no submissions: jobs are submitted at their recorded starts.",
        "No job has a time limit: the runtime stands in for it.",
        "Outcomes: 3 Terminated.",
        "At most 7 GPUs were in use at one time.",
    )


def test_tasks_of_2018():
    ran = TASK.replace("419912,419912", "419912,419950")
    many, running = ran.replace("M1,1", "R2_1,7").replace(",100,", ",50,"), ran.replace("419950", "0")
    empty = ran.replace(",100,", ",,")
    workload = read_text("\n".join([TASK, ran, many, running, empty]))

    assert columns(workload, "job_id", "release", "runtime", "processors") == [(2, 0.0, 38.0, 1), (3, 0.0, 38.0, 4)]
    assert workload.report[:5] == (
        "5 jobs of Alibaba 2018 (tasks), 2 kept.",
        "1 job with a fraction of a processor: rounded up.",
        "1 job that had not ended was left out.",
        "2 jobs without processors, runtime or submission were left out.",
        "It has no submissions: jobs are submitted at their recorded starts.",
    )


def test_instances_of_2018():
    workload = read_text(
        "\n".join([INSTANCE, INSTANCE.replace(",13,16,", ",210,250,"), INSTANCE.replace(",13,16,", ",,,")])
    )

    assert columns(workload, "release", "runtime", "processors") == [(0.0, 2.0, 1), (0.0, 2.0, 3), (0.0, 2.0, 1)]
    assert "2 jobs with a fraction of a processor: rounded up." in workload.report
    assert named(workload, "nodes") == ["m_2637"] * 3
    assert named(workload, "partition") == ["10"] * 3


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (
            "job_id,user,vc,gpu_num,node_num,submit_time,start_time\n",
            "its header has no column end_time; cluster_log.csv",
        ),
        (HELIOS.splitlines()[0], "it holds no job"),
        (
            "\n".join([HELIOS.splitlines()[0], HELIOS.splitlines()[1].replace("vcJkd,1", "vcJkd,0")]),
            "of its jobs has a GPU",
        ),
        (json.dumps([{**PHILLY, "attempts": []}]), "it has 1 job, none that ran and ended"),
        ('[{"vc": "a", "attempts": [], "submitted_time": "x"},\n\n{"vc" 3}]', "line 3 is not JSON"),
        (PAI_HEADER, "it holds no job"),
        (PAI_HEADER.replace("end_time", "stop"), "its header has no column end_time; the table has job_name"),
        (PAI.replace(",50.0,", ",,"), "none of its tasks has a GPU"),
        (TASK, "it has 1 job, none that ran and ended"),
        (TASK.replace("419912,419912,100", "1,2,1e15"), "job 1: size is 10000000000000; the limit here"),
        (HELIOS + "x" * 200_000, "line 5 has more than 100,000 characters"),
    ],
)
def test_refusals(text, what):
    check_refusal(what, text)


def test_tables_are_recognised_by_their_cells():
    found = [kind_of(text.encode()) for text in (TASK, INSTANCE, PAI, PAI_HEADER)]
    assert [kind.slug for kind in found] == ["batch_task", "batch_instance", "pai_task_table", "pai_task_table"]
    assert kind_of(b"0,2,6251,0,,0,1,2,3,4,5,6,7") is None  # task_events of Google 2011
