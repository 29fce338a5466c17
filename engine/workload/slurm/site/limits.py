"""Limits of associations and QOS in the columns that sacctmgr prints."""

from __future__ import annotations

from collections.abc import Mapping

from shadowtime.engine.workload.slurm.cluster import NONE, Limits
from shadowtime.engine.workload.slurm.site.text import Notes, Row, amounts, number_at, time_at

COUNTS = {
    "group_jobs": ("grpjobs",),
    "account_jobs": ("maxjobspa", "maxjobsperaccount"),
}
"""Limits that are numbers: columns in which they may stand, the first that is there counts."""
OF_JOBS = ("maxtres", "maxtresperjob", "maxtrespj")
CORES = {
    "group_cores": ("grptres",),
    "job_cores": OF_JOBS,
    "user_cores": ("maxtrespu", "maxtresperuser"),
    "account_cores": ("maxtrespa", "maxtresperaccount"),
}
"""Limits of cores, in lists of resources."""
USER_JOBS = {"association": ("maxjobs",), "QOS": ("maxjobspu", "maxjobsperuser")}
WALL = ("maxwall", "maxwalldurationperjob", "maxwalldurationpj")
IGNORED = (
    "grptresmins", "grptresrunmins", "grpsubmit", "grpsubmitjobs", "grpwall", "maxtrespernode", "maxtresmins",
    "maxtresminsperjob", "maxsubmit", "maxsubmitjobs", "maxsubmitpu", "maxsubmitjobspu", "maxsubmitjobsperuser",
    "maxsubmitpa", "maxsubmitjobspa", "maxsubmitjobsperaccount", "mintres", "mintresperjob", "maxtresrunminspu",
    "maxtresrunminspa", "grpjobsaccrue", "maxjobsaccrue", "maxjobsaccruepu", "maxjobsaccruepa", "usagethres",
    "usagethreshold", "flags", "preempt", "limitfactor", "minpriothresh", "minprioritythreshold",
)  # fmt: skip
"""Columns with limits that the model has not: named where they are set."""
NEUTRAL: Mapping[str, str] = {"gracetime": "00:00:00", "preemptmode": "cluster", "preemptexempttime": "00:00:00"}


def limits_of(row: Row, owner: str, what: str, notes: Notes) -> Limits:
    """Return the limits in a line of an association or a QOS; `what` says which of the two."""
    found: dict[str, float] = {}
    for name, columns in {**COUNTS, "user_jobs": USER_JOBS[what]}.items():
        if value := row.get(*columns):
            found[name] = _limit(row, columns[0], value)
    for name, columns in CORES.items():
        for resource, amount in amounts(row.get(*columns)).items():
            if resource == "cpu":
                found[name] = _limit(row, columns[0], amount)
            elif resource == "node" and name == "job_cores":
                found["job_nodes"] = _limit(row, columns[0], amount)
            else:
                notes.ignore(f"{columns[0]}={resource}", owner)
    if value := row.get(*WALL):
        found["job_time"] = time_at(row.place, "MaxWall", value, above=True, endless=True)
    for name in IGNORED:
        if row.get(name):
            notes.ignore(name, owner)
    for name, neutral in NEUTRAL.items():
        if row.get(name) not in ("", neutral):
            notes.ignore(name, owner)
    return Limits(**found)


def _limit(row: Row, name: str, value: str) -> float:
    """Return a limit; -1 is none."""
    return NONE if value == "-1" else number_at(row.place, name, value, 0, 1e12)
