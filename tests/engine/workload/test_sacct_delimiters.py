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
