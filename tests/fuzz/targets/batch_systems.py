"""Accounting of batch systems: records of each, as their tests have them."""

from __future__ import annotations

from pathlib import Path

from tests.fuzz.target import Target
from tests.fuzz.targets.traces import log

FOLDER = Path(__file__).parents[2] / "engine" / "workload" / "sites"


def lines(*names: str, longest: int = 1_800) -> list[bytes]:
    """Return each short record of these files, and the first three together."""
    found = [line for name in names for line in (FOLDER / name).read_bytes().splitlines() if len(line) < longest]
    return [*(line + b"\n" for line in found), b"\n".join(found[:3])]


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
)  # fmt: skip
