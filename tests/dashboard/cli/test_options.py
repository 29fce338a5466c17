"""What may be typed: a mistake is one line that names the command and, where it can, what was meant."""

from __future__ import annotations

import json

import pytest

import shadowtime as st
from shadowtime.workers.store import open_store


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["simulate", "four", "-a", "easy", "--procesors", "3"],
         "simulate: unrecognized arguments: --procesors 3; did you mean --processors?; see shadowtime simulate --help"),
        (["simulate", "four", "-a", "easy", "more"], "simulate: unrecognized arguments: more; see"),
        (["report", "0123456789abcdef", "--from", "nan", "-o", "x.html"], "'nan', but it must be a number of seconds"),
        (["export", "0123456789abcdef", "--to", "inf", "-o", "-"], "'inf', but it must be a number of seconds"),
        (["export", "0123456789abcdef", "--format", "jobs-csv", "--table", "events", "-o", "-"],
         "export: the format jobs-csv names its table; --table is for csv and parquet"),
        (["fidelity", "four", "-a", "eazy"], "or fitted, the quick model that is fitted"),
    ],
)  # fmt: skip
def test_mistakes(shadowtime, arguments, said):
    answer = shadowtime(*arguments)

    assert answer.code == 2 and said in answer.err and len(answer.err.splitlines()) == 1


def test_a_store_without_links_says_so(shadowtime, tmp_path):
    open_store(tmp_path)
    answer = shadowtime("links", "list", "--store", tmp_path)

    assert (answer.code, answer.out, answer.err) == (0, "", "no links\n")


def test_a_machine_that_is_stated_in_nodes_takes_no_processors(shadowtime, tmp_path):
    answer = shadowtime("convert", "fractional:jobs=5", "--processors", "4", "-o", tmp_path / "w.json")

    assert answer.code == 2 and "is stated in nodes, not in processors" in answer.err


def test_a_column_whose_name_has_the_mark_of_a_case(shadowtime, tmp_path):
    """What `export --format command` prints names such a table as well."""
    table = tmp_path / "n.csv"
    table.write_text("Job #,Submitted at,Duration,# cores\n1,0,60,4\n2,5,60,2\n")
    reference = f"{table}#id=Job #,submit=Submitted at,runtime=Duration,size=# cores"
    answer = shadowtime("simulate", reference, "-a", "easy", "--processors", 8, "--json")
    sweep = tmp_path / "sweep.toml"
    sweep.write_text(f'workloads = ["{reference}"]\nalgorithms = ["easy"]\nprocessors = 8\n', encoding="utf-8-sig")
    swept = shadowtime("sweep", sweep, "--json")

    assert (answer.code, json.loads(answer.out)["jobs"]) == (0, 2), answer.err
    assert (swept.code, json.loads(swept.out)["finished"]) == (0, 1), swept.err
    assert len(st.read(reference)) == 2
