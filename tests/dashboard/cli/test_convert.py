"""`shadowtime convert`, and the machine of a SimGrid platform."""

import gzip
import json

import pytest

import shadowtime as st
from tests.dashboard import slurm_log


@pytest.fixture
def platform(tmp_path):
    path = tmp_path / "p.xml"
    path.write_text('<platform><cluster id="a" prefix="a" radical="0-11"/><host id="master_host"/></platform>')
    return path


def test_a_log_becomes_a_workload_of_batsim_and_comes_back(shadowtime, four_swf, tmp_path, platform):
    for name, kind in (("w.batsim.json", "DelayProfile"), ("w.batsim4.json", "delay")):
        answer = shadowtime("convert", four_swf, "-o", tmp_path / name)
        document = json.loads((tmp_path / name).read_text())

        assert answer.code == 0 and "4 jobs in" in answer.out
        assert {profile["type"] for profile in document["profiles"].values()} == {kind}
        machines = (["--processors", 12], ["--platform", platform])
        given, found = (shadowtime("simulate", path, "-a", "easy", "--json", *machine).json for path, machine in
                        zip((four_swf, tmp_path / name), machines, strict=True))  # fmt: skip
        assert found["metrics"] == given["metrics"]


def test_the_size_of_a_machine_that_the_log_does_not_name_may_be_given(shadowtime, four_swf, tmp_path):
    target = tmp_path / "w.batsim.json"
    four_swf.write_text("\n".join(line for line in four_swf.read_text().splitlines() if not line.startswith(";")))
    answer = shadowtime("convert", four_swf, "-o", target)
    assert "does not say how many processors" in answer.err and json.loads(target.read_text())["nb_res"] < 12

    answer = shadowtime("convert", four_swf, "--processors", 12, "-o", target)
    assert answer.err == "" and json.loads(target.read_text())["nb_res"] == 12


def test_conversions_and_compression(shadowtime, four_swf, tmp_path):
    assert shadowtime("convert", four_swf, "--convert", "week:k=0", "-o", tmp_path / "w.swf.gz").code == 0
    lines = gzip.decompress((tmp_path / "w.swf.gz").read_bytes()).decode().splitlines()
    assert sum(not line.startswith(";") for line in lines) == 4
    assert "1 " in shadowtime("convert", four_swf, "-o", "-").out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["convert", "four.swf", "-o", "x.txt"], "the name must end in .swf or .json"),
        (["simulate", "four", "-a", "easy", "--platform", "none.xml"], "none.xml was not read: no such file"),
        (
            ["simulate", "four.swf", "-a", "easy", "--platform", "p.xml", "--processors", "3"],
            "not allowed with argument",
        ),
    ],
)
def test_refusals(shadowtime, arguments, sentence):
    answer = shadowtime(*arguments)
    assert answer.code == 2 and sentence in answer.err


def test_what_a_format_has_no_place_for_is_said(shadowtime, tmp_path):
    log = tmp_path / "jobs.csv"
    log.write_text("id,submit,runtime,cores,user,gpus\n1,0,60,4,ann,2\n")

    assert shadowtime("convert", log, "-o", tmp_path / "w.swf").out.splitlines()[1:] == [
        "w.swf has no place for: GPUs, names of users"
    ]
    assert shadowtime("convert", tmp_path / "w.swf", "-o", tmp_path / "w.json").out.count("\n") == 1


def test_the_jobs_of_a_run_are_read_as_a_log(shadowtime, four_swf, tmp_path):
    first = shadowtime("simulate", four_swf, "-a", "easy", "--out", tmp_path / "out", "--json").json
    size = first["platform"]["processors"]
    again = shadowtime("simulate", tmp_path / "out" / "jobs.csv", "-a", "easy", "--processors", size, "--json").json

    assert again["metrics"]["mean_flow"] == first["metrics"]["mean_flow"]


def test_a_log_of_nodes_states_its_machine_as_json_too(shadowtime, tmp_path):
    """`sacct` with its slurm.conf: 4 nodes of 2 cores."""
    site = tmp_path / "site.tar"
    site.write_bytes(slurm_log.archive())
    shadowtime("convert", site, "-o", tmp_path / "site.json")
    found = shadowtime("simulate", tmp_path / "site.json", "-a", "easy", "--json").json

    assert found["platform"] == {"processors": 8}
    assert found["metrics"] == shadowtime("simulate", site, "-a", "easy", "--json").json["metrics"]


def test_the_frame_of_a_log_keeps_its_record_as_a_table(shadowtime, tmp_path):
    (tmp_path / "site.tar").write_bytes(slurm_log.archive())
    st.read(tmp_path / "site.tar").to_frame().to_csv(tmp_path / "frame.csv", index=False)
    found = shadowtime("simulate", tmp_path / "frame.csv", "-a", "recorded", "--processors", 8, "--json").json

    assert found["metrics"]["mean_wait"] > 0
