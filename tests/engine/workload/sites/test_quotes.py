"""Lines of tables with a quotation mark that is not closed: each is left out and counted, and takes no other line."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine.workload.sites.quotes import ClosedLines
from shadowtime.engine.workload.sites.stream import OddLines
from tests.engine.workload import test_google_2019 as google
from tests.engine.workload import test_gpu_clusters as clusters
from tests.engine.workload.logs import read_text
from tests.engine.workload.test_sacct import HEADER, LINE

OPEN = "with a quotation mark that is not closed"
TABLE = ["# processors: 8", "id,submit,runtime,cores,user"]


def is_open(line: str) -> bool:
    """Return whether a line with semicolons ends within quotation marks."""
    at = 0
    while at <= len(line):
        if line[at : at + 1] == '"':
            at += 1
            while (at := line.find('"', at)) >= 0 and line[at : at + 2] == '""':
                at += 2
            if at < 0:
                return True
        at = (line + ";").index(";", at) + 1
    return False


def closed(text: str, delimiter: str, size: int) -> tuple[str, OddLines]:
    odd = OddLines()
    lines = ClosedLines(io.BufferedReader(io.BytesIO(text.encode())), delimiter, odd, 1)
    return "".join(bytes(part).decode() for part in iter(lambda: lines.read(size), b"")), odd


@pytest.mark.parametrize(
    ("line", "left_out"),
    [
        ('1,"abc', True), ('"abc,2', True), ('1,"a ""b""', True), ('5" disk,"abc', True), ('"a","b,"', False),
        ('1,5" disk', False), ('1,"a ""b"""', False), ('"",""', False), ('1,"ab,"cd', False), ('1, "a', False),
        ('"a"b"c,2', False), ('1,"a"\r', False), ('1,"a\r', True), ('1,"""', True), ("1,a", False),
    ],
)  # fmt: skip
def test_a_value_is_opened_only_where_it_begins(line, left_out):
    found, odd = closed(f"{line}\n2,x\n", ",", 1000)

    assert found == ("2,x\n" if left_out else f"{line}\n2,x\n")
    assert (odd.count, odd.number) == (left_out, int(left_out))


@given(
    st.lists(st.lists(st.sampled_from(['"', ";", ";", "a", '";', ';"']), max_size=9).map("".join), min_size=1),
    st.integers(1, 40),
)
def test_exactly_the_open_lines_are_left_out_of_blocks_of_any_size(lines, size):
    found, odd = closed("\n".join(lines), ";", size)
    kept = [line for line in lines if not is_open(line)]

    assert found.rstrip("\n") == "\n".join(kept).rstrip("\n")
    assert odd.count == len(lines) - len(kept)
    assert odd.number == next((at for at, line in enumerate(lines, 1) if is_open(line)), 0)


def test_a_table_keeps_the_lines_between_two_open_ones():
    workload = read_text(*TABLE, '1,0,10,1,"abc', "2,5,10,1,eve", '3,6,10,1,"abc', '4,7,10,1,5" disk')

    assert workload.jobs["job_id"].tolist() == [2, 4]
    assert workload.texts["user"] == ("eve", '5" disk')
    assert workload.report[0] == "2 jobs of the table, 2 kept."
    assert workload.report[2] == f"2 lines {OPEN} (line 3 begins '1,0,10,1,\"abc') were left out."


def test_one_open_line_of_many_takes_none_of_the_others():
    lines = [f"{n},{n},10,1,user{n % 7}" for n in range(200_000)]
    lines[4] = '4,4,10,1,"eve'
    workload = read_text(*TABLE, *lines)

    assert len(workload) == 199_999
    assert f"1 line {OPEN} (line 7 begins '4,4,10,1,\"eve') was left out." in workload.report


def test_sacct_with_commas():
    header, line = (text.replace("|", ",") for text in ("# sacct\n" + HEADER, LINE))
    workload = read_text(header, line, line.replace("ann", '"ann'), line.replace("7", "8", 1), line + '"')

    assert workload.jobs["job_id"].tolist() == [7, 8]
    assert workload.report[1].startswith(f"1 line {OPEN} (line 4 begins '7,\"ann,COMPLETED,")


def test_sacct_with_bars_has_no_quotes():
    assert read_text(HEADER, LINE.replace("ann", '"ann'), LINE).texts["user"] == ('"ann', "ann")


@pytest.mark.parametrize(
    "lines", [clusters.HELIOS.splitlines(), [clusters.PAI_HEADER, *[clusters.PAI] * 3], [clusters.PAI] * 4]
)
def test_published_tables(lines):
    lines[1] = lines[1].replace(",uXBbc", ',"uXBbc').replace(",tensorflow", ',"tensorflow')
    workload = read_text(*lines)

    assert len(workload) == len(lines) - 1 - lines[0].startswith("job_")
    assert any(f"1 line {OPEN} (line 2 begins" in line for line in workload.report)


def test_events_of_google():
    text = google.as_csv(google.PLAIN).decode().replace("time,", "user,time,", 1).splitlines()
    workload = read_text(text[0], '"ann,1,2', *[f"ann,{line}" for line in text[1:]], '"eve,3')

    assert len(workload) == 1
    assert any(line.startswith(f"2 lines {OPEN} (line 2 begins '\"ann,1,2')") for line in workload.report)
