"""Write the script of a Slurm job array whose tasks are workers.

The script holds no password: it reads URLs and credentials from a file that only its user can read.
"""

from __future__ import annotations

import shlex

from shadowtime.workers.worker_job import THREADS, WorkerJob

COMMENTS = """\
# Workers of a Shadowtime laboratory, one in each task of this array. Submit it with sbatch.
#
# No password is in this script. Each task reads the file that SHADOWTIME_ENVIRONMENT names, by default
# $HOME/.config/shadowtime/workers.env. It is a piece of shell script with mode 600 that must set
#
#     REDIS_URL='rediss://:password@queue.example:6379/0'
#     SHADOWTIME_DATABASE='postgresql+psycopg://user:password@records.example/shadowtime'
#     SHADOWTIME_BLOBS='s3://bucket/prefix'
#
# and may set other variables, such as the credentials of the bucket, or a PATH with the program `shadowtime`.
# What it sets is exported to the worker and printed nowhere.
#
# Slurm sends TERM to this script 60 s before the time limit. The worker then requeues its run and ends.
"""

PREPARE = """
umask 077

fail() {
    echo "shadowtime: $*" >&2
    exit 1
}

settings=${SHADOWTIME_ENVIRONMENT:-$HOME/.config/shadowtime/workers.env}
case $settings in /*) ;; *) settings=$PWD/$settings ;; esac
[ -f "$settings" ] || fail "there is no file $settings; set SHADOWTIME_ENVIRONMENT to the file of the workers' settings"
[ -O "$settings" ] && [ "$(stat -L -c %a -- "$settings")" = 600 ] ||
    fail "$settings holds passwords: it must belong to you and have mode 600"
set -a
. "$settings" || fail "$settings could not be read"
set +a
for name in REDIS_URL SHADOWTIME_DATABASE SHADOWTIME_BLOBS; do
    [ -n "${!name:-}" ] || fail "$settings must set $name"
done
export REDIS_URL SHADOWTIME_DATABASE SHADOWTIME_BLOBS
command -v shadowtime >/dev/null || fail "the program shadowtime is not on the PATH; $settings may set it"

worker=
stop() {
    trap '' TERM INT HUP
    [ -n "$worker" ] || worker=$! # a signal between the start and the assignment
    [ -n "$worker" ] || exit 143
    kill -TERM "$worker" 2>/dev/null
    wait "$worker"
    code=$?
    while kill -0 "$worker" 2>/dev/null; do # a second signal ends `wait` early
        wait "$worker"
        code=$?
    done
    exit $code
}
trap stop TERM INT HUP

scratch=
trap '[ -z "$scratch" ] || rm -rf -- "$scratch"' EXIT
scratch=$(mktemp -d "${SLURM_TMPDIR:-${TMPDIR:-/tmp}}/shadowtime-worker.XXXXXXXX") || fail "no scratch folder was made"
export SHADOWTIME_STORE="$scratch"
"""

WAIT = """\
wait "$worker"
exit $?
"""


def slurm_script(job: WorkerJob, partition: str | None = None, account: str | None = None) -> str:
    """Return the script of a job array with one worker in each task, for `sbatch`."""
    directives = {
        "job-name": "shadowtime-workers",
        "array": f"0-{job.workers - 1}",
        "ntasks": "1",
        "cpus-per-task": str(job.cpus),
        "mem": job.memory,
        "time": None if job.seconds is None else clock(job.seconds),
        "partition": partition,
        "account": account,
        "signal": "B:TERM@60",
        "output": "shadowtime-worker-%A_%a.log",
    }
    header = [f"#SBATCH --{name}={shlex.quote(value)}" for name, value in directives.items() if value is not None]
    limits = {**THREADS, "SHADOWTIME_RUN_MEMORY": f"${{SHADOWTIME_RUN_MEMORY:-{job.run_memory}}}"}
    exports = [f"export {name}={value}" for name, value in limits.items()]
    start = f"{shlex.join(job.command)} & worker=$!"
    return "\n".join(["#!/bin/bash", *header, COMMENTS + PREPARE + "\n".join([*exports, "", start, WAIT])])


def clock(seconds: int) -> str:
    """Return a time as HH:MM:SS."""
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
