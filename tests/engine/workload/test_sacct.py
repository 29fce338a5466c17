"""What `sacct -P` prints: two records of a real Slurm 22.05.8, archive logs rewritten as such text, and odd values.

`slurm/plain.psv.gz` and `slurm/sacct_*` are its output (`-o ALL`, `-D`, eight columns, without `-P`);
`slurm/asked.json` and `slurm/log.json` say what was submitted.
"""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from shadowtime.engine import simulate
from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.registry import algorithms
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.reading import read
from shadowtime.engine.workload.slurm.values import duration, gpus, instant
from tests.engine.workload.logs import check_refusal, read_file, read_text
from tests.whole import whole_or

FOLDER = Path(__file__).parent / "slurm"
HEADER = "JobID|User|State|Submit|Start|End|Elapsed|Timelimit|NCPUS"
LINE = "7|ann|COMPLETED|2026-03-01T00:00:00|2026-03-01T00:01:00|2026-03-01T00:03:00|00:02:00|00:05:00|4"


def test_every_job_of_the_plain_record_is_the_one_that_was_submitted():
    workload = read_file("slurm/plain.psv.gz")
    asked = {int(job["job"]): job for job in json.loads((FOLDER / "asked.json").read_text())}
    jobs = workload.jobs

    assert sorted(jobs["job_id"].tolist()) == sorted(asked)
    users: dict[int, str] = {}
    for row, number in enumerate(jobs["job_id"].tolist()):
        job = asked[number]
        assert jobs["processors"][row] == job["tasks"]
        assert jobs["requested"][row] == 60.0 * job["limit_min"]
        assert -1.0 <= jobs["runtime"][row] - min(job["run"], 60.0 * job["limit_min"]) <= 32.0
        assert abs(workload.clock.unix_start + jobs["release"][row] - job["sent"]) <= 2.0
        assert users.setdefault(int(jobs["user"][row]), job["user"]) == job["user"]
    assert len(users) == len({job["user"] for job in asked.values()})
    assert workload.report[0] == "230 jobs of sacct, 230 kept."
    assert workload.report[1] == "230 job steps were left out."
    assert workload.report[-1] == "At most 128 processors were in use at one time."


def test_the_mixed_record_counts_what_it_leaves_out():
    whole, short, again = (read_file(f"slurm/sacct_{name}.psv") for name in ("all", "short", "duplicates"))

    assert short.report == (
        "57 jobs of sacct, 54 kept.",
        "7 array tasks were read as jobs of their own.",
        "2 parts of heterogeneous jobs were read as jobs of their own.",
        "1 limit UNLIMITED: no requested time.",
        "3 jobs that never started were left out.",
        "5 jobs with a number that another has already: tasks of arrays, or requeued jobs.",
        "1 job ran longer than the limit.",
        "Outcomes: 50 COMPLETED, 1 FAILED, 1 TIMEOUT, 1 CANCELLED, 1 NODE_FAIL.",
        "At most 99 processors were in use at one time.",
    )
    assert whole.report[1] == "56 job steps were left out."
    for name in ("release", "processors", "requested"):
        assert whole.jobs[name].tolist() == short.jobs[name].tolist()
    # Job 439 was suspended for 12 s: eight columns without Elapsed know only its start and end.
    of = [workload.jobs["runtime"][workload.jobs["job_id"] == 439].tolist() for workload in (whole, short)]
    assert of == [[18.0], [30.0]]
    assert len(again) == len(whole) + 2
    requeued = again.jobs["job_id"] == 438
    assert again.jobs["runtime"][requeued].tolist() == [4.0, 40.0]
    assert {400, 401} <= set(short.jobs["job_id"].tolist())
    assert int((short.jobs["job_id"] == 383).sum()) == 6
    assert len(set(whole.jobs["job_id"].tolist())) == 54  # JobIDRaw has a number for each task of an array


def test_sizes_of_the_mixed_record_are_those_of_its_log():
    workload = read_file("slurm/sacct_all.psv")
    sizes = dict(zip(workload.jobs["job_id"].tolist(), workload.jobs["processors"].tolist(), strict=True))
    compared = 0
    for _, _, options, _, number in json.loads((FOLDER / "log.json").read_text()):
        is_plain = isinstance(options, list) and options[0] == "-n" and len(options) == 4 and str(number).isdigit()
        if is_plain and int(number) in sizes:
            assert sizes[int(number)] == int(options[1]), number
            compared += 1
    assert compared > 30


def test_a_table_without_bars_is_refused_with_the_command_that_helps():
    with pytest.raises(InvalidWorkload, match=r"whose columns are cut; use sacct -P"):
        read_file("slurm/sacct_table.txt")


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("00:01:00", 60.0), ("1-02:04:00", 93_840.0), ("5-03:04:05.678", 443_045.678), ("12:30", 750.0),
        ("30", 1800.0), ("2-12", 216_000.0), ("UNLIMITED", None), ("Partition_Limit", None), ("", None), ("-1", None),
    ],
)  # fmt: skip
def test_durations(text, seconds):
    assert duration(text) == seconds if seconds is not None else np.isnan(duration(text))


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("1970-01-02T00:00:00", 86_400.0), ("1970-01-01T01:00:00+01:00", 0.0), ("1970-01-01T00:00:01Z", 1.0),
        ("1700000000", 1_700_000_000.0), ("Unknown", None), ("None", None), ("", None), ("2026-13-01T00:00:00", None),
    ],
)  # fmt: skip
def test_instants(text, seconds):
    assert instant(text) == seconds if seconds is not None else np.isnan(instant(text))


def test_columns_in_any_order_and_case_with_a_bar_at_the_end():
    names, values = HEADER.split("|"), LINE.split("|")
    order = np.random.default_rng(0).permutation(len(names))
    header, line = ("|".join([part[i] for i in order] + [""]) for part in (names, values))
    one, other = read_text(HEADER, LINE), read_text(header.lower() if header[0] != "J" else header, line)

    for name, column in one.jobs.items():
        assert other.jobs[name].tolist() == column.tolist()


def test_values_of_one_job():
    jobs = read_text(HEADER, LINE, "7.batch" + LINE[1:]).jobs
    row = {name: column[0] for name, column in jobs.items()}

    assert (row["job_id"], row["release"], row["runtime"], row["processors"], row["requested"], row["user"]) == (
        7, 0.0, 120.0, 4, 300.0, 0,
    )  # fmt: skip


def test_numbers_of_users_are_read_where_there_are_no_names():
    header = "JobIDRaw|Submit|Start|End|NCPUS|UID"
    line = "|2026-03-01T00:00:00|2026-03-01T00:01:00|2026-03-01T00:03:00|4|"
    jobs = read_text(header, "7" + line + "1001", "8" + line + "1002", "9" + line + "1001", "10" + line).jobs

    assert (jobs["job_id"].tolist(), jobs["user"].tolist()) == ([7, 8, 9, 10], [0, 1, 0, -1])


def test_zones_and_epochs_of_one_instant_are_one():
    first = LINE.replace("2026-03-01T00:00:00", "2026-03-01T01:00:00+01:00")
    second = LINE.replace("2026-03-01T00:00:00", str(int(datetime(2026, 3, 1, tzinfo=UTC).timestamp())))

    assert {read_text(HEADER, line).clock.unix_start for line in (LINE, first, second)} == {1_772_323_200.0}


def test_a_line_with_a_bar_in_a_name_is_counted():
    workload = read_text(HEADER, LINE, "8|a|b|COMPLETED" + LINE[8:], LINE.replace("7", "9", 1))

    assert len(workload) == 2
    assert "1 line with another number of columns (the first begins '8|a|b|COMPLETED" in workload.report[1]


def test_a_line_that_is_no_record_and_no_utf_8_is_counted():
    workload = read_text(HEADER, LINE, b"8|jos\xe9|lost")

    assert workload.report[1] == "1 line with another number of columns (the first begins '8|josé|lost') was left out."


def test_bytes_that_are_no_utf_8_are_a_value_that_is_unknown():
    text = b"\n".join([HEADER.encode() + b"|ReqMem", LINE.encode() + b"|\x9d2G", LINE.encode() + b"|4G"])
    memory = read(io.BytesIO(text), "dump.txt").jobs["memory_kb"]

    assert np.isnan(memory[0]) and memory[1] == 1_048_576.0


@pytest.mark.parametrize(
    ("lines", "header", "what"),
    [
        ([LINE], HEADER.replace("|Start|", "|Begin|"), "has no column Start; use `sacct -P -o JobID,"),
        ([LINE], HEADER.replace("NCPUS", "Nodes"), "has no column AllocCPUS, NCPUS or ReqCPUS"),
        ([], HEADER, "it holds no job"),
        ([LINE.replace("2026-03-01T00:01:00", "Unknown")], HEADER, "it has 1 job, none that ran and ended"),
        ([LINE[:-1] + "9" * 12], HEADER, "job 7: size is 999999999999; the limit here is 2,147,483,647"),
    ],
)
def test_refusals(lines, header, what):
    check_refusal(what, header, *lines)


def test_limits_name_the_line():
    text = "\n".join([HEADER, LINE, LINE + "x" * 300, LINE]).encode()
    with pytest.raises(InvalidWorkload, match="line 3 has more than 200 characters"):
        read(io.BytesIO(text), "dump", limits=Limits(line=200))


def as_sacct(workload, seed):
    """Return a workload as text of sacct that ran as FCFS would: columns shuffled, lines unsorted, with steps.

    It begins at the second of the day at which the log does: Slurm plans in multiples of 60 s of the clock.
    """
    rng = np.random.default_rng(seed)
    jobs = workload.jobs
    zero = datetime(2001, 1, 1) + timedelta(seconds=(workload.clock.unix_start + float(jobs["release"][0])) % 86_400)
    lines = []
    for row in range(len(workload)):
        submit = zero + timedelta(seconds=float(jobs["release"][row] - jobs["release"][0]))
        end = submit + timedelta(seconds=float(jobs["runtime"][row]))
        wait = jobs["requested"][row]
        limit = (
            "UNLIMITED"
            if np.isnan(wait)
            else f"{int(wait) // 3600:02d}:{int(wait) // 60 % 60:02d}:{int(wait) % 60:02d}"
        )
        values = [str(jobs["job_id"][row]), f"user{jobs['user'][row]}", "COMPLETED", submit.isoformat(),
                  submit.isoformat(), end.isoformat(), limit, str(jobs["processors"][row])]  # fmt: skip
        lines.append(values)
    names = ["JobID", "User", "State", "Submit", "Start", "End", "Timelimit", "NCPUS"]
    order = rng.permutation(len(names))
    lines += [[f"{values[0]}.batch", *values[1:]] for values in lines[:50]]
    text = ["|".join(values[i] for i in order) for values in lines]
    rng.shuffle(text)
    return "\n".join(["|".join(names[i] for i in order), *text]).encode()


LOGS = ("KTH-SP2-1996-2.1-cln", "CTC-SP2-1996-3.1-cln", "HPC2N-2002-2.2-cln", "SDSC-BLUE-2000-4.2-cln")


@pytest.mark.parametrize("log", LOGS)
def test_a_log_of_the_archive_comes_back(traces, log):
    with (traces / f"{log}.swf.gz").open("rb") as stream:
        given = read(stream, log)
    found = read(io.BytesIO(as_sacct(given, 3)), "dump.txt")
    by_number = [np.argsort(workload.jobs["job_id"], kind="stable") for workload in (given, found)]

    for name in ("job_id", "runtime", "processors", "requested"):
        one, other = (w.jobs[name][rows] for w, rows in zip((given, found), by_number, strict=True))
        np.testing.assert_array_equal(one, other)
    release = [
        w.jobs["release"][rows] - w.jobs["release"][0] for w, rows in zip((given, found), by_number, strict=True)
    ]
    np.testing.assert_array_equal(*release)
    users = np.unique(np.stack([w.jobs["user"][r] for w, r in zip((given, found), by_number, strict=True)]), axis=1)
    assert users.shape[1] == len(np.unique(given.jobs["user"]))


EVERY = [slug for slug, entry in algorithms().items() if entry.family == "rigid" and slug not in ("batch", "recorded")]
FEW = ["fcfs", "easy", "conservative", "easy-sjbf", "easy++", "wfp3", "f1"]


@pytest.mark.parametrize("algorithm", whole_or(EVERY, FEW))
def test_policies_start_jobs_as_from_the_log(traces, algorithm):
    with (traces / f"{LOGS[0]}.swf.gz").open("rb") as stream:
        given = read(stream, LOGS[0])
    found = read(io.BytesIO(as_sacct(given, 5)), "dump.txt")
    order = np.argsort(found.jobs["job_id"], kind="stable")
    assert (np.diff(given.jobs["job_id"]) > 0).all()
    tied = (np.diff(found.jobs["release"]) == 0).sum()
    again = found.with_(jobs={name: column[order] for name, column in found.jobs.items()})  # ties as in the log
    starts = [
        simulate(w, algorithm, platform={"processors": 100}).jobs["start"] - w.jobs["release"][0]
        for w in (given, again)
    ]

    assert tied > 0
    np.testing.assert_array_equal(*starts)


def test_what_was_recorded_is_kept_beside_the_jobs():
    workload = read_file("slurm/plain.psv.gz")
    jobs, texts = workload.jobs, workload.texts
    asked = {int(job["job"]): job for job in json.loads((FOLDER / "asked.json").read_text())}

    for row, number in enumerate(jobs["job_id"].tolist()):
        for name in ("user", "account", "partition"):
            assert texts[name][jobs[name][row]] == asked[number][name]
    assert set(texts["outcome"]) == {"COMPLETED", "TIMEOUT"}
    assert "n[001-008]" in texts["nodes"]
    waits = jobs["recorded_start"] - jobs["release"]
    assert waits.min() >= 0 and round(float(waits.mean()), 1) == 250.8
    assert (jobs["recorded_end"] - jobs["recorded_start"] >= jobs["runtime"]).all()


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("cpu=8,gres/gpu=4,gres/gpu:a100=4,node=1", 4.0), ("cpu=1,gres/gpu:a100=2,gres/gpu:v100=1", 3.0),
        ("cpu=1,gres/gpu:a100=4", 4.0), ("billing=4,cpu=4", None), ("", None),
    ],
)  # fmt: skip
def test_gpus(text, number):
    (found,) = gpus(pa.array([text]))
    assert found == number if number is not None else np.isnan(found)


def test_what_has_a_rule_of_its_own_is_counted():
    header = "JobID|User|State|Submit|Start|End|Timelimit|NCPUS|ReqMem|AllocTRES"
    times = "2026-03-01T00:00:00{0}|2026-03-01T00:01:00{0}|2026-03-01T00:03:00{0}"
    lines = [
        f"7_{task}|ann|{state}|{times.format(zone)}|{limit}|4|{memory}|{tres}"
        for task, (state, zone, limit, memory, tres) in enumerate([
            ("CANCELLED by 1001", "+01:00", "UNLIMITED", "2Gc", "cpu=4,gres/gpu:a100=4"),
            ("COMPLETED", "", "5-03:04:05.678", "16G", "cpu=4"), ("NODE_FAIL", "Z", "00:10:00", "4Gn", "")])
    ]  # fmt: skip
    workload = read_text(header, *lines)

    for sentence in (
        "3 array tasks were read as jobs of their own.",
        "1 limit UNLIMITED: no requested time.",
        "2 memories for a node or processor: unknown for the job.",
        "2 submissions with a time zone: converted to UTC.",
        "Outcomes: 1 CANCELLED, 1 COMPLETED, 1 NODE_FAIL.",
        "1 job held GPUs, which no policy looks at.",
    ):
        assert sentence in workload.report
    assert workload.jobs["gpus"].sum() == 4.0
    assert np.nanmax(workload.jobs["requested"]) == 443_045.678


def test_times_that_are_none_and_headers_in_between_are_counted():
    odd = [LINE.replace("2026-03-01T00:01:00", text) for text in ("12:30:45", "27 Dec", "\u00b2", "9" * 40, "Unknown")]
    workload = read_text(HEADER, LINE, LINE.replace("T00:00:00|", "T00:00:00 |"), HEADER, *odd)

    assert "7 jobs of sacct, 2 kept." in workload.report
    assert "4 values of Start were no instants (the first is '12:30:45'): read as unknown." in workload.report
    assert "1 repeated header was left out." in workload.report
    assert "2 repeated headers were left out." in read_text(HEADER, LINE, "\ufeff" + HEADER, HEADER, LINE).report
    assert not [sentence for sentence in workload.report if "time zone" in sentence]


def test_lines_of_dumps_that_overlap_count_once():
    """With JobIDRaw, whose number is that of one job; the tasks of an array share their JobID."""
    later = LINE.replace("T00:00:00|", "T00:00:30|").replace("7|", "8|")
    requeued = LINE.replace("00:01:00", "00:10:00").replace("00:03:00", "00:12:00")
    first, second = [LINE, requeued, later], [requeued, later, later.replace("8|", "9|")]
    raw = HEADER.replace("JobID", "JobIDRaw")

    once = read_text(raw, *first, *second[2:])
    both = read_text(raw, *first, raw, *second)

    assert len(once) == 4 and all(np.array_equal(both.jobs[name], once.jobs[name], True) for name in once.jobs)
    assert "2 lines of a job that another line has already, as where dumps overlap, were left out." in both.report
    assert not any("overlap" in sentence for sentence in once.report)
    assert len(read_text(HEADER, *first, *second)) == 6


def test_local_times_around_a_change_of_the_clock_are_counted():
    header = "JobID|Submit|Start|End|ElapsedRaw|NCPUS"
    day = "2025-10-26T"
    workload = read_text(
        header,
        f"1|{day}02:40:00|{day}02:50:00|{day}02:10:00|1200|4",
        f"2|{day}02:20:00|{day}02:21:00|{day}03:00:00|5940|4",
        f"3|{day}02:20:00|{day}02:21:00|{day}02:22:00|60|4",
    )
    schedule = simulate(workload, "recorded", platform={"processors": 16})

    assert [sentence.split(",")[0] for sentence in workload.report if "change of the clock" in sentence] == [
        "1 job ended before the start", "1 job ran longer than from start to end",
    ]  # fmt: skip
    assert "1 job whose recorded end is not after its start and submission: rejected." in schedule.notes


def test_large_numbers_with_a_unit_are_read_and_impossible_instants_refused():
    jobs = read_text(HEADER + "|ReqNodes|ReqMem", LINE[:-1] + "4K|1K|Unknown")

    assert jobs.jobs["processors"].tolist() == [4096]
    assert jobs.jobs["min_nodes"].tolist() == [1024]
    assert not [sentence for sentence in jobs.report if "memory" in sentence]
    late = LINE.replace("2026-03-01T00:01:00", "9" * 15)
    check_refusal("job 7: start is 999999999999999; the limit here is 1,000,000,000,000", HEADER, late)


def test_names_in_latin_1_stay_different():
    lines = [LINE.encode("latin-1").replace(b"ann", name.encode("latin-1")) for name in ("müller", "möller")]

    assert read_text(HEADER, *lines).texts["user"] == ("müller", "möller")
