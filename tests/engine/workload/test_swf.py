"""The SWF reader: what it keeps, what it reports, and what it refuses in which words."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.job import Clock, Workload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.reading import read

BLANK = dict.fromkeys(range(1, 19), -1)


def line(job: int = 1, submit=0, runtime=10, size=1, **fields) -> str:
    """A record; other fields by number: `f9=60`."""
    values = BLANK | {1: job, 2: submit, 4: runtime, 8: size} | {int(name[1:]): v for name, v in fields.items()}
    return " ".join(str(values[field]) for field in range(1, 19))


def log(*lines: str) -> Workload:
    return read(BytesIO("\n".join(lines).encode() + b"\n"), "jobs.swf")


def refusal(*lines: str, limits: Limits | None = None) -> str:
    with pytest.raises(InvalidWorkload) as caught:
        read(BytesIO("\n".join(lines).encode() + b"\n"), "jobs.swf", limits=limits)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def column(workload: Workload, name: str) -> list:
    return workload.jobs[name].tolist()


def test_four_jobs(four_swf):
    """Ten processors; the example of the help.

    P  9 |1111 4444......|      job 1: 6 wide, 100 long
       . |1111           |      job 2: 10 wide, waits for job 1
       0 |1111 22 3333333|      job 4: 4 wide, 50 long, fits beside job 1
    """
    with four_swf.open("rb") as stream:
        workload = read(stream, "four.swf")

    assert column(workload, "job_id") == [1, 2, 3, 4]
    assert column(workload, "release") == [0, 1, 2, 3]
    assert column(workload, "runtime") == column(workload, "requested") == [100, 10, 1000, 50]
    assert column(workload, "processors") == [6, 10, 4, 4]
    assert column(workload, "user") == [-1] * 4
    assert workload.machine == {"processors": 10}
    assert workload.source == {
        "digest": "7551e48cece1b8a074ee8e2dd5864afb454ee9f379cc48f283fb72c028ec03ad",
        "case": None,
    }
    assert workload.report == ("4 records, 4 jobs kept.",)
    assert workload.has_estimates and workload.clock is None and workload.name == "four.swf"


def test_size_is_requested_else_allocated():
    workload = log(line(1, size=8, f5=4), line(2, size=-1, f5=4), line(3, size=0, f5=2))

    assert column(workload, "processors") == [8, 4, 2]


def test_records_without_size_or_runtime_are_left_out_and_counted():
    workload = log(line(1), line(2, size=-1), line(3, runtime=0), line(4, runtime=-1), line(5, size=0), line(6, f11=5))

    assert column(workload, "job_id") == [1, 6]
    assert workload.report[:2] == ("6 records, 2 jobs kept.", "4 without a size or a runtime were left out.")


def test_a_job_before_the_origin_is_left_out_and_counted():
    workload = log(line(1, submit=-1), line(2, submit=0))

    assert column(workload, "job_id") == [2]
    assert "1 submitted before second 0 was left out." in workload.report


def test_negative_sizes_are_unknown_and_told():
    workload = log(line(1, size=-4), line(2, size=-4, f5=3), line(3))

    assert column(workload, "job_id") == [2, 3]
    assert "2 records with a size or runtime below -1: read as unknown." in workload.report


def test_requested_time_above_zero_or_unknown():
    workload = log(line(1, f9=60), line(2, f9=-1), line(3, f9=0))

    assert np.array_equal(workload.jobs["requested"], [60, np.nan, np.nan], equal_nan=True)
    assert workload.has_estimates
    assert "2 jobs without a requested time: the runtime stands in for it." in workload.report


def test_no_requested_time_at_all():
    workload = log(line(1), line(2))

    assert not workload.has_estimates
    assert "No job has a requested time: the runtime stands in for it." in workload.report


def test_order_is_submission_then_file_and_disorder_is_told():
    workload = log(line(7, submit=5), line(3, submit=2), line(9, submit=5), line(1, submit=2))

    assert column(workload, "job_id") == [3, 1, 7, 9]
    assert "2 jobs stood below jobs submitted later: sorted by submission." in workload.report


def test_double_job_numbers_are_told():
    assert "1 job with a job number that another has already." in log(line(1), line(1)).report


def test_times_stay_as_written():
    workload = log(line(1, submit="599850.25", runtime="142.00"), line(2, submit="1e6", runtime=".5"))

    assert column(workload, "release") == [599850.25, 1e6]
    assert column(workload, "runtime") == [142, 0.5]


def test_a_job_larger_than_the_machine_stays():
    assert column(log("; MaxProcs: 4", line(1, size=9)), "processors") == [9]


def test_header_says_machine_and_clock():
    workload = log(
        ";   MaxNodes:   338 (batch partition; 512 total)",
        "; MaxProcs: 340",
        "; MaxProcs: 9",
        "; UnixStartTime: 835823160",
        "; TimeZone: -18000",
        "; TimeZoneString: US/Eastern",
        line(1),
    )

    assert workload.machine == {"processors": 340}
    assert workload.clock == Clock(835823160.0, -18000.0, "US/Eastern")


@pytest.mark.parametrize(
    ("header", "processors", "sentence"),
    [
        ("; MaxNodes: 338 (batch partition; 512 total)", 338, "the machine has the 338 of MaxNodes"),
        ("; MaxProcs: -1", None, "does not say how many processors"),
        ("; MaxProcs: many", None, "does not say how many processors"),
        ("; MaxProcs: 99999999999999", None, "does not say how many processors"),
    ],
)
def test_a_header_without_a_usable_maxprocs(header, processors, sentence):
    workload = log(header, line(1))

    assert workload.machine.get("processors") == processors
    assert sentence in workload.report[-1]


@pytest.mark.parametrize("start", ["0", "-1", "soon", ""])
def test_a_model_has_no_clock(start):
    assert log(f"; UnixStartTime: {start}", line(1)).clock is None


def test_blank_lines_comments_anywhere_tabs_and_crlf():
    text = f"\r\n; MaxProcs: 4\r\n{line(1)}\r\n\r\n  ; a note\r\n{line(2)}".replace(" ", "\t")

    workload = read(BytesIO(b"\xef\xbb\xbf" + text.encode()), "jobs.swf")

    assert column(workload, "job_id") == [1, 2]
    assert workload.machine == {"processors": 4}


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ([line(1), "1 2 3"], "line 2 has 3 columns; SWF needs 18."),
        ([line(1), line(2) + " -1"], "line 2 has 19 columns; SWF needs 18."),
        ([line(1) + " -1", line(2)[:-3]], "line 1 has 19 columns; SWF needs 18."),
        (["job submit runtime", "1 0 3"], "line 1 has 3 columns; SWF needs 18."),
        (["job,submit,runtime", "1,0,3"], "it has no column for the processors among job, submit, runtime; add #size"),
        (["; note", "", line(1), line(2, runtime="nan")], "line 4: field 4 (runtime) is 'nan', not a number."),
        ([line(1, submit="inf")], "line 1: field 2 (submit time) is 'inf', not a number."),
        ([line(1, submit="12:30")], "line 1: field 2 (submit time) is '12:30', not a number."),
        ([line(1, runtime="1e308")], "line 1: field 4 (runtime) is 1e+308; the limit here is 1,000,000,000,000."),
        ([line(1, runtime="1e999")], "line 1: field 4 (runtime) is inf; the limit here is 1,000,000,000,000."),
        ([line(1, f9="1e13")], "line 1: field 9 (requested time) is 10000000000000; the limit here is 1,000"),
        ([line(1, size="2147483648")], "field 8 (requested processors) is 2147483648; the limit here is 2,147"),
        ([line(1, size="2.5")], "line 1: field 8 (requested processors) is 2.5; a whole number is needed."),
        ([line("1.5")], "line 1: field 1 (job number) is 1.5; a whole number is needed."),
        ([line(1, f12="1e17")], "line 1: field 12 (user) is 1e+17; the limit here is 9,007,199,254,740,992."),
        ([line(1, size=-4)], "it has 1 record, none with a size and a runtime above 0."),
        ([line(1, size=-1), line(2, runtime=0)], "it has 2 records, none with a size and a runtime above 0."),
        ([line(1, submit=-5)], "all its jobs were submitted before second 0."),
        (["; MaxProcs: 10"], "it holds no record."),
        (["", "  "], "it begins with blanks only."),
    ],
)  # fmt: skip
def test_refusals_name_line_value_and_rule(lines, sentence):
    message = refusal(*lines)

    assert message.startswith("jobs.swf was not read: ")
    assert sentence in message


def test_fields_that_nothing_reads_are_counted_only():
    assert column(log(line(1, f3="soon", f6="nan", f18="-")), "job_id") == [1]


def test_limits_on_lines():
    limits = Limits(line=200)

    assert "line 2 has more than 200 characters" in refusal(line(1), ";" + "x" * 200, limits=limits)


def test_a_name_cannot_break_the_line():
    with pytest.raises(InvalidWorkload, match="it is empty") as caught:
        read(BytesIO(b""), "a\nb\x1b[31m" + "x" * 500)

    assert str(caught.value).startswith("a?b?[31mx") and len(str(caught.value)) < 200


def test_two_values_of_a_header_line_are_reported_and_the_first_is_used():
    workload = log("; MaxProcs: 340", "; MaxProcs: 9", "; MaxProcs: 340", "; TimeZone: 0", "; TimeZone: 0", line(1))
    assert workload.machine["processors"] == 340
    said = [sentence for sentence in workload.report if "two values" in sentence]
    assert said == ["The header has two values of MaxProcs: '340' is used, and '9' is not."]


def test_parts_of_a_job_are_left_out_beside_its_own_line():
    parts = [line(1, runtime=100, f11=2), line(1, -1, 50, f11=2), line(1, -1, 150, f11=3)]
    workload = log(line(1, runtime=300, f11=1), *parts, line(2, 5, f11=4))

    assert column(workload, "job_id") == [1, 2]
    assert column(workload, "runtime") == [300, 10]
    assert workload.report[1] == "3 partial executions of jobs with a line of their own were left out."
    assert column(log(*parts), "runtime") == [100]
    unusable = log(line(1, runtime=-1, f11=1), parts[0], line(2, 5))
    assert column(unusable, "job_id") == [1, 2]


@pytest.mark.parametrize(
    ("value", "processors", "said"),
    [
        ("1,152", 1152, None),
        ("1,152,000 (all)", 1_152_000, None),
        ("338 (batch partition)", 338, None),
        ("64-128", 64, "MaxProcs in the header is '64-128': the 64 at its beginning is used."),
        ("128 + 64", 128, "MaxProcs in the header is '128 + 64': the 128 at its beginning is used."),
        ("1e3", 1, "MaxProcs in the header is '1e3': the 1 at its beginning is used."),
        ("1,15", 1, "MaxProcs in the header is '1,15': the 1 at its beginning is used."),
    ],
)
def test_a_number_of_the_header_is_read_whole_or_the_report_says_which_part(value, processors, said):
    workload = log(f"; MaxProcs: {value}", line(1))

    assert workload.machine == {"processors": processors}
    assert [sentence for sentence in workload.report if "MaxProcs" in sentence] == ([said] if said else [])


def test_a_number_of_the_header_that_is_not_used_is_not_reported_as_used():
    header = "; MaxNodes: 64-128"

    assert "the 64 at its beginning is used" in " ".join(log(header, line(1)).report)
    assert "64" not in " ".join(log("; MaxProcs: 128", header, line(1)).report)
