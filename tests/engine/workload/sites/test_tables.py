"""Tables with a header: an excerpt of a real one, tables of many shapes, Parquet, and what is refused.

`eagle.csv` are the first 30 jobs of `data/sample_eagle_data.csv` of the repository NREL/eagle-jobs: jobs of the machine
Eagle, as its operators published them.
"""

from __future__ import annotations

import csv
import gzip
import io
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.reading import columns, read
from shadowtime.engine.workload.sites.tables.mapping import Column, parse, write
from tests.engine.workload.logs import read_file, read_text

EAGLE = Path(__file__).parent / "eagle.csv"
CLEAN = "id,submit,runtime,cores,user\n7,0,60,4,ann\n8,10,120,2,bob\n"


def listed(text, *names, case=None):
    jobs = read_text(text, case=case).jobs
    return [jobs[name].tolist() for name in names]


def seconds(text):
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


def test_every_job_of_eagle_is_read_as_its_operators_wrote_it():
    workload = read_file(EAGLE)
    with EAGLE.open(newline="") as stream:
        lines = sorted(csv.DictReader(stream), key=lambda line: seconds(line["submit_time"]))

    assert len(workload) == len(lines) == 30
    jobs, zero = workload.jobs, workload.clock.unix_start
    for row, line in enumerate(lines):
        assert jobs["job_id"][row] == int(line["job_id"])
        assert zero + jobs["release"][row] == seconds(line["submit_time"])
        assert zero + jobs["recorded_start"][row] == seconds(line["start_time"])
        assert zero + jobs["recorded_end"][row] == seconds(line["end_time"])
        assert jobs["runtime"][row] == float(line["run_time"])
        assert jobs["requested"][row] == float(line["wallclock_req"])
        assert jobs["processors"][row] == int(line["processors_req"])
        for name, column in (
            ("user", "user"),
            ("account", "account"),
            ("partition", "partition"),
            ("outcome", "state"),
        ):
            assert workload.texts[name][jobs[name][row]] == line[column]
    assert workload.report[:2] == (
        "30 jobs of the table, 30 kept.",
        "Read: submission from submit_time (dates), start from start_time (dates), end from end_time (dates), runtime "
        "from run_time (seconds), requested time from wallclock_req (seconds), processors from processors_req, job "
        "number from job_id, user from user, account from account, partition from partition, outcome from state, "
        "memory from mem_req (MB), GPUs from gpus_req. Not read: qos, nodes_req, name, work_dir, submit_line.",
    )


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_separators(delimiter):
    workload = read_text(CLEAN.replace(",", delimiter))

    assert workload.jobs["processors"].tolist() == [4, 2]
    assert workload.texts["user"] == ("ann", "bob")


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_decimal_commas_are_those_of_numbers_and_times_alone(delimiter):
    text = "id user nodelist submit runtime cores mem_gb\n7 3,4 1,2 0,5 60,25 4,0 1,5\n8 eve n1 1 60 2 1\n"
    workload = read_text(text.replace(" ", delimiter))

    assert (workload.texts["user"], workload.texts["nodes"]) == (("3,4", "eve"), ("1,2", "n1"))
    found = [workload.jobs[name].tolist() for name in ("release", "runtime", "processors", "memory_kb")]
    assert found == [[0.0, 0.5], [60.25, 60.0], [4, 2], [1.5 * 1024**2 / 4, 1024**2 / 2]]
    first = columns(io.BytesIO(text.replace(" ", delimiter).encode()), "jobs.tsv")["first"][0]
    assert (first["user"], first["runtime"]) == ("3,4", 60.25)


def test_gzip_byte_order_mark_and_comments_change_nothing():
    text = b"\xef\xbb\xbf# exported\n# processors: 64\n\n" + CLEAN.encode().replace(b"\n", b"\r\n")
    workload = read(io.BytesIO(gzip.compress(text)), "jobs.csv.gz")

    assert workload.jobs["runtime"].tolist() == [60.0, 120.0]
    assert workload.machine == {"processors": 64}


@pytest.mark.parametrize(
    ("header", "value", "runtime"),
    [
        ("Duration [min]", "2", 120.0), ("runtime_ms", "1500", 1.5), ("elapsed (h)", "0.5", 1800.0),
        ("run-time", "00:01:30", 90.0), ("duration", "1-00:00:01", 86_401.0),
        ("duration", "2 days, 0:00:01", 172_801.0),
        ("wallclock", "1h 30min", 5400.0), ("Elapsed", "02:03", 123.0), ("duration_hours", "1", 3600.0),
        ("runtime", "1.5e2", 150.0),
    ],
)  # fmt: skip
def test_durations(header, value, runtime):
    assert listed(f'submit,{header},cores\n0,"{value}",1\n', "runtime") == [[runtime]]


@pytest.mark.parametrize(
    ("values", "start"),
    [
        (["1700000000", "1700000060"], 1.7e9), (["1700000000000", "1700000060000"], 1.7e9),
        (["1700000000000000", "1700000060000000"], 1.7e9), (["1.7e9", "1700000060"], 1.7e9),
        (["2023-11-14T22:13:20Z", "2023-11-14T23:14:20+01:00"], 1.7e9),
        (["2023-11-14 22:13:20.000", "2023-11-14 22:14:20.000"], 1.7e9),
        (["2023/11/14 22:13:20", "2023/11/14 22:14:20"], 1.7e9),
        (["14.11.2023 22:13:20", "14.11.2023 22:14:20"], 1.7e9),
        (["14/11/2023 22:13:20", "14/11/2023 22:14:20"], 1.7e9),
        (["11/14/2023 10:13:20 PM", "11/14/2023 10:14:20 PM"], 1.7e9),
        (["2023-11-14 22:13:20", "1700000060"], 1.7e9),
        (["100", "160"], None),
    ],
)  # fmt: skip
def test_instants(values, start):
    workload = read_text("submitted_at,runtime,cores\n" + "".join(f'"{value}",1,1\n' for value in values))

    assert workload.jobs["release"].tolist() == [0.0, 60.0]
    assert (workload.clock and workload.clock.unix_start) == start


@pytest.mark.parametrize(
    ("header", "line"),
    [
        ("submit,start,end", "0,10,70"), ("submit,wait,runtime", "0,10,60"), ("submit,end,runtime", "0,70,60"),
        ("submit,start,runtime", "0,10,60"), ("submit,wait,end", "0,10,70"),
    ],
)  # fmt: skip
def test_start_and_end_follow_from_what_is_there(header, line):
    found = listed(f"{header},procs\n{line},3\n", "runtime", "recorded_start", "recorded_end")

    assert found == [[60.0], [10.0], [70.0]]


def test_a_table_without_starts_keeps_its_jobs_and_says_so():
    workload = read_text(CLEAN)

    assert "recorded_start" not in workload.jobs
    assert workload.report[-1] == "It has no starts: what the machine did is not known."


def test_odd_values_are_counted_and_named():
    workload = read_text(
        "submit,start,end,cores,mem_gb,extra\n"
        "0,1,2,4,1.5,x\n5,6,soon,4,1,x\n7,-1,-1,4,1,x\n8,9,10,0.5,1,x\n9,10,11,many,1,x\nNA,10,11,4,1,x\n1,2,3\n"
    )

    assert workload.report == (
        "6 jobs of the table, 2 kept.",
        "Read: submission from submit (seconds), start from start (seconds), end from end (seconds), processors from "
        "cores, memory from mem_gb (GB). Not read: extra.",
        "1 line with another number of columns (the first begins '1,2,3') was left out.",
        "1 value of end was no instant (the first is 'soon'): read as unknown.",
        "1 value of cores was no number (the first is 'many'): read as unknown.",
        "1 job with a part of a processor: rounded up.",
        "1 job that never started was left out.",
        "1 job that had not ended was left out.",
        "2 jobs without processors, runtime or submission were left out.",
        "No job has a time limit: the runtime stands in for it.",
        "At most 4 processors were in use at one time.",
    )
    assert workload.jobs["memory_kb"].tolist() == [1.5 * 1024**2 / 4, 1024.0**2]


@pytest.mark.parametrize("delimiter", [",", ";"])
def test_bytes_that_are_no_utf_8_count_as_windows_1252(delimiter):
    text = b"id,user,submit,start,end,cores\n\xa07,jos\xe9,0,1,2,4\n8,ann,5,6,\xff,4\n9,ann,5,6,7,4\n\xe9,1\n"
    workload = read_text(text.replace(b",", delimiter.encode()))

    assert workload.jobs["job_id"].tolist() == [0.0, 9.0]
    assert workload.texts["user"] == ("josé", "ann")
    assert "1 value of end was no instant (the first is 'ÿ'): read as unknown." in workload.report
    assert any(line.startswith("1 line with another number of columns") for line in workload.report)


def test_chosen_columns_go_before_proposed_ones():
    text = 'when,submit,"took, all",cores,gpus,user\n100,0,2,4,8,ann\n'
    case = "submit=when,runtime=took%2C all:minutes,size=GPUs,user="
    workload = read_text(text, name="jobs.csv", case=case)

    assert workload.name == f"jobs.csv#{case}"
    assert workload.source["case"] == case
    row = [workload.jobs[name].tolist() for name in ("runtime", "processors", "user")]
    assert row == [[120.0], [8], [-1]]


@pytest.mark.parametrize(
    ("text", "case", "sentence"),
    [
        ("a,b,c\n1,2,3\n", None, "it has no column for the submission among a, b, c; add #submit=NAME."),
        ("7|ann|2025-01-01T00:00:00\n8|bob|2025-01-01T00:00:05\n", None, "its first line holds values such as '7' in"),
        ("submit,b,c\n1,2,3\n", None, "it has no column for the processors among submit, b, c; add #size=NAME."),
        ("submit,cores,c\n1,2,3\n", None, "no column for the runtime (or a start and an end) among submit, cores, c;"),
        (CLEAN, "submit=x", "there is no column 'x' among id, submit, runtime, cores, user."),
        (CLEAN, "runtime=runtime:parsecs", "'parsecs' is no unit of 'runtime'; units are nanoseconds,"),
        (CLEAN, "0", "'0' chooses no column; write #submit=NAME,... with the fields submit, start,"),
        ("1,2,3\n4,5,6\n", None, "line 1 has 1 column; SWF needs 18."),
        ("submit,runtime,cores\n", None, "it holds no job."),
        ("submit,runtime,cores\n1,-1,4\n", None, "it has 1 job, none that ran and ended."),
        ("submit,runtime,cores\n1,1,9999999999\n", None, "size is 9999999999; the limit here is 2,147,483,647."),
        ("submit,start,runtime,cores\n5,1700000000,1,1\n", None, "submission and start count from different instants"),
    ],
)  # fmt: skip
def test_refusals(text, case, sentence):
    with pytest.raises(InvalidWorkload) as error:
        read_text(text, name="jobs.csv", case=case)
    assert str(error.value).startswith("jobs.csv was not read: ")
    assert sentence in str(error.value)


def test_a_long_line_is_named():
    with pytest.raises(InvalidWorkload, match="line 3 has more than 200 characters"):
        read_text(CLEAN.replace("bob", "b" * 300), line=200)


def test_a_choice_is_written_as_it_is_read():
    names = ["plain", "with, comma = and : and # and / and %", "unit", "min:s"]
    chosen = {
        "submit": Column(names[1]),
        "runtime": Column(names[2], "minutes"),
        "size": Column(names[3]),
        "user": None,
    }

    assert parse(write(chosen), names) == chosen
    assert not set("#/") & set(write(chosen))


def parquet_of(table, **options):
    stream = io.BytesIO()
    parquet.write_table(table, stream, **options)
    return stream.getvalue()


def test_parquet_gives_the_jobs_of_the_same_text():
    from pyarrow import csv as arrow_csv

    table = arrow_csv.read_csv(EAGLE)
    assert pa.types.is_timestamp(table.schema.field("submit_time").type)
    text = read_file(EAGLE)
    packed = read(io.BytesIO(parquet_of(table, use_dictionary=["user"], row_group_size=7)), "eagle.parquet")

    assert packed.report == text.report
    for name, column in text.jobs.items():
        np.testing.assert_array_equal(packed.jobs[name], column)
    assert packed.texts == text.texts


def test_parquet_is_bounded():
    many = parquet_of(
        pa.table({"submit": pa.array([0] * 1_000_000), "runtime": [1] * 1_000_000, "cores": [1] * 1_000_000})
    )

    assert len(many) < 100_000
    with pytest.raises(InvalidWorkload, match="would unpack to more than 10 MB"):
        read(io.BytesIO(many), "many.parquet", limits=Limits(unpacked=10_000_000))
    with pytest.raises(InvalidWorkload, match="its Parquet is damaged"):
        read(io.BytesIO(many[:-200]), "cut.parquet")


def test_how_a_table_is_read_is_described_before_a_run():
    found = columns(io.BytesIO(CLEAN.encode()), "jobs.csv")

    assert found["columns"] == ["id", "submit", "runtime", "cores", "user"]
    assert found["fields"]["runtime"] == {"column": "runtime", "unit": "seconds"}
    assert (found["missing"], found["first"][0]) == (
        "", {"submit": 0.0, "runtime": 60.0, "size": 4.0, "id": 7.0, "user": "ann"},
    )  # fmt: skip
    hopeless = columns(io.BytesIO(b"a,b,c\n1,2,3\n"), "jobs.csv")
    assert hopeless["missing"] == "it has no column for the submission among a, b, c; add #submit=NAME."
    assert columns(io.BytesIO(b"; MaxProcs: 1\n"), "jobs.swf") is None


def dated(*lines, case=None):
    return read_text("id,submit,start,end,cores", *lines, case=case)


def test_all_dates_of_a_file_have_one_order_of_days_and_months():
    workload = dated(
        "1,05/03/2026 23:59,05/03/2026 23:59,05/03/2026 23:59:30,4",
        "2,12/03/2026 23:59,13/03/2026 00:05,13/03/2026 11:05,4",
    )

    assert workload.clock.unix_start == seconds("2026-03-05T23:59:00")
    assert workload.jobs["recorded_start"].tolist() == [0.0, 7 * 86_400.0 + 360.0]


def test_a_later_date_that_contradicts_the_order_is_refused_with_the_choices():
    lines = [f"{n},05/03/2026 00:00,05/03/2026 00:01,05/03/2026 00:02,4" for n in range(1001)]
    last = "9999,13/03/2026 00:00,13/03/2026 00:01,13/03/2026 00:02,4"

    with pytest.raises(InvalidWorkload, match="submit holds '13/03/2026 00:00', but the first lines or the choice"):
        dated(*lines, last)
    chosen = dated(*lines, last, case="submit=submit:dmy,start=start:dmy,end=end:dmy")
    assert len(chosen) == 1002
    one_chosen = dated(*lines[:10], case="submit=submit:dmy")
    assert one_chosen.jobs["recorded_start"].tolist() == [60.0] * 10
    unread = dated(*lines, last, case="submit=submit:mdy,start=start:mdy,end=end:mdy")
    assert len(unread) == 1001


def test_odd_facts_numbers_and_kinds_are_read_or_named():
    assert read_text("# processors: 4,096", CLEAN).machine == {"processors": 4096}
    said = read_text("# processors: -5", "# utc_offset: 99999999", CLEAN).report
    assert "# processors: '-5' is not a whole number from 1 to 2,147,483,647: left out." in said
    assert "# utc_offset: '99999999' is not a number of seconds from -86,400 to 86,400: left out." in said
    assert read_text("id,submit,runtime,cores,gpus", "1,0,60,4,-1", "2,0,60,4,2").jobs["gpus"].tolist() == [0.0, 2.0]
    assert read_text("id,submit,runtime,cores", "\u00b2,0,10,4").jobs["runtime"].tolist() == [10.0]
    assert listed("id,submit,runtime,cores\n1,2026-03-01 00:00:00+01,10,4", "release") == [[0.0]]
    cancelled = read_text("id,submit,runtime,cores,state", "1,0,10,4,CANCELLED by 1001")
    assert cancelled.texts["outcome"] == ("CANCELLED",)


def test_times_of_a_day_in_parquet_are_durations():
    table = pa.table({"submit": [0, 5], "runtime": pa.array([60, 3600], pa.time32("s")), "cores": [1, 2]})

    assert read(io.BytesIO(parquet_of(table)), "t").jobs["runtime"].tolist() == [60.0, 3600.0]
    sizes = pa.table({"submit": [0], "runtime": [9], "cores": pa.array([1], pa.timestamp("s"))})
    with pytest.raises(InvalidWorkload):
        read(io.BytesIO(parquet_of(sizes)), "t")


def test_a_column_that_holds_no_such_values_is_named_with_the_first():
    with pytest.raises(InvalidWorkload, match="'submit' would be the submission, but most values are no date or numb"):
        read_text("id,submit,runtime,cores", "1,soon,10,4")
    with pytest.raises(InvalidWorkload, match="it has no column for the processors among id, submit, runtime, cores"):
        read_text("id,submit,runtime,cores", "1,5,10,4", case="size=")


def test_a_column_of_single_letters_behind_a_date_makes_no_accounting_of_pbs():
    workload = read_text(
        "submit;queue;id;runtime;cores;end", "02/14/2024 22:35:13;q;7;60;4;02/14/2024 22:40:00",
        "02/14/2024 22:36:13;w;8;60;2;02/14/2024 22:41:00",
    )  # fmt: skip

    assert workload.jobs["job_id"].tolist() == [7, 8]


def test_jobs_that_never_started_do_not_decide_what_the_instants_count_from():
    workload = read_text("submit,start,end,cores", "1735689600,0,0,4", "1735689600,1735689700,1735689800,4",
                         "1735689600,-1,-1,4")  # fmt: skip

    assert len(workload) == 1 and "2 jobs that never started were left out." in workload.report


def test_texts_that_hold_no_number_of_15_digits_at_their_begin_number_no_job():
    header, ids = "submit,id,runtime,procs", ("1234567890123456001", "1234567890123456002", "3f2c-77", "0a1b")
    workload = read_text(header, *(f"{n},{name},60,4" for n, name in enumerate(ids)))

    assert workload.jobs["job_id"].tolist() == [1, 2, 3, 4]


def test_blanks_around_texts_and_units_of_memory():
    workload = read_text("submit,runtime,cores,user,mem", "0, 60, 4, ann, 16GB", "1,60,4,ann ,8Gi", "2,60,4,ann,4gb")

    assert workload.texts["user"] == ("ann",)
    assert (workload.jobs["memory_kb"] * 4 / 1024**2).tolist() == [16.0, 8.0, 4.0]


def test_parquet_may_hold_views_of_texts():
    table = pa.table(
        {"submit": pa.array(["2025-01-01 10:00:00"]).cast(pa.string_view()), "runtime": [60], "cores": [4]}
    )
    sink = io.BytesIO()
    parquet.write_table(table, sink)

    assert read(io.BytesIO(sink.getvalue()), "jobs.parquet").jobs["runtime"].tolist() == [60.0]


def test_no_outcome_of_a_job_that_is_kept_makes_no_sentence():
    workload = read_text("submit,start,end,cores,state", "0,1,5,1,", "0,,,1,PENDING")

    assert not [sentence for sentence in workload.report if sentence.startswith("Outcomes")]


def test_a_chosen_column_that_holds_no_such_value_is_refused_with_the_first():
    with pytest.raises(InvalidWorkload, match=r"column 'owner' was to be the processors, .* the first value is 'ann'"):
        read_text("submit,owner,runtime", "0,ann,60", "1,ben,60", case="size=owner")
