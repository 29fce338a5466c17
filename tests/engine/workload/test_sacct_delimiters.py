"""Text of sacct with other delimiters than bars, in quotes, below comments; and what is a table instead."""

from __future__ import annotations

import io

import pytest

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.reading import columns
from tests.engine.workload.logs import read_text
from tests.engine.workload.test_sacct import HEADER, LINE


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("quote", ["", '"'])
@pytest.mark.parametrize("comment", [[], ["# sacct -aP", ""]])
def test_the_rules_of_sacct_hold_for_any_delimiter_below_comments_and_in_quotes(delimiter, quote, comment):
    header = "JobID|User|State|Submit|Start|End|ElapsedRaw|TimelimitRaw|NCPUS"
    first = "7|ann|CANCELLED by 1001|2026-03-01T00:00:00|2026-03-01T00:01:00|2026-03-01T00:03:00|120|5|4"

    def written(line):
        return delimiter.join(f"{quote}{cell}{quote}" for cell in line.split("|"))

    workload = read_text(*comment, written(header), written(first), written("7.batch" + first[1:]))

    assert workload.jobs["requested"].tolist() == [300.0]
    assert workload.texts["outcome"] == ("CANCELLED",)
    assert workload.report[:2] == ("1 job of sacct, 1 kept.", "1 job step was left out.")


def test_a_text_with_commas_may_quote_only_the_values_that_hold_one():
    header, line = (text.replace("|", ",") for text in (HEADER, LINE))
    workload = read_text(
        header + ",AllocTRES", line + ',"billing=4,cpu=4,gres/gpu=2"', line.replace("7", "8", 1) + ",cpu=4"
    )

    assert workload.jobs["job_id"].tolist() == [7, 8]
    assert workload.jobs["gpus"].tolist() == [2.0, 0.0]


def test_columns_may_be_chosen_from_a_text_with_commas_as_from_any_table():
    text = [line.replace("|", ",") for line in (HEADER, LINE)]

    assert read_text(*text, case="user=").report[0] == "1 job of the table, 1 kept."
    assert read_text(*text).report[0] == "1 job of sacct, 1 kept."
    with pytest.raises(InvalidWorkload, match="only tables have columns to choose"):
        read_text(HEADER, LINE, case="user=")
    raw = "\n".join(text).encode()
    assert columns(io.BytesIO(raw), "jobs.csv", "user=")["fields"]["size"]["column"] == "NCPUS"
    assert columns(io.BytesIO(raw), "jobs.csv") is None


def test_a_table_whose_times_are_not_those_of_sacct_is_read_as_a_table():
    text = [line.replace("|", ",").replace("2026-03-01T", "01.03.2026 ") for line in (HEADER, LINE)]

    assert read_text(*text).report[0] == "1 job of the table, 1 kept."


def test_headers_of_joined_files_in_quotes_are_left_out_also_after_a_byte_order_mark():
    header, line = ('"' + text.replace("|", '","') + '"' for text in (HEADER, LINE))

    report = read_text(header, line, header, line, "\ufeff" + header, line).report
    assert report[:2] == ("3 jobs of sacct, 3 kept.", "2 repeated headers were left out.")


RAW = "AllocTRES,JobIDRaw,Submit,Start,End,ElapsedRaw,TimelimitRaw,AllocCPUS"
GPUS = '"billing=4,cpu=4,gres/gpu=2",'


@pytest.mark.parametrize(
    "submit",
    ["2025-01-01T10:00:00", "2025-01-01 10:00:00", "2025-01-01T10:00:00.000", "2025-01-01T11:00:00+0100", "1735725600"],
)
def test_a_text_of_sacct_is_one_however_a_program_wrote_its_instants_and_quotes(submit):
    rest = f"{submit},2025-01-01T10:00:10,2025-01-01T10:10:10,600,60,4"
    workload = read_text(RAW, "rubbish,1", f"{GPUS}12,{rest}", f"{GPUS}12.batch,{rest}")

    row = {name: column[0] for name, column in workload.jobs.items()}
    assert len(workload) == 1 and (row["requested"], row["gpus"], row["recorded_start"]) == (3600.0, 2.0, 10.0)
    assert "1 job step was left out." in workload.report


def test_numbers_that_a_program_wrote_again_are_whole():
    lines = [
        f"{GPUS}{n}.0,2025-01-01T10:00:00,2025-01-01T10:00:10,2025-01-01T10:10:10,600.0,60.0,8.0" for n in (12, 13)
    ]
    workload = read_text(RAW, *lines)

    assert workload.jobs["job_id"].tolist() == [12, 13]
    assert [workload.jobs[name].tolist() for name in ("processors", "requested", "runtime")] == [
        [8, 8], [3600.0, 3600.0], [600.0, 600.0]]  # fmt: skip


def test_a_header_with_other_columns_between_the_lines_is_refused():
    other = HEADER.replace("Submit|Start", "Start|Submit")
    with pytest.raises(InvalidWorkload, match="has 'Start' where the first one has 'submit'"):
        read_text(HEADER, LINE, other, LINE)


def test_a_user_without_a_name_is_known_by_the_number():
    header, line = HEADER + "|UID", LINE.replace("|ann|", "||")
    workload = read_text(
        header, LINE + "|1001", line + "|1002", line + "|1003", line.replace("||", "|ann|", 1) + "|1001"
    )

    assert workload.texts["user"] == ("ann", "1002", "1003")


def test_a_table_with_bars_may_have_a_column_of_that_name():
    workload = read_text("submitted|JobID|runtime|procs", "1737258841|1|60|4")

    assert workload.jobs["runtime"].tolist() == [60.0]


def test_a_table_with_numbers_of_slurm_has_no_steps_and_its_limits_are_minutes():
    """As where columns are chosen from a text with commas."""
    rest = "2025-01-01T10:00:00,2025-01-01T10:00:10,2025-01-01T10:10:10,600,60,4"
    lines = [f"{GPUS}{name},{rest}" for name in ("12", "12.batch", "13", "13")]
    workload = read_text(RAW, *lines, case="size=AllocCPUS")

    assert workload.jobs["job_id"].tolist() == [12, 13] and workload.jobs["requested"].tolist() == [3600.0] * 2
    assert "1 job step was left out." in workload.report
