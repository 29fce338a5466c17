"""Histories of HTCondor: ads as real systems wrote them, as text and as JSON, and odd values.

`condor.history`: ads, some of their attributes left out. Two are of jobs that ended at Fermilab (examples of a public
parser of ads), one of a job held at CHTC (notes on HTCondor of a user there), one of a running job of version 7.4. The
JSON is written here by the rules of condor_history's manual page.
"""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.reading import read
from shadowtime.engine.workload.sites import condor_json
from tests.engine.workload.logs import check_refusal, read_text, text

TEXT = (Path(__file__).parent / "condor.history").read_text()
AD = {
    "ClusterId": 7, "ProcId": 0, "QDate": 1700000000, "JobStartDate": 1700000010, "JobCurrentStartDate": 1700000060,
    "CompletionDate": 1700000160, "RemoteWallClockTime": 100.0, "JobStatus": 4, "JobUniverse": 5, "RequestCpus": 8,
    "RequestMemory": 2048, "RequestGPUs": 2, "Owner": "ann", "AcctGroup": "physics", "ExitCode": 1, "NumJobStarts": 1,
    "AllowedJobDuration": 3600, "LastRemoteHost": "slot1@n7.example.org",
}  # fmt: skip


def as_text(*ads):
    """Return the ads as `condor_history -l` prints them."""
    return "".join("".join(f"{name} = {json.dumps(value)}\n" for name, value in ad.items()) + "\n" for ad in ads)


def as_json(*ads):
    """Return the ads as `condor_history -json` prints them."""
    return "[\n" + ",\n".join(json.dumps(ad, indent=2) + "\n" for ad in ads) + "]\n"


def as_lines(*ads):
    """Return the ads as `condor_history -jsonl` prints them."""
    return "".join(json.dumps(ad) + "\n" for ad in ads)


def of_text(text):
    """Return the ads of a text as objects; expressions are texts."""
    ads = []
    for block in text.replace("*** Offset", "\nOffset").split("\n\n"):
        pairs = [line.split(" = ", 1) for line in block.strip().splitlines() if not line.startswith("Offset")]
        ads.append({name: json.loads(value) if value[0] in '"-0123456789' else value for name, value in pairs})
    return ads


@pytest.mark.parametrize("form", [lambda ads: TEXT, lambda ads: as_json(*ads), lambda ads: as_lines(*ads)])
def test_every_ad_of_three_systems_is_read(form):
    workload = read_text(form(of_text(TEXT)))
    jobs = workload.jobs
    found = [
        (jobs["job_id"][row].item(), workload.clock.unix_start + jobs["release"][row].item(),
         (jobs["recorded_start"] - jobs["release"])[row].item(), jobs["runtime"][row].item(),
         jobs["processors"][row].item(), text(workload, "user", row), text(workload, "nodes", row))
        for row in range(len(workload))
    ]  # fmt: skip

    assert found == [
        (14155293, 1486401370, 57, 22_167, 1, "lebrun", "fnpc9051.fnal.gov"),
        (14158503, 1486408089, 99, 154, 1, "jmalbos", "fnpc4108.fnal.gov"),
    ]
    assert workload.report == (
        "4 jobs of HTCondor, 2 kept.",
        "2 jobs without a number of CPUs: one is assumed.",
        "2 jobs that had not ended were left out.",
        "No job has a time limit: the runtime stands in for it.",
        "Outcomes: 2 completed.",
        "At most 2 processors were in use at one time.",
    )


@pytest.mark.parametrize("form", [as_text, as_json, as_lines])
def test_values_of_one_job(form):
    workload = read_text(form(AD))
    row = {name: column[0] for name, column in workload.jobs.items()}

    assert (row["job_id"], row["processors"], row["runtime"], row["requested"], row["gpus"]) == (7, 8, 100, 3600, 2)
    assert (row["recorded_start"], row["recorded_end"], row["memory_kb"] * 8) == (60, 160, 2048 * 1024)
    assert [text(workload, name, 0) for name in ("user", "account", "outcome", "nodes")] == [
        "ann", "physics", "exit 1", "n7.example.org",
    ]  # fmt: skip


REMOVED = {"JobStatus": 3, "CompletionDate": 0}


@pytest.mark.parametrize(
    ("change", "name", "expected"),
    [
        ({"RemoteWallClockTime": 700.0, "NumJobStarts": 3}, "runtime", 100.0),
        ({"RemoteWallClockTime": "8.000000000000000E+01"}, "runtime", 80.0),
        ({**REMOVED, "LastRemoteWallClockTime": 30.0, "RemoteWallClockTime": 90.0}, "runtime", 30.0),
        ({**REMOVED, "RemoteWallClockTime": 90.0}, "runtime", 90.0),
        ({"RequestCpus": "ifThenElse(X,4,8)", "CpusProvisioned": 4}, "processors", 4),
        ({"JobUniverse": 11, "MaxHosts": 3}, "processors", 24),
        ({"AllowedJobDuration": None, "MaxWallTimeMins": 10}, "requested", 600.0),
        ({"JobCurrentStartDate": None}, "recorded_start", 10.0),
    ],
)
def test_rules_for_runs_and_sizes(change, name, expected):
    ad = {key: value for key, value in {**AD, **change}.items() if value is not None}
    assert read_text(as_json(ad)).jobs[name].tolist() == [expected]


def test_odd_ads_are_counted():
    dagman, again = {**AD, "JobUniverse": 7}, {**AD, "NumJobStarts": 2, "ExitBySignal": True}
    vacated = {**AD, **REMOVED, "NumJobStarts": 2}
    workload = read_text(as_text(AD, dagman, again, vacated) + "Warning: no address\n")

    assert workload.report[:5] == (
        "3 jobs of HTCondor, 2 kept.",
        "1 line that is no attribute (line 78 begins 'Warning: no address') was left out.",
        "1 job of the universes scheduler and local was left out.",
        "1 job started more than once: the last run counts.",
        "1 job that never started was left out.",
    )
    assert workload.texts["outcome"] == ("exit 1", "signal", "removed")


def test_names_in_any_case_and_the_last_value_of_an_attribute():
    lower = as_text({name.lower() if name == "Owner" else name: value for name, value in AD.items()})
    workload = read_text(lower.strip() + "\nRequestCpus = 2\n*** Offset = 0 ClusterId = 7\n")

    assert workload.jobs["processors"].tolist() == [2]
    assert workload.texts["user"] == ("ann",)


def test_bytes_that_are_no_utf_8_and_braces_in_texts():
    for form in (as_text, as_json):
        content = form({**AD, "Owner": "ann}{", "Cmd": "x"}).encode().replace(b'"x"', b'"\xff"')
        assert read(io.BytesIO(content), "history").texts["user"] == ("ann}{",)


def test_json_in_small_pieces(monkeypatch):
    content = as_json(*({**AD, "ClusterId": number} for number in range(50))).encode()
    pieces = iter([content[at : at + 37] for at in range(37, len(content), 37)])
    ads = list(condor_json.ads_of_json(content[:37], pieces, frozenset({b"clusterid"})))

    assert [ad[b"clusterid"] for ad in ads] == [str(number).encode() for number in range(50)]
    monkeypatch.setattr(condor_json, "LONGEST", 100)
    with pytest.raises(InvalidWorkload, match="ad 1 is cut, or no JSON"):
        list(condor_json.ads_of_json(content[:200], iter([content[200:]]), frozenset()))


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (as_json(AD, AD)[:-300], "ad 2 is cut, or no JSON"),
        (as_json(AD).replace("2048", "1" * 5000), "ad 1 holds a number or a list that is too long"),
        (as_json(AD).replace("2048", "[" * 100_000), "ad 1 holds a number or a list that is too long"),
        (as_json(AD)[:-2] + ", 7]", "ad 2 is no object of JSON"),
        (as_text({**AD, "JobStatus": 2}), "it has 1 job, none that ran and ended"),
    ],
)
def test_refusals(content, what):
    check_refusal(what, content)


def test_instances_are_still_read_as_such():
    instance = {"kind": "rigid", "processors": 4, "jobs": [{"id": 1, "runtime": 5, "processors": 2}]}
    assert np.array_equal(read_text(json.dumps(instance)).jobs["runtime"], [5.0])
