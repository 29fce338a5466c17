"""What commands refuse in one sentence, and counts of one."""

from __future__ import annotations

import re

import pytest


def test_a_second_algorithm_is_refused(shadowtime, four_swf):
    refused = shadowtime("simulate", four_swf, "-a", "easy", "-a", "fcfs")

    assert refused.code == 2
    assert refused.err.startswith("-a is given twice: easy and fcfs; `shadowtime sweep` compares several algorithms")


def test_a_seed_with_too_many_digits_names_the_limit(shadowtime, four_swf):
    refused = shadowtime("simulate", four_swf, "-a", "easy", "--seed", "1" * 23)

    assert refused.code == 2 and "it must be at most 9,007,199,254,740,992" in refused.err


def test_a_file_is_not_converted_into_itself(shadowtime, four_swf, monkeypatch):
    before = four_swf.read_bytes()
    monkeypatch.chdir(four_swf.parent)
    refused = shadowtime("convert", four_swf, "-o", four_swf.name)

    assert (refused.code, four_swf.read_bytes()) == (2, before)
    assert refused.err == f"-o {four_swf.name}: that is the file that is read; name another one\n"


def test_a_loop_of_rigid_jobs_names_workloads_that_it_takes(shadowtime, four_swf):
    refused = shadowtime("loop", four_swf, "-a", "pjs")

    assert refused.code == 2
    assert "has rigid jobs; a loop takes classed jobs" in refused.err and "takeover" in refused.err


def test_one_job_is_not_counted_as_jobs(shadowtime, tmp_path):
    written = shadowtime("convert", "lublin:jobs=1", "-o", tmp_path / "one.swf").out
    simulated = shadowtime("simulate", tmp_path / "one.swf", "-a", "easy").out

    assert written.startswith("lublin:jobs=1: 1 job in ")
    assert simulated.startswith("EASY on one.swf: 1 job, 128 processors")


@pytest.mark.parametrize("command", ["store", "links", "token"])
def test_a_command_without_its_action_names_those_that_there_are(shadowtime, command):
    refused = shadowtime(command)

    assert refused.code == 2 and re.search(r"required: \{[a-z-]+(,[a-z-]+)+\}; see", refused.err)
