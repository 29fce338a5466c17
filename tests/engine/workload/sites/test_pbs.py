"""Accounting of PBS and Torque, as real systems wrote it, and odd values.

`xdmod.pbs`: the records of the tests of Open XDMoD's PBS shredder (Torque, PBS Pro, a GPU cluster). `manuals.pbs`: the
sample in Torque's administrator manual, chapter 9.1; three records of the tests of APEL's PBS parser (Torque 4 and 5);
records of whole arrays from openpbs/openpbs, pull requests 451 and 2309.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.sites.lines import duration, memory
from shadowtime.engine.workload.sites.pbs import chunks, hosts
from tests.engine.workload.logs import check_refusal, read_file, read_text, text

FOLDER = Path(__file__).parent
LINE = (
    "03/01/2026 00:03:00;E;7.server;user=ann group=staff queue=short ctime=1772323200 qtime=1772323200 etime=1772323200"
    " start=1772323260 end=1772323380 exec_host=n1/0+n1/1 Resource_List.nodes=1:ppn=2 Resource_List.walltime=00:05:00"
    " Exit_status=0 resources_used.walltime=00:02:00"
)


def test_every_record_of_three_systems_is_read():
    workload = read_file("sites/xdmod.pbs")
    jobs = workload.jobs
    found = [
        (jobs["job_id"][row].item(), jobs["processors"][row].item(), jobs["gpus"][row].item(),
         jobs["runtime"][row].item(), np.nan_to_num(jobs["requested"][row]).item(), text(workload, "user", row),
         text(workload, "partition", row), text(workload, "outcome", row), text(workload, "nodes", row))
        for row in range(len(workload))
    ]  # fmt: skip

    torque = (6, 32, 0.0, 2197.0, 14_400.0, "jonesm", "ccr", "exit 0", "i02n33,i02n32,i02n31,i02n30")
    assert found == [
        torque,
        torque,
        (6464684, 4, 0.0, 9349.0, 86_400.0, "anonuser", "default", "exit 1", "n404"),
        (2994, 65, 0.0, 156.0, 163.0, "anonuser", "workq", "exit 0", "c1,c2,c3,c4,c5"),
        (2995, 12, 0.0, 156.0, 163.0, "anonuser", "anonq", "exit 0", "c1,c2"),
        (7904, 28, 1.0, 8407.0, 345_600.0, "ybsbu", "gpu", "exit 1", ""),
        (10711, 28, 4.0, 8407.0, 0.0, "ybsbu", "black", "exit 0", "node0703"),
        (10712, 28, 2.0, 100_000.0, 345_600.0, "ybsbu", "black", "exit 0", "node0703"),
        (3073070, 48, 4.0, 36_066.0, 36_000.0, "[user_1]", "gpu", "exit 271", "[hostname_2]"),
    ]
    assert workload.clock.unix_start + jobs["release"][2] == 1415579756
    assert (jobs["recorded_start"] - jobs["release"])[[0, 2, 8]].tolist() == [99.0, 10_085.0, 6.0]
    assert jobs["memory_kb"][2] * 4 == 1993 * 1024
    assert text(workload, "account", 2) == "anonaccount"
    assert workload.report == (
        "9 jobs of PBS, 9 kept.",
        "1 job with a number that another has already: tasks of arrays, or requeued jobs.",
        "1 job without a time limit: the runtime stands in for it.",
        "1 job ran longer than the limit.",
        "Outcomes: 6 exit 0, 2 exit 1, 1 exit 271.",
        "4 jobs held GPUs, which no policy looks at.",
        "2 jobs stood still between start and end: that is no runtime.",
        "At most 77 processors were in use at one time.",
    )


def test_other_records_count_jobs_that_did_not_run():
    workload = read_file("sites/manuals.pbs")
    jobs = workload.jobs

    assert workload.report == (
        "7 jobs of PBS, 2 kept.",
        "2 records of a whole array were left out.",
        "3 jobs that never started were left out.",
        "1 job that had not ended was left out.",
        "1 job without processors, runtime or submission was left out.",
        "Outcomes: 2 exit 0.",
        "1 job stood still between start and end: that is no runtime.",
        "At most 4 processors were in use at one time.",
    )
    assert jobs["job_id"].tolist() == [21430205, 24940336]
    assert jobs["processors"].tolist() == [4, 1]
    assert jobs["runtime"].tolist() == [17_012.0, 12_767.0]
    assert jobs["requested"].tolist() == [57_600.0, 172_800.0]
    assert [text(workload, "account", row) for row in (0, 1)] == ["atprd", "atlaspt"]
    assert workload.clock.utc_offset == -8 * 3600  # written in Vancouver


def test_order_of_the_records_does_not_matter():
    lines = (FOLDER / "manuals.pbs").read_text().splitlines()
    started = LINE.replace(";E;", ";S;")
    forwards, backwards = read_text(*lines, started, LINE), read_text(LINE, started, *reversed(lines))

    assert forwards.report == backwards.report
    assert forwards.jobs["job_id"].tolist() == backwards.jobs["job_id"].tolist()


def test_a_requeued_run_is_a_job_and_a_second_record_of_it_is_not():
    requeued = LINE.replace(";E;", ";R;").replace("Exit_status=0", "Exit_status=-11")
    last = LINE.replace("start=1772323260 end=1772323380", "start=1772323400 end=1772323500").replace("02:00", "01:40")
    workload = read_text(requeued, requeued, "03/01/2026 00:03:00;R;8.server;", last)

    assert workload.jobs["runtime"].tolist() == [120.0, 100.0]
    assert [text(workload, "outcome", row) for row in (0, 1)] == ["requeued", "exit 0"]
    assert "1 requeue without a start and an end was left out." in workload.report
    assert "1 job that never started was left out." in workload.report  # job 8 waits again


def test_a_record_that_stands_twice_is_one_job():
    """Unlike equal ones of the tasks of an array, or of two servers."""
    others = [LINE.replace("7.server", name) for name in ("8.server", "7[1].server", "7[2].server", "7")]
    workload = read_text(LINE, *others, *others[:2])

    assert workload.jobs["job_id"].tolist() == [7, 8, 7, 7, 7]
    assert "2 lines of a job that another line has already, as where dumps overlap, were left out." in workload.report


def test_quoted_accounts_are_read_without_their_marks():
    """OpenPBS writes `account="..."`, also where the name holds no blank."""
    names = ('"chem a"', '"chem b"', '"bio"', "'say \"x\"'", "plain")
    lines = [LINE.replace("7.", f"{n}.").replace("group", f"account={name} group") for n, name in enumerate(names, 1)]
    workload = read_text(*lines)

    assert workload.texts["account"] == ("chem a", "chem b", "bio", 'say "x"', "plain")
    assert workload.jobs["processors"].tolist() == [2] * 5 and workload.jobs["runtime"].tolist() == [120.0] * 5


def test_tasks_of_arrays_have_the_number_of_the_array():
    workload = read_text(*(LINE.replace("7.server", name) for name in ("7[1].server", "7[2].server", "7-3.server")))

    assert workload.jobs["job_id"].tolist() == [7, 7, 7]


@pytest.mark.parametrize(
    ("change", "name", "expected"),
    [
        (("resources_used.walltime=00:02:00", "resources_used.walltime=90"), "runtime", 90.0),
        (("resources_used.walltime=00:02:00", "resources_used.walltime=00:00:00"), "runtime", 120.0),
        (("resources_used.walltime=00:02:00", "resources_used.walltime=19:23:4"), "runtime", 120.0),
        (("walltime=00:05:00", "walltime=1:00:00:00"), "requested", 86_400.0),
        (("nodes=1:ppn=2", "select=4:ncpus=8+2:ngpus=1"), "processors", 34),
        (("nodes=1:ppn=2", "select=4:ncpus=8 Resource_List.ncpus=16"), "processors", 16),
        (("nodes=1:ppn=2", "nodes=n7:ppn=4:big+n8:ppn=2#shared"), "processors", 6),
        (("nodes=1:ppn=2", "mppwidth=512"), "processors", 512),
        (("nodes=1:ppn=2", "nodes=x:ppn=y"), "processors", 2),
        (("ctime=1772323200 qtime=1772323200 ", ""), "recorded_start", 60.0),
    ],
)
def test_values_in_several_forms(change, name, expected):
    assert read_text(LINE.replace(*change)).jobs[name].tolist() == [expected]


def test_odd_records_are_counted():
    held = LINE.replace("etime=1772323200", "etime=1772323300").replace(";7.", ";8.")
    longer = LINE.replace("used.walltime=00:0", "used.walltime=99:0").replace(";7.", ";9.")
    workload = read_text("#begin", LINE, held, longer, held, longer, "", "rubbish")

    assert workload.report[1:4] == (
        "2 lines that are no records (line 1 begins '#begin') were left out.",
        "1 job could only start later than submitted: held, or after another job.",
        "1 job used more walltime than from start to end, which counts instead.",
    )


def test_winter_is_the_offset_of_the_clock():
    july = "ctime=1782864000 start=1782864060 end=1782864180"
    lines = [f"07/01/2026 02:03:00;E;{job}.server;user=ann Resource_List.ncpus=1 {july}" for job in range(9)]
    winter = LINE.replace("00:03:00;", "01:03:00;")

    assert read_text(*lines).clock.utc_offset == 7200
    assert read_text(*lines, winter).clock.utc_offset == 3600


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (["03/01/2026 00:00:00;Q;7.server;queue=short"], "it has 1 job, none that ran and ended"),
        (["03/01/2026 00:00:00;L;license;floating license hour:1"], "it holds no job"),
        ([LINE.replace("ppn=2", "ppn=" + "9" * 12)], "job 7: size is 999999999999; the limit here is 2,147,483,647"),
    ],
)
def test_refusals(lines, what):
    check_refusal(what, *lines)


def test_limits_name_the_line():
    whole = "\n".join([LINE, LINE.replace("7.s", "8.s") + "x" * 300, LINE.replace("7.s", "9.s")]).encode()
    with pytest.raises(InvalidWorkload, match="line 2 has more than 500 characters"):
        read_text(whole, line=500)
    with pytest.raises(InvalidWorkload, match="more than 10 blank lines"):
        read_text(whole + b"\n" * 100, lines=10)
    assert len(read_text(whole + b"\n" * 5, lines=10)) == 3


@pytest.mark.parametrize(
    ("written", "names", "slots"),
    [("a/0-3+a/5+b/0*13", "a,b", 18), ("n1/0,2-3", "n1", 3), ("n1/0*0", "n1", 0), ("n1", "n1", 1), ("", "", 0)],
)
def test_hosts(written, names, slots):
    assert hosts(written.encode()) == (names.encode(), slots)


def test_chunks():
    assert chunks(b"2:ppn=4:gpus=2+node7") == (9.0, 4.0)
    assert chunks(b"ncpus=3:mem=20gb") == (3.0, 0.0)


@pytest.mark.parametrize(
    ("written", "kilobytes"),
    [("1993mb", 2_040_832.0), ("1024", 1.0), ("1024b", 1.0), ("4gb", 4_194_304.0), ("128w", 1.0), ("1.5G", 1_572_864.0),
     ("0kb", None), ("much", None), ("", None), ("b", None)],
)  # fmt: skip
def test_memory(written, kilobytes):
    found = memory(written.encode())
    assert found == kilobytes if kilobytes is not None else np.isnan(found)


@pytest.mark.parametrize(
    ("written", "seconds"), [("90", 90.0), ("10:00", 600.0), ("1:00:00:01", 86_401.0), ("", None), ("1:2:3:4:5", None)]
)
def test_durations(written, seconds):
    found = duration(written.encode())
    assert found == seconds if seconds is not None else np.isnan(found)
