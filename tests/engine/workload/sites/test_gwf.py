"""The grid workload format, by the explanation of its columns that stands in the comments of its files.

No file of the archive was to be had: the lines below are made by that explanation, as its public readers and writers
have it (DistSysJavaHelpers: 29 columns, -1 where unknown, `Processors` in a comment, milliseconds in ASKALON's traces;
hxwang/DataCenterWorkloads on Grid'5000: waits below 0 of reservations, -1 for jobs that did not run). The lines of an
archive's SWF log, with eleven columns more, must give the same jobs as the log.
"""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.reading import read
from tests.engine.workload.logs import read_text, text

REST = "UNITARY -1 -1 -1 -1 -1 -1 -1 -1 -1 -1"
COMMENTS = "# Grid Workload Format\n# Processors: 400\n# 1 JobID\n# 2 SubmitTime in seconds\n#\n"
PLAIN = f"7 1107258432 12 100 2 90.5 512 4 900 1024 1 U3 G1 X9 Q2 -1 fs0 fs1 {REST}"


@pytest.mark.parametrize("separator", [" ", "\t", " \t "])
def test_columns_of_one_job(separator):
    workload = read_text(COMMENTS + separator.join(PLAIN.split()))
    row = {name: column[0] for name, column in workload.jobs.items()}

    assert (row["job_id"], row["processors"], row["runtime"], row["requested"]) == (7, 4, 100, 900)
    assert (row["recorded_start"], row["recorded_end"], row["memory_kb"]) == (12, 112, 1024)
    assert [text(workload, name) for name in ("user", "account", "partition", "outcome")] == [
        "U3", "G1", "Q2", "completed",
    ]  # fmt: skip
    assert workload.machine == {"processors": 400}
    assert workload.clock.unix_start == 1107258432


@pytest.mark.parametrize(
    ("change", "name", "expected"),
    [
        ((" 4 900 ", " -1 900 "), "processors", 2),
        ((" 4 900 ", " 4 -1 "), "requested", None),
        ((" 1107258432 ", " 1107258432123 "), "recorded_start", 12.0),
        ((" 12 100 ", " -60 100 "), "recorded_start", -60.0),
        ((" 12 100 ", " -1 100.5 "), "recorded_start", 0.0),
        (("7 1107258432", "grid/7 1107258432"), "job_id", 1),
    ],
)
def test_unknown_and_odd_values(change, name, expected):
    found = read_text(PLAIN.replace(*change, 1)).jobs[name][0]
    assert found == expected if expected is not None else np.isnan(found)


def test_unknown_values_with_decimals():
    given = read_text("\n".join([PLAIN, " ".join("-1" if at in (2, 10, 11, 12, 14, 17) else field
                                                 for at, field in enumerate(PLAIN.split()))]))  # fmt: skip
    found = read_text("\n".join([PLAIN, " ".join("-1.0" if at in (2, 10, 11, 12, 14, 17) else field
                                                 for at, field in enumerate(PLAIN.split()))]))  # fmt: skip

    assert found.report == given.report and "1 job without a wait: 0 is assumed." in found.report
    assert found.texts == given.texts
    for name, column in given.jobs.items():
        np.testing.assert_array_equal(found.jobs[name], column)


def test_an_empty_column_between_tabs():
    fields = PLAIN.split()
    fields[23] = ""
    assert len(read_text("\t".join(fields))) == 1


def test_sites_stand_where_no_job_has_a_queue():
    workload = read_text(PLAIN.replace(" Q2 ", " -1 ").replace(" 1 U3", " 5 -1"))
    assert [text(workload, name) for name in ("user", "partition", "outcome")] == ["", "fs1", "cancelled"]


def test_seconds_of_the_traces_own_clock():
    own = PLAIN.replace("1107258432", "60")
    assert read_text(own).clock is None
    assert read_text("# UnixStartTime: 1107258372\n" + own).clock.unix_start == 1107258432


def test_a_messy_trace_is_reported():
    never = PLAIN.replace(" 12 100 2 ", " -1 -1 -1 ")
    reserved, short = PLAIN.replace(" 12 100 ", " -60 100 "), PLAIN.replace(" 12 100 ", " -1 0 ")
    workload = read_text("\n".join([PLAIN, never, reserved, short, PLAIN.replace(" 12 ", " -1 "), PLAIN[:40], "", "x"]))

    assert workload.report == (
        "5 jobs of GWF, 3 kept.",
        f"2 lines that are no jobs (line 6 begins {PLAIN[:40]!r}) were left out.",
        "1 job without a wait: 0 is assumed.",
        "1 job that never started was left out.",
        "1 job without processors, runtime or submission was left out.",
        "2 jobs with a number that another has already: tasks of arrays, or requeued jobs.",
        "Outcomes: 3 completed.",
        "1 job started before the submission, as recorded.",
        "At most 12 processors were in use at one time.",
    )


def test_a_hopeless_trace_is_refused():
    with pytest.raises(InvalidWorkload, match=r"it has 1 job, none that ran and ended"):
        read_text(PLAIN.replace(" 12 100 2 ", " -1 -1 -1 "))


def test_a_log_of_18_columns_is_still_swf():
    assert read_text(" ".join(["1", "0", "5", "100", "4", *["-1"] * 13])).report[0].startswith("1 record")


def test_a_log_of_the_archive_with_more_columns_gives_the_same_jobs(traces):
    with (traces / "KTH-SP2-1996-2.1-cln.swf.gz").open("rb") as stream:
        given = read(stream, "KTH")
    with gzip.open(traces / "KTH-SP2-1996-2.1-cln.swf.gz", "rt", encoding="latin-1") as stream:
        lines = [line.strip() for line in stream if line.strip() and not line.startswith(";")]
    found = read_text("\n".join(f"{line} {REST}" for line in lines))

    for name in ("job_id", "runtime", "processors", "requested"):
        np.testing.assert_array_equal(found.jobs[name], given.jobs[name])
    for name in ("release", "recorded_end"):
        one, other = (workload.jobs[name] - workload.jobs["release"][0] for workload in (found, given))
        np.testing.assert_array_equal(one, other)
