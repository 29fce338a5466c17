"""`shadowtime sweep`: the numbers of `simulate`, all of them, and honest ones."""

from __future__ import annotations

import csv
import json
import math
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.conftest import FOUR_SWF

SWEEP = """
name = "over the load"
workloads = ["uniform:jobs=60"]
seeds = [1, 2, 3]
convert = ["two_tier"]
loads = [0.5, 0.9]
processors = 64
algorithms = ["easy", "fcfs"]

[[variants]]
algorithm = "easy"
parameters = { extra = ["all"] }
"""


@pytest.fixture
def toml(tmp_path):
    def write(text: str) -> str:
        path = tmp_path / "sweep.toml"
        path.write_text(text)
        return str(path)

    return write


def test_a_sweep_has_the_runs_of_simulate(shadowtime, toml):
    answer = shadowtime("sweep", toml(SWEEP), "--json")
    found = answer.json
    one = next(
        run for run in found["runs"] if (run["seed"], run["load"], run["parameters"].get("extra")) == (2, 0.9, "all")
    )
    alone = shadowtime(
        "simulate", "uniform:jobs=60", "-a", "easy", "-p", "extra=all", "--seed", 2, "--processors", 64,
        "--convert", "two_tier", "--convert", "load:rho=0.9", "--json",
    ).json  # fmt: skip

    assert (found["runs_total"], found["finished"], found["failed"]) == (18, 18, 0)
    assert one["run"] == alone["run"]
    assert one["metrics"] == alone["metrics"]
    assert one["bounds"] == alone["bounds"]
    assert one["workload"] == "uniform:jobs=60" and one["status"] == "finished"
    assert len({run["run"] for run in found["runs"]}) == 18
    assert "18 of 18 runs" in answer.err


def test_points_are_means_over_seeds(shadowtime, toml):
    found = shadowtime("sweep", toml(SWEEP), "--json").json
    point = next(p for p in found["points"] if (p["load"], p["algorithm"]) == (0.9, "fcfs"))
    flows = [run["metrics"]["mean_flow"] for run in found["runs"] if (run["load"], run["algorithm"]) == (0.9, "fcfs")]
    said = point["metrics"]["mean_flow"]

    assert len(found["points"]) == 6
    assert point["n"] == len(flows) == 3
    assert said["mean"] == pytest.approx(statistics.mean(flows))
    assert said["std"] == pytest.approx(statistics.stdev(flows))
    assert (said["min"], said["max"]) == (min(flows), max(flows))
    c = statistics.stdev(flows) / statistics.mean(flows)
    assert said["low"] == pytest.approx(said["mean"] * math.exp(-4.302652729911275 * c / 3**0.5))
    assert (said["interval"], said["blocks"]) == ("log-t", 3)
    assert point["metrics"]["max_flow"]["interval"] == "bootstrap"
    assert point["warnings"][0] == "an interval of 3 blocks says little; take 5 or more independent draws"
    assert any("a maximum is bootstrapped from 3 blocks; take 20 or more" in one for one in point["warnings"])


def test_seeds_are_added_until_the_intervals_are_narrow(shadowtime, toml):
    text = (
        'workloads = ["uniform:jobs=60"]\nseeds = [1, 2]\nloads = [0.9]\nprocessors = 64\nalgorithms = ["fcfs", "easy"]'
    )
    answer = shadowtime("sweep", toml(text), "--until-width", "60%", "--budget", 12, "--json")
    found, precision = answer.json, answer.json["precision"]

    assert precision["state"] == "reached" and precision["width"] <= precision["until_width"] == 0.6
    assert 5 <= precision["blocks"] == precision["seeds"] <= 12
    assert found["runs_total"] == len(found["runs"]) == 2 * precision["seeds"]
    assert sorted({run["seed"] for run in found["runs"]}) == list(range(1, precision["seeds"] + 1))
    wide = text.replace("[1, 2]", str([*range(1, precision["seeds"] + 1)]))
    assert shadowtime("sweep", toml(wide), "--json").json["runs"] == found["runs"], "the same as in one go"


def test_a_budget_that_is_spent_is_stated_with_a_forecast(shadowtime, toml):
    text = 'workloads = ["uniform:jobs=60"]\nseeds = [1]\nloads = [0.9]\nprocessors = 64\nalgorithms = ["fcfs", "easy"]'
    answer = shadowtime("sweep", toml(text), "--until-width", "0.01", "--budget", 6)

    assert "wide after 6 blocks, not 1.00%, and the budget is spent; it would take about" in answer.out
    assert "In brackets: 95 % intervals over so many blocks" in answer.out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("--until-width", "wide"), "--until-width wide: that is no width, such as 5% or 0.05"),
        (("--until-width", "0%"), "that is no width"),
        (("--until-width", "5"), "--until-width 5: a width of 1 or more has a %, as 5% or 150%"),
        (("--budget", 9), "--budget and --metric need --until-width"),
        (("--until-width", "5%", "--budget", 2), "--budget 2, but the file has 3 seeds already"),
        (("--until-width", "5%", "--budget", 90_000), "--budget 90000 may need 540,000 runs; 100,000 is the most here"),
        (("--until-width", "5%", "--metric", "speed"), "unknown metric 'speed'"),
    ],
)
def test_a_wrong_goal_gets_one_sentence(shadowtime, toml, options, sentence):
    answer = shadowtime("sweep", toml(SWEEP), *options)

    assert answer.code == 2 and sentence in answer.err


def test_files_are_found_beside_the_sweep_and_a_failed_run_leaves_the_others(shadowtime, toml, tmp_path):
    (tmp_path / "four.swf").write_text(FOUR_SWF)
    text = (
        'workloads = ["four.swf", "uniform:jobs=20,processors=4"]\nalgorithms = ["easy"]\nnodes = 5\ncores_per_node=2'
    )
    answer = shadowtime("sweep", toml(text.replace("uniform:jobs=20,processors=4", "multitask:jobs=4")), "--json")

    assert answer.code == 2, "what no run could be is refused at once"
    answer = shadowtime("sweep", toml(text), "--json")
    assert answer.json["runs"][0]["metrics"]["makespan"] == 1110.0


def test_a_failed_run_is_told_and_the_others_stand(shadowtime, toml, tmp_path):
    (tmp_path / "bare.swf").write_text(FOUR_SWF.partition("\n")[2])
    text = 'workloads = ["bare.swf", "uniform:jobs=20"]\nconvert = ["estimates"]\nalgorithms = ["easy"]'
    answer = shadowtime("sweep", toml(text), "--json")
    found = json.loads(answer.out)

    assert answer.code == 1
    assert (found["runs_total"], found["finished"], found["failed"]) == (2, 1, 1)
    assert "does not say how many processors" in found["runs"][0]["error"]
    assert found["runs"][0]["run"] is None and found["points"][0]["n"] == 0
    assert found["points"][1]["metrics"]["makespan"]["low"] is None
    assert "1 failed: bare.swf does not say" in answer.err and "as `processors = N` in the file" in answer.err


def test_a_load_is_measured_on_the_machine_asked_for_where_the_log_names_none(shadowtime, toml, tmp_path):
    (tmp_path / "bare.swf").write_text(FOUR_SWF.partition("\n")[2])
    found = shadowtime(
        "sweep", toml('workloads = ["bare.swf"]\nloads = [0.5]\nprocessors = 10\nalgorithms = ["easy"]'), "--json"
    ).json

    assert found["runs"][0]["metrics"]["offered_load"] == pytest.approx(0.5)


def test_people_get_a_table_and_files(shadowtime, toml, tmp_path):
    answer = shadowtime("sweep", toml(SWEEP), "--out", tmp_path / "out")
    with (tmp_path / "out" / "runs.csv").open() as stream:
        rows = list(csv.DictReader(stream))
    import pyarrow.parquet

    points = pyarrow.parquet.read_table(tmp_path / "out" / "points.parquet").to_pydict()

    assert "over the load: 18 runs finished, 0 failed" in answer.out
    assert len(rows) == 18 and rows[0]["extra"] == "first" and float(rows[0]["mean_flow"]) > 0
    assert points["n"] == [3] * 6 and points["mean_flow_low"][0] < points["mean_flow_mean"][0]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("workloads = [", "sweep.toml is not TOML: "),
        (
            'workloads = ["uniform"]\nalgorithms = ["eazy"]',
            "sweep.toml: algorithms[0]: unknown algorithm 'eazy'; known:",
        ),
        (
            'workloads = ["nothing.swf"]\nalgorithms = ["easy"]',
            "sweep.toml: workloads[0]: there is no file 'nothing.swf'",
        ),
        ('workloads = ["uniform"]\nalgorithms = ["easy"]\nload = 1', "sweep.toml: unknown key 'load'; known: name,"),
    ],
)
def test_a_wrong_file_gets_one_sentence(shadowtime, toml, text, sentence):
    answer = shadowtime("sweep", toml(text), "--json")

    assert answer.code == 2 and sentence in answer.err


def test_no_file_gets_one_sentence(shadowtime, tmp_path):
    assert "was not read" in shadowtime("sweep", tmp_path / "nothing.toml").err


def test_rejected_jobs_and_warnings_are_printed(shadowtime, toml, tmp_path):
    (tmp_path / "small.swf").write_text(FOUR_SWF.replace("MaxProcs: 10", "MaxProcs: 6"))
    answer = shadowtime("sweep", toml('workloads = ["small.swf"]\nseeds = [1, 2]\nalgorithms = ["fcfs", "easy"]'))

    assert answer.code == 0
    assert "All points: up to 1 job of a run was rejected; the figures leave them out." in answer.out
    assert "All points: all 2 samples are equal: seeds change nothing here" in answer.out


def test_a_log_without_a_machine_is_refused_before_any_run(shadowtime, toml, tmp_path):
    (tmp_path / "bare.swf").write_text(FOUR_SWF.partition("\n")[2])
    text = 'workloads = ["bare.swf"]\nseeds = [1]\nalgorithms = ["fcfs"]'
    refused = shadowtime("sweep", toml(text))

    assert refused.code == 2
    assert (
        "sweep: bare.swf: " in refused.err and "name them as `processors = N` in the file of the sweep" in refused.err
    )
    assert shadowtime("sweep", toml("processors = 10\n" + text)).code == 0


def session_of(leader: int) -> list[str]:
    """Return the processes of a session that have not ended."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            state, _, _, session = stat.read_text().rpartition(")")[2].split()[:4]
            found += [stat.parent.name] if int(session) == leader and state != "Z" else []
    return found


@pytest.mark.usefixtures("interruptible")
@pytest.mark.parametrize(
    ("end", "code"), [(lambda pid: os.killpg(pid, signal.SIGINT), 130), (lambda pid: os.kill(pid, signal.SIGTERM), 143)]
)
def test_a_signal_ends_a_sweep_with_all_its_processes_and_one_sentence(toml, end, code):
    text = 'workloads = ["lublin:jobs=3000"]\nalgorithms = ["easy"]\nloads = [0.9]\nseeds = '
    command = [sys.executable, "-m", "shadowtime.dashboard.cli", "sweep", toml(text + str(list(range(1000))))]
    with subprocess.Popen(command, stderr=subprocess.PIPE, start_new_session=True) as sweep:
        said = b""
        while b"of 1,000 runs" not in said:
            said += os.read(sweep.stderr.fileno(), 4096)
        began = time.monotonic()
        end(sweep.pid)
        rest = sweep.stderr.read()  # ends when no process has it open
        took = time.monotonic() - began
        returned = sweep.wait()

    last = rest.decode().splitlines(keepends=True)[-1]
    assert returned == code and took < 5.0
    assert re.fullmatch(r"stopped after \d+ of 1,000 runs; nothing of the sweep was kept\n", last), rest
    assert session_of(sweep.pid) == []


def test_what_a_policy_prints_is_not_among_the_results(tmp_path):
    shutil.copytree(Path(__file__).parents[2] / "plugin", tmp_path / "site")
    with (tmp_path / "site" / "licensed_jobs" / "__init__.py").open("a") as plugin:
        plugin.write(LOUD)
    (tmp_path / "sweep.toml").write_text(
        'workloads = ["licensed:jobs=5"]\nseeds = [1]\nalgorithms = ["licence-fcfs"]\n'
    )

    path = os.pathsep.join([str(tmp_path / "site"), *sys.path])
    command = [sys.executable, "-m", "shadowtime.dashboard.cli", "sweep", str(tmp_path / "sweep.toml"), "--json"]
    answer = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": path}, timeout=120)

    assert json.loads(answer.stdout)["finished"] == 1, answer.stderr
    assert "printed by the policy" in answer.stderr


def test_what_was_printed_before_ctrl_c_is_not_among_the_results_either():
    program = (
        "from shadowtime.dashboard.cli import sweep\n"
        "try:\n"
        "    with sweep._prints_as_errors(owns_process=True):\n"
        "        print('by a policy')\n"
        "        raise KeyboardInterrupt\n"
        "except KeyboardInterrupt:\n"
        "    print('a result')\n"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)

    assert (answer.stdout, answer.stderr) == ("a result\n", "by a policy\n")


LOUD = """

_decide = LicenceFcfs.decide


def _loud(self, desk):
    print("printed by the policy", flush=True)
    return _decide(self, desk)


LicenceFcfs.decide = _loud
"""


def test_seeds_that_change_other_metrics_than_those_printed_change_something(shadowtime, toml):
    """30 jobs on 128 processors wait for nothing: waits and slowdowns are equal, makespans are not."""
    text = 'workloads = ["lublin:jobs=30"]\nalgorithms = ["easy", "fcfs"]\nseeds = [1, 2]'

    assert "seeds change nothing" not in shadowtime("sweep", toml(text)).out
