"""What commands write, and what they refuse before they touch it."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

LARGE = ["generate", "lublin:jobs=20000", "-o"]
SMALL_DISK = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
RUN = "import sys; from shadowtime.dashboard.cli import main; sys.exit(main(sys.argv[1:]))"


@pytest.mark.parametrize("unbuffered", [[], ["-u"]])
def test_standard_output_on_a_full_disk_is_an_error(tmp_path, unbuffered):
    with (tmp_path / "out").open("wb") as stream:
        ended = subprocess.run(
            [sys.executable, *unbuffered, "-c", SMALL_DISK + RUN, *LARGE, "-"], stdout=stream, stderr=subprocess.PIPE
        )

    assert ended.returncode == 1
    assert b"the output was not written: file too large" in ended.stderr


def test_a_refused_question_leaves_its_output_alone(shadowtime, tmp_path):
    (tmp_path / "key").write_text("a long key")
    (tmp_path / "jobs.csv").write_text("old")

    answer = shadowtime("pseudonymise", "moldable:jobs=3", tmp_path / "jobs.csv", "--key-file", tmp_path / "key")

    assert answer.code == 2
    assert answer.err.strip() == "moldable:jobs=3 has moldable jobs; only logs of rigid jobs have users to rename."
    assert (tmp_path / "jobs.csv").read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["jobs.csv", "key"]


def test_what_is_read_is_not_written_over(shadowtime, tmp_path):
    log, key = tmp_path / "jobs.csv", tmp_path / "key.csv"
    log.write_text("id,submit,runtime,cores,user\n1,0,60,4,ann\n")
    key.write_text("a long key")

    for target in (log, key):
        answer = shadowtime("pseudonymise", log, target, "--key-file", key)
        assert answer.code == 2 and "that is the file that is read" in answer.err


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (["simulate", "four", "-a", "easy", "--out", ""], "--out"),
        (["simulate", "four", "-a", "easy", "--report="], "--report"),
        (["site", "site142", "-o", " "], "-o"),
        (["store", "audit", "--since", ""], "--since"),
    ],
)
def test_an_option_with_an_empty_value_is_refused(shadowtime, arguments, option):
    answer = shadowtime(*arguments)

    assert answer.code == 2
    assert answer.err.strip() == f"{option}: its value is empty, as of a variable that is not set"


def test_outages_need_recorded_starts(shadowtime):
    answer = shadowtime("waits", "four", "--outages")

    assert answer.code == 2 and "has no recorded starts, so that it shows no outages" in answer.err
