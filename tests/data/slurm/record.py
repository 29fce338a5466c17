"""Record what a real Slurm controller does with drawn jobs: `python -m tests.data.slurm.record weights FOLDER`.

Runs as root on a machine with a freshly started Slurm 22.05: slurmctld, slurmdbd and 32 slurmd of 4 cores, accounts
physics, biology, chem and chemlab (below chem) with the users u1 to u12. Jobs are sleeps, submitted in real time.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.data.slurm.cases import CASES, Case
from tests.data.slurm.loops import rows

CONF = Path("/etc/slurm/slurm.conf")
LOGGED = {"LogTimeFormat": "iso8601_ms", "SlurmctldDebug": "debug3", "DebugFlags": "Priority,Backfill"}
SPRIO = "jobid|user|partition|priority|age_w|fairshare_w|jobsize_w|partition_w|qos_w|nice"
NORMALISED = "age_n|fairshare_n|jobsize_n|partition_n|qos_n"
LAST = {
    "config.txt": "scontrol show config",
    "partitions.txt": "scontrol show partition",
    "assoc.psv": "sacctmgr -P show assoc tree",
    "qos.psv": "sacctmgr -P show qos",
    "sdiag.txt": "sdiag",
}
LARGE = ("loops.psv", "sprio.psv", "sshare.psv", "squeue.jsonl", "sacct.psv")


def answer(*command: str, check: bool = False) -> str:
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=check).stdout


def setting(name: str, text: str) -> str:
    found = re.search(rf"^{name}=(.*)$", text, re.MULTILINE)
    if not found:
        raise SystemExit(f"slurm.conf has no {name}")
    return found[1]


def restarted(pid_file: Path) -> None:
    """Stop the daemon of this pid file and start it again with the same command line."""
    pid = int(pid_file.read_text())
    command = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")[:-1]
    os.kill(pid, signal.SIGTERM)
    while Path(f"/proc/{pid}/stat").exists() and Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z":
        time.sleep(0.05)
    silent = subprocess.DEVNULL
    subprocess.Popen(command, stdin=silent, stdout=silent, stderr=silent, start_new_session=True)


def wait_until(reached: Callable[[], bool], seconds: float) -> None:
    end = time.time() + seconds
    while not reached():
        if time.time() > end:
            raise SystemExit("the cluster did not get ready")
        time.sleep(0.2)


def configure(case: Case) -> None:
    """Write the case's slurm.conf, gres.conf and associations, and restart all daemons."""
    for command in case.accounting:
        answer("sacctmgr", "-i", *command.split(), check=True)
    old = CONF.read_text()
    changed = {**LOGGED, **case.settings}
    node = setting("NodeName", old).split(" CPUs=")[0].split(" ", 1)[1]
    kept = [line for line in old.splitlines() if line.split("=")[0] not in {*changed, "NodeName", "PartitionName"}]
    host, ports = re.match(r"(.*) Port=\[(.*)\]", node).groups()
    first = int(ports.split("-")[0])
    for start, end, resources in case.nodes:
        names = f"n[{start:03}-{end:03}] {host} Port=[{first + start - 1}-{first + end - 1}]"
        kept.append(f"NodeName={names} CPUs=4 {resources} State=UNKNOWN")
    kept += [f"{key}={value}" for key, value in changed.items() if value]
    kept += [f"PartitionName={partition} State=UP" for partition in case.partitions]
    CONF.write_text("\n".join(kept) + "\n")
    CONF.with_name("gres.conf").write_text("".join(f"{line}\n" for line in case.gres))
    Path(setting("SlurmctldLogFile", old)).write_text("")
    restarted(Path(setting("SlurmctldPidFile", old)))
    wait_until(lambda: "lab" in answer("scontrol", "show", "config"), 30)
    for pid_file in sorted(Path(setting("SlurmdPidFile", old)).parent.glob("slurmd.n*.pid")):
        restarted(pid_file)
    wait_until(lambda: answer("sinfo", "-h", "-N", "-t", "idle", "-o", "%N").split().count("n001") > 0, 30)
    wait_until(lambda: len(set(answer("sinfo", "-h", "-N", "-t", "idle", "-o", "%N").split())) == 32, 90)


def submit(job: dict, ids: dict[str, str]) -> None:
    """Submit a job; `{label}` in its options is the id of the job with that label."""
    options = [option.format(**ids) for option in job["options"]]
    who = [f"--uid={job['user']}", f"--gid={job['user']}", "-A", job["account"]]
    end = ["-o", "/dev/null", "-D", "/tmp", "--wrap", job.get("script") or f"sleep {job['run']}"]
    command = ["sbatch", "--parsable", *who, *options, *end]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    job |= {"job": done.stdout.strip(), "error": done.stderr.strip(), "sent": round(time.time(), 3)}
    if job.get("label"):
        ids[job["label"]] = job["job"]


class Snapshots:
    """Files to which each snapshot of the queue, the priorities and the usage is appended."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.head = False
        self.next = time.time()
        for name in ("sprio.psv", "sshare.psv", "squeue.jsonl"):
            (folder / name).write_text("")
        self.append("sprio.psv", f"time|{SPRIO}|{NORMALISED}\n")

    def append(self, name: str, text: str) -> None:
        with (self.folder / name).open("a") as file:
            file.write(text)

    def take(self, seconds: float) -> None:
        if time.time() < self.next:
            return
        self.next += seconds
        stamp = f"{time.time():.2f}"
        lines = answer("sprio", "-h", "-o", "%i|%u|%r|%Y|%A|%F|%J|%P|%Q|%N|%a|%f|%j|%p|%q").splitlines()
        cells = ["|".join(cell.strip() for cell in line.split("|")) for line in lines]
        self.append("sprio.psv", "".join(f"{stamp}|{line}\n" for line in cells))
        head, *tree = answer("sshare", "-a", "-l", "-P").splitlines()
        if not self.head:
            self.append("sshare.psv", f"time|{head}\n")
            self.head = True
        self.append("sshare.psv", "".join(f"{stamp}|{line}\n" for line in tree))
        queue = answer("squeue", "-h", "-a", "-o", "%i|%t|%Q|%C|%S|%e|%N|%r").splitlines()
        row = {"time": float(stamp), "jobs": [line.split("|") for line in queue]}
        self.append("squeue.jsonl", json.dumps(row) + "\n")


def play(jobs: list[dict], ids: dict[str, str], snapshots: Snapshots, every: float, until: float = 0.0) -> float:
    """Submit each job at its instant, take snapshots, and return the begin once all ended and `until` is over."""
    begin, left = time.time(), sorted(jobs, key=lambda job: job["at"])
    while left or time.time() < begin + until or answer("squeue", "-h").strip():
        while left and left[0]["at"] <= time.time() - begin:
            job = left.pop(0)
            if job.get("control"):
                command = [part.format(**ids) for part in job["control"]]
                job |= {"said": answer(*command), "sent": round(time.time(), 3)}
            else:
                submit(job, ids)
        snapshots.take(every)
        time.sleep(0.05)
    return begin


def cores(jobs: list[dict]) -> dict[str, dict[str, list[int]]]:
    """Return the cores that each job held on each node; every core of these nodes is a socket of its own."""
    held = {}
    for job in jobs:
        nodes = (job["job_resources"] or {}).get("allocated_nodes", [])
        held[str(job["job_id"])] = {node["nodename"]: sorted(map(int, node["sockets"])) for node in nodes}
    return held


def collect(folder: Path, since: float) -> None:
    """Write what is known at the end: accounting, cores, settings, and the extract of the log."""
    time.sleep(4)
    start = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(since - 2))
    (folder / "sacct.psv").write_text(answer("sacct", "-a", "-P", "-S", start, "-o", "ALL"))
    jobs = json.loads(answer("squeue", "--json"))["jobs"]
    (folder / "cores.json").write_text(json.dumps(cores(jobs)))
    settings = {name: answer(*command.split()) for name, command in LAST.items()}
    settings |= {name: CONF.with_name(name).read_text() for name in ("slurm.conf", "gres.conf")}
    home = str(Path(setting("StateSaveLocation", CONF.read_text())).parent)
    for name, text in settings.items():
        (folder / name).write_text(text.replace(home, "/var/lib/slurm"))
    log = Path(setting("SlurmctldLogFile", CONF.read_text()))
    extract = ["time|loop|event|job|detail", *rows(log.read_text(errors="replace").splitlines())]
    (folder / "loops.psv").write_text("".join(f"{row}\n" for row in extract))
    for file in LARGE:
        (folder / f"{file}.gz").write_bytes(gzip.compress((folder / file).read_bytes(), 9, mtime=0))
        (folder / file).unlink()


def main(name: str, out: str) -> None:
    case, folder = CASES[name], Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    configure(case)
    since, ids, snapshots = time.time(), {}, Snapshots(folder)
    history, jobs = case.history(), case.jobs()
    if history:
        play(history, ids, snapshots, case.every, case.history_seconds)
    (folder / "sshare_first.psv").write_text(answer("sshare", "-a", "-l", "-P"))
    begin = play(jobs, ids, snapshots, case.every)
    asked = {"since": since, "begin": begin, "history": history, "jobs": jobs}
    (folder / "asked.json").write_text(json.dumps(asked, indent=0))
    collect(folder, since)
    print(f"{name}: {len(jobs)} jobs in {time.time() - begin:.0f} s")


if __name__ == "__main__":
    main(*sys.argv[1:])
