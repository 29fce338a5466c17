"""Workloads and platforms of Batsim 5: files of its own tests (oar-team/batsim, commit ba7ea85).

`sites/batsim_sequences.json` is `test_compo_sequence_delay.json`, whose profiles say how long they take; WALLTIMES and
TYPES are jobs of `test_walltime.json` and `test_various_profile_types.json`. PLATFORMS are the hosts of the platforms
named there.
"""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from shadowtime.engine.errors import InvalidPlatform, InvalidWorkload, UnsupportedWorkload
from shadowtime.engine.workload.job import Workload, job_table
from shadowtime.engine.workload.reading import cases, read
from shadowtime.engine.workload.samples import find_sample
from shadowtime.engine.workload.sites.simgrid import read_processors
from shadowtime.engine.workload.writers import write_batsim
from tests.engine.workload.logs import check_refusal, read_text
from tests.strategies import rigid_workloads

FOLDER = Path(__file__).parent / "sites"
DELAY = {"type": "DelayProfile", "delay": 10}
FLOPS = {"type": "ParallelTaskHomogeneousProfile", "cpu": 10e6, "com": 1e6}
TYPES = {
    "nb_res": 4,
    "jobs": [
        {"id": "delay", "subtime": 0, "walltime": 30, "res": 1, "profile": "delay"},
        {"id": "homo", "subtime": 10, "walltime": 100, "res": 4, "profile": "homogeneous"},
        {"id": "seq", "subtime": 32, "walltime": 100, "res": 4, "profile": "sequence"},
        {"id": "2_resources", "subtime": 15, "walltime": 30, "res": 2, "profile": "delay"},
    ],
    "profiles": {
        "delay": {"type": "DelayProfile", "delay": 20.20},
        "homogeneous": FLOPS,
        "sequence": {"type": "SequentialCompositionProfile", "repeat": 4, "seq": ["homogeneous", "delay"]},
    },
}


def one_job(described=DELAY, /, **changes):
    job = {"id": 1, "subtime": 5, "res": 2, "walltime": 60, "profile": "p"}
    return {"nb_res": 4, "jobs": [job | changes], "profiles": {"p": described}}


def test_sequences_of_delays_take_the_time_that_batsim_expects():
    document = json.loads((FOLDER / "batsim_sequences.json").read_text())
    workload = read_text(document)
    expected = {name: profile["expected_execution_time"] for name, profile in document["profiles"].items()}

    assert len(workload) == len(document["jobs"]) == 23
    for row, job in enumerate(document["jobs"]):
        assert workload.jobs["runtime"][row] == min(expected[job["profile"]], job["walltime"])
        assert workload.jobs["requested"][row] == job["walltime"]
        assert workload.jobs["job_id"][row] == row + 1  # ids are texts
    assert "11 jobs with a longer delay than walltime: Batsim stops them there." in workload.report
    assert workload.machine == {"processors": 6}


def test_a_walltime_ends_a_job():
    jobs = [{"id": w, "subtime": 0, "walltime": w, "res": 1, "profile": "p"} for w in range(1, 21)]
    jobs += [{"id": 21, "subtime": 0, "res": 1, "profile": "p"}, {"id": 22, "subtime": 10, "res": 1, "profile": "p"}]
    workload = read_text({"nb_res": 64, "jobs": jobs, "profiles": {"p": DELAY}})

    assert workload.jobs["job_id"].tolist() == list(range(1, 23))
    assert workload.jobs["runtime"].tolist() == [*map(float, range(1, 10)), *[10.0] * 13]
    assert np.isnan(workload.jobs["requested"]).tolist() == [False] * 20 + [True] * 2
    assert workload.report == (
        "22 jobs of Batsim, 22 kept.",
        "9 jobs with a longer delay than walltime: Batsim stops them there.",
        "2 jobs without a walltime: the runtime stands in for it.",
    )


def test_profiles_whose_time_the_platform_decides_are_counted():
    workload = read_text(TYPES)
    assert workload.jobs["runtime"].tolist() == [20.2, 20.2]
    assert workload.jobs["job_id"].tolist() == [1, 4]
    assert workload.report[1] == (
        "2 jobs whose profile is no delay (ParallelTaskHomogeneousProfile, sequence) were left out."
    )


@pytest.mark.parametrize(
    "profile",
    [{"type": "delay", "delay": 10}, {"type": "composed", "seq": ["p2"] * 5}, {"type": "composed", "seq": []}],
)
def test_types_of_older_versions(profile):
    document = one_job(profile)
    document["profiles"]["p2"] = {"type": "delay", "delay": 2}
    if profile.get("seq") == []:
        with pytest.raises(InvalidWorkload, match="none with resources, a runtime and a submission"):
            read_text(document)
    else:
        assert read_text(document).jobs["runtime"].tolist() == [10.0]


def test_submissions_are_kept_and_sorted():
    document = one_job()
    document["jobs"] = [{**document["jobs"][0], "id": n, "subtime": t} for n, t in ((1, 57.25), (2, 7), (3, 7))]
    workload = read_text(document)
    assert workload.jobs["release"].tolist() == [7.0, 7.0, 57.25]
    assert workload.jobs["job_id"].tolist() == [2, 3, 1]


@pytest.mark.parametrize(
    ("document", "what"),
    [
        (
            one_job(FLOPS),
            "it has 1 job, none with a delay as its profile (ParallelTaskHomogeneousProfile): the time of",
        ),
        (
            one_job({"type": "SequentialCompositionProfile", "seq": ["p"]}),
            "none with a delay as its profile (sequence)",
        ),
        (one_job(profile="q"), "none with a delay as its profile (not in the file)"),
        (one_job({"type": "DelayProfile"}), "none with a delay as its profile (a delay without a time)"),
        (one_job(res=0.5), "it has 1 job, none with resources, a runtime and a submission"),
        (one_job(res=2**40), "job 1: size is 1099511627776; the limit here"),
        (one_job(subtime=-1), "it has 1 job, none with resources"),
        ({"nb_res": 4, "subtime": 0, "jobs": [], "profiles": {}}, "it holds no job"),
        (b'{"nb_res": 4, "jobs": [\n{"id": 1, "subtime": 3,, "res"', "line 2 is not JSON"),
    ],
)
def test_refusals(document, what):
    check_refusal(what, document)


def written(workload, version=5):
    stream = io.BytesIO()
    write_batsim(workload, stream, version=version)
    return stream.getvalue()


@pytest.mark.parametrize("version", [4, 5])
@given(workload=rigid_workloads())
def test_what_is_written_is_read_again(version, workload):
    again = read_text(written(workload, version))
    columns = {"job_id", "release", "runtime", "processors"}
    if len(np.unique(workload.jobs["job_id"])) < len(workload):
        assert again.jobs["job_id"].tolist() == list(range(1, len(workload) + 1))
        columns -= {"job_id"}

    for name in columns:
        np.testing.assert_array_equal(again.jobs[name], workload.jobs[name])
    requested = workload.jobs["requested"]
    limits = np.where(np.isnan(requested), np.nan, np.fmax(requested, workload.jobs["runtime"]))
    np.testing.assert_array_equal(again.jobs["requested"], limits)
    widest = int(workload.jobs["processors"].max())
    assert again.machine == {"processors": workload.machine.get("processors", widest)}


def test_what_is_written_has_what_batsim_demands():
    """Each check is one of its readers, `Workload`, `Job` and `Profile` in src/ of version 5."""
    sample = find_sample("four")
    with sample.path.open("rb") as stream:
        workload = read(stream, "four.swf")
    document = json.loads(written(workload))

    assert isinstance(document["nb_res"], int) and document["nb_res"] > 0
    assert len({job["id"] for job in document["jobs"]}) == len(document["jobs"]) == 4
    for job in document["jobs"]:
        assert isinstance(job["id"], str) and isinstance(job["profile"], str)
        assert isinstance(job["subtime"], int | float) and isinstance(job["res"], int)
        profile = document["profiles"][job["profile"]]
        assert profile["type"] == "DelayProfile" and profile["delay"] > 0
        assert job.get("walltime", 1) > 0
    assert {profile["type"] for profile in json.loads(written(workload, 4))["profiles"].values()} == {"delay"}
    assert cases(io.BytesIO(written(workload))) == []


def test_other_kinds_are_refused():
    jobs = job_table(np.zeros(1), np.ones(1), np.ones(1))
    with pytest.raises(UnsupportedWorkload, match="Batsim takes rigid jobs; w is a moldable workload"):
        written(Workload(kind="moldable", name="w", jobs=jobs))


HEAD = '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "http://simgrid.gforge.inria.fr/simgrid/simgrid.dtd">\n'
MASTER = '<prop id="role" value="master" />'
PLATFORMS = {
    "cluster512": ('<cluster id="A" prefix="a" suffix="" radical="0-511" speed="1Gf"/>'
                   f'<cluster id="M" prefix="m" suffix="" radical="0-0" speed="1Gf">{MASTER}</cluster>', 512),
    "cluster512_pfs": ('<cluster id="1" prefix="a" radical="0-511"/>'
                       f'<cluster id="2" prefix="master_host" radical="0-0">{MASTER}</cluster><cluster id="3" prefix='
                       '"pfs" radical="0-0"><prop id="role" value="storage" /></cluster>', 512),
    "cluster_locality_8x16": ("".join(f'<cabinet id="c" prefix="{name}" suffix="" radical="100-115"/>' for name in
                                      ("algol", "boo", "cobol", "dart", "e", "f", "g", "h"))
                              + '<cabinet id="c" prefix="master_host" suffix="" radical="0-0"/>', 128),
    "graphene": ('<cluster id="1" radical="1001-1039"/><cluster id="2" radical="1040-1074"/>'
                 '<cluster id="3" radical="1075-1104"/><cluster id="4" radical="1105-1144"/>', 144),
    "small_platform": ("".join(f'<host id="{name}" speed="76.296Mf"/>' for name in
                               ("master_host", "Jupiter", "Fafard", "Ginette", "Bourassa"))
                       + '<link id="6"/><route src="Jupiter" dst="Fafard"><link_ctn id="6"/></route>', 4),
    "properties_example": ('<zone id="AS3"><host id="master_host" speed="42f"/></zone>'
                           '<cluster id="acme" prefix="node-" radical="0-4"><prop id="zone_name" value="a"/></cluster>'
                           '<zone id="AS4"><prop id="bla" value="bli"/><host id="host1" speed="1Gf"><prop id="Hdd" '
                           'value="180"/></host><host id="host2"/><router id="r"/></zone>', 7),
    "a list of ranges": ('<cluster id="A" radical="0-3,7,9-10"/>', 7),
}  # fmt: skip


@pytest.mark.parametrize(("hosts", "processors"), PLATFORMS.values(), ids=PLATFORMS)
@pytest.mark.parametrize("begin", ["", "\n", "  \n\n"])
def test_hosts_of_a_platform(hosts, processors, begin):
    text = f'{begin}{HEAD}<platform version="4.1"><zone id="AS0" routing="Full">{hosts}</zone></platform>'
    assert read_processors(io.BytesIO(text.encode()), "p.xml") == processors


BOMB = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10 if n else "ha"}">' for n in range(12))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (
            f"<!DOCTYPE platform [{BOMB}]>\n<platform>&a11;</platform>",
            "no platform of SimGrid: line 1: it defines entiti",
        ),
        (
            '<!DOCTYPE platform [<!ENTITY x SYSTEM "file:///etc/passwd">]>\n<platform>&x;</platform>',
            "it defines entities",
        ),
        ('<!DOCTYPE platform [<!ENTITY % x SYSTEM "http://127.0.0.1/x"> %x;]>\n<platform/>', "it defines entities"),
        ("\n<platform>\n<host></platform>", "p.xml is not XML: line 3: mismatched tag"),
        ("<platform>", "p.xml is not XML: line 1: no element found"),
        ("", "p.xml is not XML: line 1: no element found"),
        ("<svg/>", "line 1: it begins with <svg>, not with <platform>"),
        ("<platform><host id='master_host'/></platform>", "p.xml has no host that computes"),
        ("<platform>\n<cluster radical='5-3'/></platform>", "line 2: radical is '5-3', not a list such as 0-511,600"),
        ("<platform><cluster/></platform>", "radical is '', not a list"),
        ("<platform><cluster radical='0-99999999999'/></platform>", "p.xml has 100,000,000,000 hosts that compute; a"),
    ],
)
def test_platforms_that_are_refused(text, what):
    with pytest.raises(InvalidPlatform) as error:
        read_processors(io.BytesIO(text.encode()), "p.xml")
    assert what in str(error.value)
