"""Accounting of batch systems: records of each, as their tests have them."""

from __future__ import annotations

import json
from pathlib import Path

from tests.fuzz.target import Target
from tests.fuzz.targets.traces import log

FOLDER = Path(__file__).parents[2] / "engine" / "workload" / "sites"

GRID = b"""# Processors: 400
7 1107258432 12 100 2 90.5 512 4 900 1024 1 U3 G1 X9 Q2 -1 fs0 fs1 UNITARY -1 -1 -1 -1 -1 -1 -1 -1 -1 -1
8 1107258433 -1 50 1 -1 -1 -1 -1 -1 0 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1
"""


def lines(*names: str, longest: int = 1_800) -> list[bytes]:
    """Return each short record of these files, and the first three together."""
    found = [line for name in names for line in (FOLDER / name).read_bytes().splitlines() if len(line) < longest]
    return [*(line + b"\n" for line in found), b"\n".join(found[:3])]


def ads() -> list[bytes]:
    """Return a history of HTCondor as text, and an ad of it as JSON and in a line."""
    text = (FOLDER / "condor.history").read_bytes()
    pairs = [line.split(" = ", 1) for line in text.decode().split("\n\n")[1].splitlines()]
    ad = {name: value.strip('"') for name, value in pairs}
    return [*text.split(b"\n\n"), json.dumps([ad, ad], indent=2).encode(), json.dumps(ad).encode() + b"\n"]


TARGETS = (
    Target("pbs", "Accounting of PBS and Torque", log, lambda: lines("xdmod.pbs", "manuals.pbs"),
           words=("12/21/2009 15:27:00;E;", ";R;", ";S;", ";D;", "[].", "start=", "end=0", "ctime=", "exec_host=",
                  "a/0-3+b/0*13", "Resource_List.nodes=", "4:ppn=8:gpus=1+", "Resource_List.select=", "mem=16gb",
                  "resources_used.walltime=", "1:00:00:00", "999999999999999", "1e99", "\xff")),
    Target("lsf", "Accounting of LSF", log, lambda: lines("lsb.acct"),
           words=('"JOB_FINISH" "10.1" ', '"JOB_RESIZE" "10.1" 1 ', "Accounting information about jobs", '""', ' "a" ',
                  '"16*host1"', " 0 ", " 999999999 ", " -1 ", "1e99", "\xff")),
    Target("sge", "Accounting of Grid Engine", log, lambda: lines("accounting.sge"),
           words=("# Version: 8.1.9", ":NONE:", ":0:0:0:", " -l h_rt=24:00:00,", "h_vmem=1.5G", "s_rt=", ":1.node7:",
                  "1412932860657", "failed", ":128:0:", "=====================", "qname ", "1e99", "\xff")),
    Target("condor", "Histories of HTCondor", log, ads,
           words=("*** Offset = ", "QDate = ", "ClusterId = ", "JobStatus = 3", "CompletionDate = 0",
                  "LastRemoteWallClockTime = ", "1.2E+03", "JobUniverse = 11", "MaxHosts = ", "RequestCpus = ",
                  "\n\n", '"QDate": ', '{"ClusterId": ', "[", "]", "}{", "NaN", "1e999", "\xff")),
    Target("gwf", "Traces in the grid workload format", log, lambda: [GRID, GRID.replace(b" ", b"\t")],
           words=("# Processors: 400", "# UnixStartTime: 1107258372", " -1 ", " -60 ", "1107258432123", " UNITARY ",
                  "1e99", "-1e99", "0.5", "999999999999999", "\t\t", "\xff")),
)  # fmt: skip
