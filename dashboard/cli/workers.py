"""`shadowtime workers`: workers on this machine, or the script that starts them on a cluster."""

from __future__ import annotations

import argparse
import os
import re
import shlex
import sys
from typing import TYPE_CHECKING, Any

from shadowtime.dashboard.cli import question
from shadowtime.dashboard.cli.parser import Refusal, between, reason, whole
from shadowtime.dashboard.cli.worker_services import serve

if TYPE_CHECKING:
    from shadowtime.workers.worker_job import WorkerJob

SUMMARY = "start workers, or write a script that starts them on a cluster"
DESCRIPTION = """\
Start workers on this machine and run them until Ctrl-C. They take runs from the queue at REDIS_URL and store
results as SHADOWTIME_STORE, SHADOWTIME_DATABASE and SHADOWTIME_BLOBS configure. Or write a job array for Slurm, or a
Job for Kubernetes; neither holds a password."""
EPILOG = """\
examples:
  shadowtime workers --count 4 --idle-end 600
  shadowtime workers --slurm --count 50 --time 04:00:00 --memory 8G -o workers.sh
  shadowtime workers --kubernetes --count 50 --image registry.example/shadowtime:0.1.0 -o workers.json"""

MOST_WORKERS = 10_000
MOST_CPUS = 1024
SHORTEST = 120
"""Seconds of the shortest time limit: workers get the signal to stop a minute before it."""
CPUS, MEMORY, IDLE_END, SECRET = 1, "8G", 300, "shadowtime-workers"
"""Defaults of a script."""
SLURM, KUBERNETES = "slurm", "kubernetes"
TARGETS = {
    "time": (SLURM, KUBERNETES),
    "cpus": (SLURM, KUBERNETES),
    "memory": (SLURM, KUBERNETES),
    "out": (SLURM, KUBERNETES),
    "partition": (SLURM,),
    "account": (SLURM,),
    "image": (KUBERNETES,),
    "namespace": (KUBERNETES,),
    "secret": (KUBERNETES,),
}
"""The scripts that each option is part of."""


def name(text: str) -> str:
    """Return a name that needs quotes nowhere."""
    if not re.fullmatch(r"[A-Za-z0-9._/@:-]{1,255}", text):
        raise argparse.ArgumentTypeError(f"{text[:80]!r}, but it must have only letters, digits and . _ / @ : -")
    return text


def memory(text: str) -> str:
    """Return an amount of memory with its unit."""
    if not re.fullmatch(r"[1-9][0-9]{0,5}[GT]", text):
        raise argparse.ArgumentTypeError(f"{text[:80]!r}, but it must be a whole number with G or T, such as 8G")
    return text


def limit(text: str) -> int:
    """Return the seconds of a time limit HH:MM:SS."""
    found = re.fullmatch(r"([0-9]{2,4}):([0-5][0-9]):([0-5][0-9])", text)
    hours, minutes, rest = (int(part) for part in found.groups()) if found else (0, 0, 0)
    if (seconds := 3600 * hours + 60 * minutes + rest) < SHORTEST:
        raise argparse.ArgumentTypeError(f"{text[:80]!r}, but it must be HH:MM:SS, 00:02:00 or more")
    return seconds


def configure(parser: argparse.ArgumentParser) -> None:
    """Where workers start, how many, and what each may use."""
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--slurm", dest="target", action="store_const", const=SLURM, help="write the script of a Slurm job array"
    )
    where.add_argument(
        "--kubernetes", dest="target", action="store_const", const=KUBERNETES, help="write a Kubernetes Job"
    )
    add: Any = parser.add_argument
    number = between(1, MOST_WORKERS)
    add("--count", type=number, metavar="N", help="number of workers (number of cores; 1 in a script)")
    add(
        "--idle-end",
        type=whole,
        metavar="S",
        help="seconds without work after which a worker ends, 0: never ($SHADOWTIME_IDLE_END; 300 in a script)",
    )
    add("--time", type=limit, metavar="HH:MM:SS", help="time limit (default of the cluster)")
    add("--cpus", type=between(1, MOST_CPUS), metavar="N", help=f"processors of a worker ({CPUS})")
    add("--memory", type=memory, metavar="SIZE", help=f"memory of a worker ({MEMORY})")
    add("--partition", type=name, metavar="NAME", help="partition of Slurm")
    add("--account", type=name, metavar="NAME", help="account of Slurm")
    add("--image", type=name, metavar="IMAGE", help="container image, required with --kubernetes")
    add("--namespace", type=name, metavar="NAME", help="namespace of the Job (default of kubectl)")
    add("--secret", type=name, metavar="NAME", help=f"Secret with URLs and credentials ({SECRET})")
    add("-o", "--out", metavar="FILE", help="output file (standard output)")


def run(options: argparse.Namespace) -> int:
    """Write a script, or start workers here."""
    for option, targets in TARGETS.items():
        if getattr(options, option) is not None and options.target not in targets:
            raise Refusal(f"workers: --{option} goes with {' or '.join(f'--{target}' for target in targets)} only")
    if options.target == SLURM:
        from shadowtime.workers.slurm_script import slurm_script

        return write(slurm_script(job(options), options.partition, options.account), "sbatch", options.out)
    if options.target == KUBERNETES:
        from shadowtime.workers.kubernetes_job import kubernetes_job

        if options.image is None:
            raise Refusal("workers: --kubernetes needs --image, the container image of the workers")
        text = kubernetes_job(job(options), options.image, options.secret or SECRET, options.namespace)
        return write(text, "kubectl create -f", options.out)
    return serve(options.count or cores(), options.idle_end)


def job(options: argparse.Namespace) -> WorkerJob:
    """Return what the options require of a cluster."""
    from shadowtime.workers.worker_job import WorkerJob

    return WorkerJob(
        workers=options.count or 1,
        cpus=options.cpus or CPUS,
        memory=options.memory or MEMORY,
        seconds=options.time,
        idle_end=IDLE_END if options.idle_end is None else options.idle_end,
    )


def write(text: str, command: str, path: str | None) -> int:
    """Write a script to a file, or to standard output; `command` is what starts it."""
    if path is None:
        sys.stdout.write(text)
        return 0
    from shadowtime.workers import outputs

    target = question.output(path)
    try:
        outputs.write(target, text)
    except OSError as error:
        raise Refusal(f"-o {path} was not written: {reason(error)}") from error
    print(f"Start the workers with: {command} {shlex.quote(path)}")
    return 0


def cores() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
