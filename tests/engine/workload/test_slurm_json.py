"""What `sacct --json` and `squeue --json` print: the two records of a real Slurm 22.05.8, beside what sacct -P says.

`slurm/sacct_21_08.json`: records of the cluster cedar (Slurm 21.08.8), a test file of mila-iqia/clockwork;
`sacct_24_05.json`: the sample of Slurm 24.05.4 in a Chinese manual of the REST API; `squeue_23_11.json`: a job of Slurm
23.11.1 from the tests of DiamondLightSource's zocalo. Fields that no reader reads are left out of these three.
"""

from __future__ import annotations

import gzip
import io
import json
from pathlib import Path

import numpy as np
import pytest

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.reading import cases
from tests.engine.workload.logs import check_refusal, read_file, read_text

FOLDER = Path(__file__).parent / "slurm"


def document(name):
    return json.loads(gzip.decompress((FOLDER / name).read_bytes()))


def by_number(workload, *, names=("release", "runtime", "processors", "requested", "memory_kb")):
    """Return the rows of a workload by number and submission, with the texts of the codes, and absolute instants.

    Dependencies are left out: they stand in the command line of the submission, which 22.05 does not print as JSON.
    """
    jobs, found = workload.jobs, {}
    for row, number in enumerate(jobs["job_id"].tolist()):
        values = [jobs[name][row] for name in names]
        values += [
            jobs[name][row] + workload.clock.unix_start
            for name in ("release", "recorded_start", "recorded_end", "eligible")
        ]
        texts = [workload.texts[name][jobs[name][row]] for name in workload.texts if name != "dependency"]
        found[number, float(jobs["release"][row])] = ([float(value) for value in values], texts)
    return found


def equal(one, other):
    assert [name for name in one.texts if name != "dependency"] == [
        name for name in other.texts if name != "dependency"
    ]
    found, expected = by_number(one), by_number(other)
    assert found.keys() == expected.keys()
    for key, (values, texts) in expected.items():
        np.testing.assert_array_equal(found[key][0], values, err_msg=str(key))
        assert found[key][1] == texts, key


def test_plain_jobs_are_those_of_the_text():
    found, text = read_file("slurm/plain.json.gz"), read_file("slurm/plain.psv.gz")

    equal(found, text)
    assert found.report == (
        "230 jobs of sacct --json, 230 kept.",
        "3 jobs ran longer than the limit.",
        "Outcomes: 227 COMPLETED, 3 TIMEOUT.",
        "At most 128 processors were in use at one time.",
    )


def test_mixed_jobs_are_those_of_the_text_with_requeued_ones():
    """`sacct --json` has the two attempts that `sacct -P` shows with -D only; all other jobs are equal."""
    found, text = read_file("slurm/mixed.json.gz"), read_file("slurm/sacct_duplicates.psv")

    equal(found, text)
    assert len(found) == 56
    assert "3 jobs that never started were left out." in found.report
    assert found.jobs["runtime"][found.jobs["job_id"] == 439].tolist() == [18.0]  # 12 s of 30 s were a suspension
    whole = by_number(read_file("slurm/sacct_all.psv"))
    assert {key: by_number(found)[key] for key in whole} == whole


def newer(value, name=""):
    """Return a record of 22.05 in the form that data_parser writes since 23.02."""
    if name in ("current", "job_state"):
        return [value]
    if name in ("limit", "time_limit", "cpus", "submit_time", "start_time", "end_time", "suspend_time", "pre_sus_time"):
        return {"set": value is not None, "infinite": value is None, "number": value or 0}
    if isinstance(value, dict):
        return {key: newer(one, key) for key, one in value.items()}
    return [newer(one) for one in value] if isinstance(value, list) else value


@pytest.mark.parametrize("name", ["plain.json.gz", "mixed.json.gz", "plain_squeue.json.gz", "mixed_squeue.json.gz"])
def test_newer_forms_are_read_alike(name):
    given = document(name)
    given["jobs"] = [newer({**job, "steps": []}) for job in given["jobs"]]
    equal(read_text(given), read_file(f"slurm/{name}"))


@pytest.mark.parametrize(("name", "text"), [("plain_squeue.json.gz", "plain.psv.gz"),
                                           ("mixed_squeue.json.gz", "sacct_all.psv")])  # fmt: skip
def test_ended_jobs_of_squeue_are_those_of_sacct(name, text):
    found, expected = (by_number(workload, names=("runtime", "processors", "requested", "memory_kb"))
                       for workload in (read_file(f"slurm/{name}"), read_file(f"slurm/{text}")))  # fmt: skip
    instants = {(number, values[-3]): (values, texts) for (number, _), (values, texts) in expected.items()}
    compared = 0
    for (number, _), (values, texts) in found.items():
        if (number, values[-3]) in instants:
            assert (values, texts) == instants[number, values[-3]]
            compared += 1
    assert compared == {"plain.psv.gz": 230, "sacct_all.psv": 51}[text]


def test_squeue_counts_what_waits_and_runs():
    assert read_file("slurm/mixed_squeue.json.gz").report == (
        "439 jobs of squeue --json, 432 kept.",
        "5 jobs that never started were left out.",
        "1 job that had not ended was left out.",
        "1 job without processors, runtime or submission was left out.",
        "5 jobs ran longer than the limit.",
        "Outcomes: 424 COMPLETED, 5 TIMEOUT, 1 FAILED, 1 CANCELLED, 1 NODE_FAIL.",
        "At most 128 processors were in use at one time.",
    )
    given = document("mixed_squeue.json.gz")
    given["jobs"] = [job for job in given["jobs"] if job["job_state"] in ("PENDING", "RUNNING")]
    with pytest.raises(InvalidWorkload, match="6 jobs of squeue, none that ended: use `sacct --json` for jobs of"):
        read_text(given)
    with pytest.raises(InvalidWorkload, match="1 job of squeue, none that ended"):
        read_file("slurm/squeue_23_11.json")


def test_a_suspension_does_not_count_in_squeue():
    given = document("mixed_squeue.json.gz")
    (job,) = (job for job in given["jobs"] if job["job_id"] == 439)
    job |= {"job_state": "COMPLETED", "end_time": 1795351444}  # as sacct has it: ran 5 s, waited 12 s, ran 13 s
    workload = read_text(given)
    assert workload.jobs["runtime"][workload.jobs["job_id"] == 439].tolist() == [18.0]


def test_records_of_other_versions():
    old = read_file("slurm/sacct_21_08.json")
    assert old.jobs["job_id"].tolist() == [63694682, 63768795]
    assert old.jobs["runtime"].tolist() == [86307.0, 20615.0]
    ran = old.jobs["recorded_end"] - old.jobs["recorded_start"]
    assert ran.tolist() == [86307.0, 20615.0], "this version prints the eligible time as the start"
    assert any(line.startswith("2 jobs had their eligible times as starts") for line in old.report)
    assert old.jobs["gpus"].tolist() == [1.0, 1.0]
    assert old.jobs["memory_kb"].tolist() == [40960 * 1024 / 4] * 2
    assert [old.texts["outcome"][code] for code in old.jobs["outcome"]] == ["REQUEUED", "NODE_FAIL"]

    with pytest.raises(InvalidWorkload, match="it has 1 job, none that ran and ended"):
        read_file("slurm/sacct_24_05.json")
    given = json.loads((FOLDER / "sacct_24_05.json").read_text())
    given["jobs"][0]["time"] |= {"elapsed": 7, "end": 1744187895}
    row = {name: column[0] for name, column in read_text(given).jobs.items()}
    assert (row["job_id"], row["runtime"], row["processors"]) == (26, 7.0, 1)
    assert np.isnan(row["requested"]) and row["memory_kb"] == 62000 * 1024


def recorded(**changes):
    """Return a text of one job, with other values."""
    job = {
        "job_id": 7, "user": "ann", "association": {"user": "ann"}, "state": {"current": "COMPLETED"},
        "time": {"submission": 100, "start": 110, "end": 130, "elapsed": 20, "limit": 5},
        "required": {"CPUs": 4}, "tres": {"allocated": [{"type": "cpu", "count": 8}], "requested": []},
    }  # fmt: skip
    return {"jobs": [{**job, **changes}]}


@pytest.mark.parametrize(
    ("changes", "name", "expected"),
    [
        ({}, "processors", 8),
        ({"tres": {"requested": [{"type": "cpu", "count": 6}]}}, "processors", 6),
        ({"tres": None}, "processors", 4),
        ({"time": {"submission": 100, "start": 110, "end": 130}}, "runtime", 20.0),
        ({"tres": {"allocated": [{"type": "cpu", "count": 8}, {"type": "gres", "name": "gpu:a100", "count": 2},
                                 {"type": "gres", "name": "gpu:v100", "count": 1}]}}, "gpus", 3.0),
        ({"tres": {"allocated": [{"type": "cpu", "count": 8}, {"type": "energy", "count": 18446744073709551614}]}},
         "processors", 8),
    ],
)  # fmt: skip
def test_values(changes, name, expected):
    assert read_text(recorded(**changes)).jobs[name].tolist() == [expected]


def test_the_user_is_that_of_the_association_where_the_job_has_none():
    workload = read_text(recorded(user=""))
    assert workload.texts["user"] == ("ann",)


def test_joined_texts_are_one_log():
    one, other = (json.dumps(recorded(job_id=number)) for number in (7, 8))
    assert read_text(one + "\n" + other).jobs["job_id"].tolist() == [7, 8]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ('{"jobs": [\n{"job_id": 1, "association": {}},\n{"job_id": x}]}', "line 3 is not JSON: invalid char in json"),
        ('{"jobs": [{"job_id": 1, "job_state": "RUNNING"},', "its JSON ends in the middle, at line 1, after 1 record"),
        ('{"jobs": [{"job_id": 1e99999999999999999999, "job_state": 1}]}', "line 1 is not JSON: a number has too many"),
        ('{"meta": {"plugin": {}, "Slurm": {}}, "errors": [], "jobs": []}', "it holds no job; use `sacct --json`"),
        ('{"meta": {"plugin": {}, "Slurm": {}}, "jobs": [3]}', "it holds no job; use `sacct --json`"),
        (recorded(tres={"allocated": [{"type": "cpu", "count": 0.5}]}, required=None), "it has 1 job, none that ran"),
        (recorded(state={"current": ["PENDING"]}), "it has 1 job, none that ran and ended"),
        (recorded(tres={"allocated": [{"type": "cpu", "count": 2**40}]}), "job 7: size is 1099511627776; the limit"),
        (recorded(nodes="n" * 200_000), "a record has more than 1 kB"),
    ],
)
def test_refusals(text, what):
    check_refusal(what, text, json=1000)


def test_the_limit_of_instances_is_not_that_of_logs():
    given = document("plain.json.gz")
    assert len(read_text(given, json=100_000)) == 230
    assert cases(io.BytesIO(json.dumps(given).encode())) == []


def test_instances_are_instances_as_before():
    rigid = {"kind": "rigid", "processors": 4, "jobs": [{"id": 1, "runtime": 5, "processors": 2, "user": 1}]}
    assert read_text(rigid).machine == {"processors": 4}
    commas = {"kind": "rigid", "processors": 4, "jobs": [{"runtime": 5, "processors": 2}] * 9}
    assert len(read_text(commas)) == 9


def test_records_of_dumps_that_overlap_count_once():
    text = "\n".join(json.dumps(recorded(job_id=number)) for number in (7, 8, 8, 9))

    assert read_text(text).jobs["job_id"].tolist() == [7, 8, 9]


def test_no_list_of_nodes_is_none():
    assert read_text(recorded(nodes="None assigned")).texts["nodes"] == ()
