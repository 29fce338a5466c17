"""What the command line of a submission asks for, in columns of pyarrow and in single lines alike."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.reading import read
from shadowtime.engine.workload.slurm.submitted import Submissions, submission_of

FOLDER = Path(__file__).parent / "slurm"
NOTHING = (0.0, None, 0.0, 0.0, 0.0)
LINES = {
    "sbatch job.sh": NOTHING,
    "sbatch --nice=50 job.sh": (50.0, None, 0.0, 0.0, 0.0),
    "sbatch --nice job.sh": (100.0, None, 0.0, 0.0, 0.0),
    "sbatch --nice=-7 job.sh": (-7.0, None, 0.0, 0.0, 0.0),
    "sbatch -n 4 --nice": (100.0, None, 0.0, 0.0, 0.0),
    "sbatch job.sh --nice=50 -N 3 -c 2 --exclusive -d singleton": NOTHING,
    "sbatch -n 4 job.sh --nice=50": NOTHING,
    "sbatch -n4 job.sh --nice=50": NOTHING,
    "sbatch --ntasks=4 job.sh --nice=50": NOTHING,
    "sbatch --hold job.sh --nice=50": NOTHING,
    "sbatch -H job.sh --nice=50": NOTHING,
    "sbatch -A lab -J x --mem 4G --nice=50 job.sh": (50.0, None, 0.0, 0.0, 0.0),
    "sbatch -N 3 job.sh": (0.0, None, 3.0, 0.0, 0.0),
    "sbatch -N3 job.sh": (0.0, None, 3.0, 0.0, 0.0),
    "sbatch --nodes=2-4 job.sh": (0.0, None, 2.0, 0.0, 0.0),
    "sbatch --nodes 5 job.sh": (0.0, None, 5.0, 0.0, 0.0),
    "sbatch -c 2 job.sh": (0.0, None, 0.0, 2.0, 0.0),
    "sbatch -c8 job.sh": (0.0, None, 0.0, 8.0, 0.0),
    "sbatch --cpus-per-task=6 job.sh": (0.0, None, 0.0, 6.0, 0.0),
    "sbatch --cpus-per-task 6 job.sh": (0.0, None, 0.0, 6.0, 0.0),
    "sbatch --exclusive -n 2 job.sh": (0.0, None, 0.0, 0.0, 1.0),
    "sbatch --exclusive=user job.sh": NOTHING,
    "sbatch -d afterok:12:13,singleton job.sh": (0.0, "afterok:12:13,singleton", 0.0, 0.0, 0.0),
    "sbatch -dafterany:7 job.sh": (0.0, "afterany:7", 0.0, 0.0, 0.0),
    "sbatch --dependency=afterok:12?afterany:3 x": (0.0, "afterok:12?afterany:3", 0.0, 0.0, 0.0),
    "sbatch --dependency afterok:12 x": (0.0, "afterok:12", 0.0, 0.0, 0.0),
    "sbatch -n 1 --wrap sleep -N 3": NOTHING,
    "sbatch -n 1 --wrap=sleep -N 3": NOTHING,
    "sbatch -n 4 -t 2 : -n 8 -N 2 --wrap sleep 10": NOTHING,
    "salloc -N 2 --no-shell": (0.0, None, 2.0, 0.0, 0.0),
    "srun -N 2 -N 5 hostname": (0.0, None, 2.0, 0.0, 0.0),
    "sbatch --ntasks-per-node=2 --nodelist=n1 x": NOTHING,
    "": NOTHING,
}


def columns(lines):
    asked = Submissions(pa.array(lines, pa.string()))
    dependencies = [text and text.decode() for text in asked.dependencies().to_pylist()]
    return list(
        zip(
            asked.nice().tolist(), dependencies, asked.nodes().tolist(), asked.task_cores().tolist(),
            asked.whole_nodes().tolist(), strict=True,
        )
    )  # fmt: skip


@pytest.mark.parametrize(("line", "asked"), LINES.items())
def test_one_line(line, asked):
    assert submission_of(line) == asked
    assert columns([line]) == [asked]


def test_many_lines():
    assert columns(list(LINES)) == list(LINES.values())
    assert columns(["sbatch x", None]) == [NOTHING, NOTHING]
    assert columns([]) == []


def mixed():
    with (FOLDER / "sacct_all.psv").open("rb") as stream:
        return read(stream, "sacct_all.psv")


def test_what_the_mixed_record_asked_for():
    log = mixed()
    row = {number: at for at, number in enumerate(log.jobs["job_id"].tolist())}
    dependency, qos = log.texts["dependency"], log.texts["qos"]

    def of(number):
        code = log.jobs["dependency"][row[number]]
        return dependency[code] if code >= 0 else None

    assert [of(number) for number in (385, 386, 387, 390)] == [None, "afterok:385", "afterany:386", "afternotok:388"]
    assert [of(number) for number in (391, 392, 393)] == [None, "afterany:391", "afterany:392"]
    assert {qos[code] for code in log.jobs["qos"].tolist()} == {"normal"}
    assert log.jobs["min_nodes"][row[396]] == 3.0 and log.jobs["min_nodes"][row[395]] == 0.0
    assert np.flatnonzero(log.jobs["whole_nodes"]).tolist() == [row[395]]
    eligible = {385: 0.0, 386: 10.0, 387: 17.0, 404: 65.0, 405: 40.0}
    assert {number: log.jobs["eligible"][row[number]] for number in eligible} == eligible
    assert not log.jobs["nice"].any()


def test_nice_values_of_the_plain_record():
    with (FOLDER / "plain.psv.gz").open("rb") as stream:
        log = read(stream, "plain.psv.gz")

    asked = {
        int(job["job"]): float(job["nice"]) for job in __import__("json").loads((FOLDER / "asked.json").read_text())
    }
    assert dict(zip(log.jobs["job_id"].tolist(), log.jobs["nice"].tolist(), strict=True)) == asked
    assert set(log.texts["qos"]) == {"normal", "urgent"}


HEADER = "JobID|JobName|User|Submit|Start|End|NCPUS|SubmitLine"


def line(number, name, user, asked, *, state="2026-03-01T00:00:09"):
    return f"{number}|{name}|{user}|2026-03-01T00:00:0{number}|{state}|{state.replace('09', '19')}|1|sbatch {asked} x"


def dependencies(*lines):
    log = read(io.BytesIO("\n".join([HEADER, *lines]).encode()), "dump.txt")
    codes = log.jobs["dependency"].tolist() if "dependency" in log.jobs else [-1] * len(log)
    return [log.texts["dependency"][code] if code >= 0 else None for code in codes]


def test_singletons_follow_the_previous_job_of_their_user_and_name():
    assert dependencies(
        line(1, "a", "ann", ""), line(2, "a", "bob", "-d singleton"), line(3, "b", "ann", "-d singleton"),
        line(4, "a", "ann", "-d singleton"), line(5, "a", "ann", "-d afterok:3,singleton"), line(6, "a", "ann", ""),
        line(7, "a", "", "-d singleton"),
    ) == [None, None, None, "afterany:1", "afterok:3,afterany:4", None, None]  # fmt: skip


def test_a_job_that_never_started_is_no_previous_one():
    assert dependencies(
        line(1, "a", "ann", ""), line(2, "a", "ann", "", state="None"), line(3, "a", "ann", "-d singleton")
    ) == [None, "afterany:1"]


def test_jobs_without_dependencies_have_no_such_column():
    log = read(io.BytesIO("\n".join([HEADER, line(1, "a", "ann", "-n 3")]).encode()), "dump.txt")

    assert "dependency" not in log.jobs and "dependency" not in log.texts
    assert log.jobs["task_cores"].tolist() == [0.0]


def test_eligibility_moves_with_the_week():
    log = mixed()
    log.jobs["release"] += 604_800.0
    log.jobs["eligible"] += 604_800.0
    week = convert(log, "week", {"k": 1})

    assert np.array_equal(week.jobs["eligible"], log.jobs["eligible"] - 604_800.0)
