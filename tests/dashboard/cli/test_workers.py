"""`shadowtime workers`: workers here, a Slurm script that is run with a stand-in, and a Kubernetes manifest."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from shadowtime.dashboard.cli.services import Service
from shadowtime.dashboard.cli.worker_services import WorkerServices
from tests.workers.lab import ROOT, Lab, wait_for

SECRETS = {
    "REDIS_URL": "redis://:sesame-1@queue.example/0",
    "SHADOWTIME_DATABASE": "postgresql+psycopg://shadow:sesame-2@records.example/shadowtime?sslmode=require&a=b",
    "SHADOWTIME_BLOBS": "s3://bucket/it's here",
}
STAND_IN = """\
#!/bin/bash
# Record arguments and environment; end at TERM with the code 7, after a moment, as a worker that requeues its run.
printf '%s\\n' "$@" > "$RECORD/arguments"
env -0 > "$RECORD/environment"
touch "$SHADOWTIME_STORE/something"
trap 'sleep 0.3; echo requeued > "$RECORD/stopped"; exit 7' TERM
[ -z "$QUICK" ] || exit 0
touch "$RECORD/ready"
while :; do sleep 0.05; done
"""
needs_bash = pytest.mark.skipif(not shutil.which("bash"), reason="no bash on this machine")


class Cluster:
    """A folder with a home, a scratch folder, a stand-in for `shadowtime`, and the script of a task."""

    def __init__(self, folder: Path, script: str):
        self.record, self.temporary = folder / "record", folder / "scratch of a node"
        self.settings = folder / "home" / ".config" / "shadowtime" / "workers.env"
        for place in (self.record, self.temporary, self.settings.parent, folder / "bin"):
            place.mkdir(parents=True)
        self.script = folder / "workers.sh"
        self.script.write_text(script)
        stand_in = folder / "bin" / "shadowtime"
        stand_in.write_text(STAND_IN)
        stand_in.chmod(0o755)
        self.write_settings(SECRETS)
        self.environment = {
            "HOME": str(folder / "home"),
            "PATH": os.pathsep.join([str(folder / "bin"), os.defpath, "/usr/bin", "/bin"]),
            "SLURM_TMPDIR": str(self.temporary),
            "RECORD": str(self.record),
        }

    def write_settings(self, values: dict[str, str], mode: int = 0o600) -> None:
        self.settings.write_text("".join(f"{name}={shlex.quote(value)}\n" for name, value in values.items()))
        self.settings.chmod(mode)

    def start(self, **more: str) -> subprocess.Popen:
        environment = {**self.environment, **more}
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
        # A shell cannot trap a signal that was ignored when it began, as INT is for tests run in the background.
        defaults = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}
        return subprocess.Popen(["bash", str(self.script)], env=environment, cwd=self.record, **pipes, **defaults)

    def seen(self) -> dict[str, str]:
        """The environment of the stand-in."""
        entries = (self.record / "environment").read_text().split("\0")
        return dict(entry.split("=", 1) for entry in entries if entry)


@pytest.fixture
def cluster(shadowtime, tmp_path):
    """The script of two workers, ready to run."""
    return Cluster(tmp_path, shadowtime("workers", "--slurm", "--count", 2, "--idle-end", 60).out)


@needs_bash
@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--count", "10000", "--time", "100:00:00", "--cpus", "4", "--memory", "64G", "--idle-end", "0"],
        ["--partition", "a.b/c-d", "--account", "x@y:z"],
    ],
)
def test_the_script_is_bash(shadowtime, options):
    script = shadowtime("workers", "--slurm", *options).out

    check = subprocess.run(["bash", "-n"], input=script, capture_output=True, text=True, check=False)
    assert (check.returncode, check.stderr) == (0, "")


def test_the_script_asks_slurm_for_what_the_options_say(shadowtime):
    options = [
        "--count",
        50,
        "--time",
        "04:05:06",
        "--cpus",
        2,
        "--memory",
        "16G",
        "--partition",
        "p",
        "--account",
        "a",
    ]
    script = shadowtime("workers", "--slurm", *options).out

    asked = dict(re.findall(r"^#SBATCH --([a-z-]+)=(\S+)$", script, re.MULTILINE))
    assert script.startswith("#!/bin/bash\n#SBATCH")
    assert asked == {
        "job-name": "shadowtime-workers",
        "array": "0-49",
        "ntasks": "1",
        "cpus-per-task": "2",
        "mem": "16G",
        "time": "04:05:06",
        "partition": "p",
        "account": "a",
        "signal": "B:TERM@60",
        "output": "shadowtime-worker-%A_%a.log",
    }
    assert "SHADOWTIME_RUN_MEMORY:-15032385536}" in script


@pytest.mark.parametrize("target", [["--slurm"], ["--kubernetes", "--image", "shadowtime"]])
def test_no_secret_of_the_environment_is_written(shadowtime, monkeypatch, target):
    for name, value in {**SECRETS, "SHADOWTIME_TOKEN": "sesame-4"}.items():
        monkeypatch.setenv(name, value)

    text = shadowtime("workers", *target).out

    assert "sesame" not in text and "queue.example" not in text.replace("password@queue.example", "")


@needs_bash
def test_a_task_runs_one_worker_with_the_settings_of_the_file(cluster):
    task = cluster.start(QUICK="1")
    out, err = task.communicate(timeout=30)

    assert (task.returncode, err) == (0, "")
    assert (cluster.record / "arguments").read_text().split() == ["workers", "--count", "1", "--idle-end", "60"]
    seen = cluster.seen()
    assert {name: seen[name] for name in SECRETS} == SECRETS
    assert (seen["OMP_NUM_THREADS"], seen["NUMBA_NUM_THREADS"]) == ("1", "1")
    assert seen["SHADOWTIME_RUN_MEMORY"] == str(7 * 2**30)
    assert Path(seen["SHADOWTIME_STORE"]).parent == cluster.temporary
    assert list(cluster.temporary.iterdir()) == [], "the scratch folder is removed"
    assert "sesame" not in out


@needs_bash
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_stop_is_forwarded_and_the_scratch_folder_removed_after_it(cluster, sent):
    task = cluster.start()
    wait_for(lambda: (cluster.record / "ready").exists(), "stand-in")
    (scratch,) = cluster.temporary.iterdir()
    assert scratch.stat().st_mode & 0o777 == 0o700

    task.send_signal(sent)
    task.send_signal(sent)  # as Slurm may, to all processes of a task

    task.communicate(timeout=30)
    assert task.returncode == 7, "the script waits for the worker and ends with its code"
    assert (cluster.record / "stopped").read_text() == "requeued\n"
    assert list(cluster.temporary.iterdir()) == []


@needs_bash
def test_another_file_of_settings_may_be_named(cluster, tmp_path):
    other = cluster.record / "other.env"
    cluster.settings.rename(other)

    task = cluster.start(QUICK="1", SHADOWTIME_ENVIRONMENT="other.env")
    task.communicate(timeout=30)

    assert task.returncode == 0
    assert cluster.seen()["REDIS_URL"] == SECRETS["REDIS_URL"]


@needs_bash
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda cluster: cluster.settings.unlink(), "there is no file"),
        (lambda cluster: cluster.settings.chmod(0o640), "mode 600"),
        (lambda cluster: cluster.write_settings({"REDIS_URL": "redis://x"}), "must set SHADOWTIME_DATABASE"),
        (lambda cluster: (cluster.script.parent / "bin" / "shadowtime").unlink(), "not on the PATH"),
        (lambda cluster: cluster.temporary.rmdir(), "no scratch folder"),
    ],
    ids=["no file", "readable for others", "incomplete", "no program", "no scratch"],
)
def test_a_task_that_cannot_start_says_why(cluster, change, sentence):
    change(cluster)
    task = cluster.start(QUICK="1")
    _, err = task.communicate(timeout=30)

    assert task.returncode == 1
    assert sentence in err and "sesame" not in err
    assert not (cluster.record / "arguments").exists()
    assert not cluster.temporary.exists() or list(cluster.temporary.iterdir()) == []


def test_the_manifest_is_json_and_yaml_of_a_job(shadowtime):
    options = ["--count", 5, "--image", "registry.example:5000/shadowtime@sha256:ab", "--namespace", "lab"]
    limits = ["--cpus", 2, "--memory", "4G", "--time", "01:00:00", "--secret", "urls"]
    text = shadowtime("workers", "--kubernetes", *options, *limits).out
    manifest = json.loads(text)

    assert pytest.importorskip("yaml").safe_load(text) == manifest
    assert (manifest["apiVersion"], manifest["kind"]) == ("batch/v1", "Job")
    assert manifest["metadata"]["namespace"] == "lab"
    spec = manifest["spec"]
    assert (spec["completions"], spec["parallelism"], spec["activeDeadlineSeconds"]) == (5, 5, 3600)
    assert spec["backoffLimit"] == 10 and spec["ttlSecondsAfterFinished"] > 0
    pod = spec["template"]["spec"]
    assert (pod["restartPolicy"], pod["terminationGracePeriodSeconds"]) == ("OnFailure", 60)
    assert pod["securityContext"]["runAsNonRoot"] and pod["securityContext"]["runAsUser"] > 0
    (worker,) = pod["containers"]
    assert worker["command"] == ["shadowtime", "workers", "--count", "1", "--idle-end", "300"]
    assert worker["image"] == "registry.example:5000/shadowtime@sha256:ab"
    assert worker["envFrom"] == [{"secretRef": {"name": "urls"}}]
    assert worker["resources"]["limits"] == worker["resources"]["requests"] == {"cpu": "2", "memory": "4Gi"}
    assert worker["securityContext"]["readOnlyRootFilesystem"]
    mounts = {mount["name"]: mount["mountPath"] for mount in worker["volumeMounts"]}
    assert {volume["name"] for volume in pod["volumes"] if volume["emptyDir"] == {}} == set(mounts)
    store = next(entry["value"] for entry in worker["env"] if entry["name"] == "SHADOWTIME_STORE")
    assert store.startswith(mounts["scratch"] + "/") and mounts["tmp"] == "/tmp"


@pytest.mark.parametrize(
    ("target", "start"), [(["--slurm"], "sbatch"), (["--kubernetes", "--image", "x"], "kubectl create -f")]
)
def test_a_script_goes_to_a_file_and_what_starts_it_is_printed(shadowtime, tmp_path, target, start):
    file = tmp_path / "my workers"
    said = shadowtime("workers", *target, "--out", file)

    assert (said.code, said.out) == (0, f"Start the workers with: {start} '{file}'\n")
    assert file.read_text() == shadowtime("workers", *target).out


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--slurm", "--kubernetes", "--image", "x"], "not allowed with argument --slurm"),
        (["--slurm", "--partition", "a b"], "argument --partition: 'a b', but it must have only letters, digits"),
        (["--slurm", "--partition", "a\n#SBATCH --x"], r"argument --partition: 'a\n#SBATCH --x', but"),
        (["--slurm", "--account", "a\n"], r"argument --account: 'a\n', but it must have only"),
        (["--slurm", "--account", "$(id)"], "argument --account: '$(id)', but it must have only"),
        (["--kubernetes", "--image", 'x"y'], "argument --image: 'x\"y', but it must have only"),
        (["--kubernetes", "--image", ""], "--image: its value is empty"),
        (["--kubernetes", "--image", "x", "--namespace", "ü"], "argument --namespace: 'ü', but it must have only"),
        (["--kubernetes"], "--kubernetes needs --image"),
        (["--slurm", "--image", "x"], "--image goes with --kubernetes only"),
        (["--kubernetes", "--image", "x", "--partition", "p"], "--partition goes with --slurm only"),
        (["--time", "01:00:00"], "--time goes with --slurm or --kubernetes only"),
        (["--out", "x"], "--out goes with --slurm or --kubernetes only"),
        (["--slurm", "--time", "00:01:59"], "'00:01:59', but it must be HH:MM:SS, 00:02:00 or more"),
        (["--slurm", "--time", "1:00"], "argument --time: '1:00', but it must be HH:MM:SS"),
        (["--slurm", "--time", "01:60:00"], "'01:60:00', but it must be HH:MM:SS"),
        (["--slurm", "--memory", "8"], "argument --memory: '8', but it must be a whole number with G or T"),
        (["--slurm", "--memory", "0G"], "argument --memory: '0G', but it must be"),
        (["--slurm", "--count", "0"], "argument --count: '0', but it must be a whole number from 1 to 10000"),
        (["--slurm", "--count", "10001"], "from 1 to 10000"),
        (["--slurm", "--cpus", "1.5"], "argument --cpus: '1.5', but it must be a whole number from 1 to 1024"),
        (["--idle-end", "-1"], "argument --idle-end: '-1', but it must be a whole number, 0 or more"),
        (["--slurm", "--out", "/nowhere/x"], "there is no folder /nowhere"),
    ],
)
def test_a_wrong_option_is_refused_in_one_line(shadowtime, options, sentence):
    answer = shadowtime("workers", *options)

    assert answer.code == 2
    assert sentence in answer.err


def test_a_wrong_setting_is_refused_before_a_worker_starts(shadowtime, monkeypatch):
    monkeypatch.setenv("REDIS_URL", "cluster")
    assert "REDIS_URL = 'cluster'" in shadowtime("workers").err
    monkeypatch.setenv("REDIS_URL", "redis://queue")
    monkeypatch.setenv("SHADOWTIME_IDLE_END", "soon")
    assert shadowtime("workers").code == 2


@pytest.fixture
def services(tmp_path):
    """Makes WorkerServices of pieces of Python code; ends what still runs afterwards."""
    made = []

    def make(*codes: str) -> WorkerServices:
        commands = [f"{shlex.quote(sys.executable)} -c {shlex.quote(code)}" for code in codes]
        made.append(
            WorkerServices([Service(f"worker.{i}", one) for i, one in enumerate(commands)], os.environ, tmp_path)
        )
        return made[-1]

    yield make
    for one in made:
        one.stop()


def tend_until(services: WorkerServices, condition) -> None:
    wait_for(lambda: (services.tend(), condition())[1], "end of the processes")


@pytest.mark.parametrize(("code", "has_failed"), [("pass", False), ("raise SystemExit(3)", True)])
def test_a_worker_that_ends_is_not_started_again(services, capfd, code, has_failed):
    workers = services(code)
    tend_until(workers, lambda: not workers.services)

    assert workers.has_failed == has_failed
    assert f"ended (exit code {3 if has_failed else 0})" in capfd.readouterr().out


def test_a_killed_worker_is_started_again(services):
    workers = services("import time; time.sleep(600)")
    tend_until(workers, lambda: workers.services[0].running)
    (worker,) = workers.services
    before = worker.process.pid
    os.kill(before, signal.SIGKILL)

    tend_until(workers, lambda: worker.running and worker.process.pid != before)


def test_workers_have_time_to_requeue_their_runs(services, tmp_path):
    """Longer than `shadowtime up` waits, which asks twice within two seconds."""
    code = (
        "import signal, time, pathlib\n"
        "def stop(number, frame):\n"
        "    time.sleep(2.5); pathlib.Path('requeued').touch(); raise SystemExit\n"
        "signal.signal(signal.SIGTERM, stop); pathlib.Path('ready').touch(); time.sleep(600)"
    )
    workers = services(code)
    tend_until(workers, (tmp_path / "ready").exists)

    workers.stop()

    assert (tmp_path / "requeued").exists()


@pytest.fixture
def redis_lab(tmp_path, free_port):
    """A store and a real Redis of their own."""
    with Lab(tmp_path, free_port) as laboratory:
        laboratory.start_redis()
        yield laboratory


@pytest.mark.integration
def test_workers_here_execute_runs_and_end_when_idle(redis_lab, tmp_path):
    (tmp_path / "redis.py").write_text("raise SystemError('a file of the current folder is not a module of ours')")
    command = [sys.executable, "-P", "-m", "shadowtime.dashboard.cli", "workers", "--count", "2", "--idle-end", "5"]
    digest = redis_lab.ask()
    process = subprocess.Popen(command, cwd=tmp_path, env=redis_lab.environment(), stdout=subprocess.PIPE, text=True)
    try:
        redis_lab.wait_for_status(digest, "finished", 120)
        out, _ = process.communicate(timeout=60)
    finally:
        process.kill()

    assert process.returncode == 0
    assert out.count("ended (exit code 0)") == 2 and "worker.2 | " in out


@pytest.mark.integration
def test_workers_here_stop_on_request(redis_lab):
    command = [sys.executable, "-m", "shadowtime.dashboard.cli", "workers", "--count", "1"]
    process = subprocess.Popen(command, cwd=ROOT, env=redis_lab.environment())
    try:
        wait_for(lambda: redis_lab.queue.health().workers == 1, "worker", 120)
        began = time.monotonic()
        process.terminate()
        assert process.wait(30) == 0
        assert time.monotonic() - began < 5.0
    finally:
        process.kill()
        process.wait()
