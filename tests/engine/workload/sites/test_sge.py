"""The file `accounting` of Grid Engine, as real systems wrote it, and odd values.

`accounting.sge`: records of 6.2u5 and 8.1.9 at PSMN, ENS Lyon (its page on the format); the second of the tests of Open
XDMoD's SGE shredder and the second of its UGE shredder; five of the tests of APEL's SGE parser, one with milliseconds.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from shadowtime.engine.workload.sites.sge import asked, memory
from tests.engine.workload.logs import check_refusal, read_text, text

LINES = (Path(__file__).parent / "accounting.sge").read_text().splitlines()
PARALLEL = next(line for line in LINES if ":6972834:" in line)


def test_every_record_of_five_systems_is_read():
    workload = read_text(*LINES)
    jobs = workload.jobs
    found = [
        (jobs["job_id"][row].item(), jobs["processors"][row].item(), round(jobs["runtime"][row].item(), 6),
         round((jobs["recorded_start"] - jobs["release"])[row].item(), 3),
         *(text(workload, name, row) for name in ("user", "account", "partition", "outcome", "nodes")))
        for row in range(len(workload))
    ]  # fmt: skip

    assert found == [
        (43, 1, 1.0, 8.0, "dteam041", "", "dteam", "exit 0", "testce.test"),
        (4, 128, 42.0, 12.0, "gilquin", "", "r410lin24ibA", "failed 12", ""),
        (5, 16, 1.0, 4.0, "gilquin", "", "r410lin24ibA", "failed 12", ""),
        (22947, 1, 60.0, 333_733.0, "jdoe", "", "myqueue", "exit 0", ""),
        (6972834, 9, 180_001.0, 10.0, "csfiylfl", "por_defecto", "large", "failed 100", ""),
        (1630912, 1, 20_572.0, 3.0, "pilatl10", "pilatl.p", "lcg_analysis", "exit 1", "cn446.htc.esc.qmul"),
        (3294013, 1, 359.0, 1470.0, "prdatl26", "", "grid.q", "exit 0", "node101.cm.cluster"),
        (3872561, 1, 220.488, 4.484, "atlas235", "", "grid.q", "exit 0", "node101.cm.cluster"),
        (3, 1, 699.0, 22.0, "ltaulell", "", "E5-2667v2h6deb128", "failed 100", "c8220node213"),
        (4437956, 16, 12_837.318, 1.587, "gpuowner", "", "gpu_queue", "exit 0", ""),
    ]
    assert np.nan_to_num(jobs["requested"]).tolist() == [0, 0, 0, 36_000, 180_300, 0, 0, 0, 0, 0]
    assert np.nan_to_num(jobs["memory_kb"]).tolist() == [0, 0, 0, 0, 1124 * 1024, 0, 0, 0, 0, 1024**2]
    assert round(workload.clock.unix_start + jobs["release"][7].item(), 3) == 1412932860.657
    assert workload.report == (
        "13 jobs of Grid Engine, 10 kept.",
        "2 jobs that never started were left out.",
        "1 job without processors, runtime or submission was left out.",
        "8 jobs without a time limit: the runtime stands in for it.",
        "Outcomes: 5 exit 0, 2 failed 12, 2 failed 100, 1 exit 1.",
        "At most 128 processors were in use at one time.",
    )


def test_tasks_of_parallel_jobs_are_counted_with_their_job():
    without = PARALLEL.replace(":1318560244:", ":0:")
    named = PARALLEL.replace(":NONE:821923840", ":1.compute-4-20:821923840")
    workload = read_text(PARALLEL, without, named, named)

    assert len(workload) == 1
    assert workload.report[1] == "3 records of tasks of parallel jobs were left out."


@pytest.mark.parametrize("image", ["*ubuntu:14.04*", "ubuntu:14.04", "quay.io:443/image:1.2.3", "*a:b*", "a"])
@pytest.mark.parametrize("task", ["1.node7", "1.10-0-0-1", "12.node12", "1.2.3.4"])
def test_colons_in_a_category_change_neither_jobs_nor_tasks(image, task):
    job = PARALLEL.replace("-pe mpi 9:", f"-pe mpi 9 -l docker_images={image}:")
    workload = read_text(job, job.replace(":NONE:821923840", f":{task}:821923840"))

    assert workload.report[:2] == (
        "1 job of Grid Engine, 1 kept.",
        "1 record of a task of a parallel job was left out.",
    )


def test_odd_lines_are_counted():
    workload = read_text("#", "", PARALLEL, PARALLEL[:100], PARALLEL.replace(":9:0:", ":nine:0:"))

    assert len(workload) == 1
    assert workload.report[1] == (
        "2 lines that are no records (line 4 begins 'large:compute-4-19.local:csic:csfiylfl:s001.sh:6972834:sge:0')"
        " were left out."
    )


def test_accounts_are_groups_where_no_record_has_a_project():
    assert read_text(PARALLEL.replace("por_defecto", "NONE")).texts["account"] == ("csic",)


@pytest.mark.parametrize(
    ("category", "seconds", "kilobytes"),
    [
        ("-l h_rt=36000,s_rt=35000:0.0:NONE", 36_000.0, None),
        ("-l h_rt=24:00:00,h_vmem=2G -pe smp 4:0.0:NONE", 86_400.0, 2_097_152.0),
        ("-U x -l s_rt=600", 600.0, None),
        ("-l h_rt=INFINITY,h_vmem=1k", None, 1000 / 1024),
        ("-l m_mem_free=1.000G", None, 1_048_576.0),
        ("-l h_rt=0", None, None),
        ("-l h_rt=1::1", 3601.0, None),
        ("-l h_rt=:30:0,s_rt=5", 1800.0, None),
        ("-l s_rt=::5:0.000000:NONE", 5.0, None),
        ("-l h_rt=60:0.000000:1.node7", 60.0, None),
        ("-l h_rt=::", None, None),
        ("-q all.q@h_rt=7x", None, None),
    ],
)
def test_what_was_asked_for(category, seconds, kilobytes):
    for found, expected in zip(asked(category.encode()), (seconds, kilobytes), strict=True):
        assert found == expected if expected is not None else np.isnan(found)


def test_memory_in_units_of_two_sorts():
    assert memory(b"1.024t") == 1.024e12 / 1024
    assert memory(b"1.000T") == 1024**3
    assert np.isnan(memory(b"1x")) and np.isnan(memory(b"G")) and np.isnan(memory(b"0G"))


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (LINES[4:6], "it has 2 jobs, none that ran and ended"),
        (["=" * 62, "qname        all.q", "hostname     n7"], "it is what qacct prints; use the file accounting in"),
    ],
)
def test_refusals(lines, what):
    check_refusal(what, *lines)
