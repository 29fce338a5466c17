"""`lsb.acct` of LSF 5.1, 7.06, 9.11, 10.1 and 10.108, as real systems wrote it, and odd values.

`lsb.acct`: two records of the tests of APEL's LSF parser (CERN; a parallel job with a host for each slot), the first of
the tests of Open XDMoD's LSF shredder, job 7610 of a public parser's sample, and the record from which
aws-samples/hpc-cost-simulator generates logs.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.engine.workload.logs import check_refusal, read_text, text

FILE = Path(__file__).parent / "lsb.acct"
LINES = FILE.read_text().splitlines()
SHORT = LINES[3]


def test_every_record_of_five_versions_is_read():
    workload = read_text(*LINES)
    jobs = workload.jobs
    found = [
        (jobs["job_id"][row].item(), workload.clock.unix_start + jobs["release"][row].item(),
         (jobs["recorded_start"] - jobs["release"])[row].item(), jobs["runtime"][row].item(),
         jobs["processors"][row].item(), *(text(workload, name, row) for name in ("user", "account", "partition",
                                                                                  "outcome", "nodes")))
        for row in range(len(workload))
    ]  # fmt: skip

    eight = ",".join(f"host{number}-ib" for number in (1201, 1234, 1235, 1236, 1257, 1270, 1301, 1303))
    aws = "ip-10-30-66-253.eu-west-1.compute.internal"
    assert found == [
        (699195, 1089290023, 116_839, 544, 1, "raortega", "default", "8nm", "DONE", "tbed0079"),
        (436491, 1302184001, 3, 16, 16, "viglen", "default", "normal", "EXIT", "comp042,comp043"),
        (404717, 1389642318, 453, 40_368, 128, "anonuser", "anonproject", "regular", "DONE", eight),
        (7610, 1527326745, 1, 839, 1, "lsfadmin", "default", "normal", "EXIT", "lsf-pac.localdomain.com"),
        (386, 1644826545, 1, 3, 1, "simuser", "default", "sender", "DONE", aws),
    ]
    assert np.nan_to_num(jobs["requested"]).tolist() == [0, 0, 43_200, 0, 0]  # -W 12:00
    assert workload.report == (
        "5 jobs of LSF, 5 kept.",
        "4 jobs without a time limit: the runtime stands in for it.",
        "Outcomes: 3 DONE, 2 EXIT.",
        "At most 128 processors were in use at one time.",
    )


@pytest.mark.parametrize(
    ("change", "name", "expected"),
    [
        ((" 839 ", " 800 "), "runtime", 800.0),  # suspended for 39 s
        ((" 839 ", " 900 "), "runtime", 839.0),
        ((" 839 ", ' "" '), "runtime", 839.0),
        (('"0" 0 0 0 2048', '"0" 0 600 0 2048'), "requested", 600.0),
        (('"0" 0 0 0 2048', '"0" 2 a 1 2 3 4 0 b 1 2 3 4 1 "k" "v" 600 0 2048'), "requested", 600.0),
        (('1 "lsf-pac.localdomain.com" 32', '2 "16*a" "b" 32'), "processors", 17),
        (('1 "pac" 1 "lsf-pac.localdomain.com"', '0 1 "2*a"'), "processors", 2),
        (('1 "pac" 1 "lsf-pac.localdomain.com"', '2 "a" "b" 0'), "processors", 1),
        (('"sleep 1000"', '"echo ""a  b"" ""1 2"""'), "runtime", 839.0),
    ],
)
def test_fields_behind_lists_of_any_length(change, name, expected):
    assert change[0] in SHORT
    assert read_text(SHORT.replace(*change, 1)).jobs[name].tolist() == [expected]


def test_odd_records_are_counted():
    resize = '"JOB_RESIZE" "10.1" 1527327500 7610 0 1'
    waiting = SHORT.replace(" 1527326746 ", " 0 ", 1)
    later = SHORT.replace(" 1527326745 0 0 ", " 1527326745 1527327000 0 ")
    workload = read_text(SHORT, resize, waiting, later, SHORT[:300], '"JOB_FINISH" "10.1" x', "rubbish", "")

    assert workload.report[:5] == (
        "3 jobs of LSF, 2 kept.",
        f"3 lines that are no whole records (line 5 begins {SHORT[:60]!r}) were left out.",
        "1 record of other kinds than JOB_FINISH was left out.",
        "1 job was to begin later than submitted.",
        "1 job that never started was left out.",
    )


def test_a_record_without_the_number_of_its_hosts_is_no_whole_record():
    """A published record of 10.108 has the number of hosts that were asked for, `02`, and not that of those used."""
    hosts = (
        '"host1" "host1" 64 100.0 "" "/tools/a.py" 0.168266 0.044691 112800 0 -1 0 0 27278 4 0 936 32 -1 0 0 0 87 2 -1'
    )
    begin = (
        '"JOB_FINISH" "10.108" 1644826628 387 1501 33554450 2 1644826611 0 0 1644826612 "simuser" "sender" "" "" ""'
        ' "h" "/tools" "" "/o" "" "1644826611.387" 02 '
    )
    rest = " ".join(['""'] * 70)

    workload = read_text(SHORT, begin + hosts + " " + rest)

    assert len(workload) == 1 and any("no whole record" in line for line in workload.report)


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        (
            ["", "Accounting information about jobs that are:", "  - submitted by all users."],
            "it is what bacct prints, whose dates have no year; use the file lsb.acct",
        ),
        (["#80", '"JOB_NEW" "10.1" 1527326745 7610 1000'], "it has no record JOB_FINISH; use the file lsb.acct"),
        (['"JOB_FINISH" "10.1" 1527327585 7610'], "it holds no job"),
    ],
)
def test_refusals(lines, what):
    check_refusal(what, *lines)
