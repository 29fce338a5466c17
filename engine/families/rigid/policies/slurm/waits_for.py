"""Which jobs wait for which, from texts such as `afterok:12:13,afterany:14`."""

from __future__ import annotations

import re

import numpy as np

from shadowtime.engine.workload.job import Workload

TERM = re.compile(r"(after\w*)((?::[0-9_+]+)+)")


def numbers_in(text: str) -> list[int]:
    """Return the numbers of the jobs that a dependency names."""
    return sorted({int(re.split(r"\D", one)[0]) for _, ids in TERM.findall(text) for one in ids.split(":") if one})


def followers(workload: Workload, unfit: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return for each job how many jobs it waits for, and the jobs that wait for it: `follower[after[j]:after[j + 1]]`.

    A job waits for the end of earlier jobs of the log, whatever their outcome: in the log, it ran. Those that are
    `unfit` (n values) never end, as those that are not in the log.
    """
    n = len(workload)
    needs, before, follows = np.zeros(n, "i8"), [], []
    texts = workload.texts.get("dependency", ())
    if "dependency" in workload.jobs and texts:
        row_of = {job: row for row, job in reversed(list(enumerate(workload.jobs["job_id"].tolist())))}
        asked = [numbers_in(text) for text in texts]
        for row in np.flatnonzero(workload.jobs["dependency"] >= 0).tolist():
            for job in asked[workload.jobs["dependency"][row]]:
                other = row_of.get(job, n)
                if other < row and not unfit[other]:
                    needs[row] += 1
                    before.append(other)
                    follows.append(row)
    order = np.argsort(before, kind="stable")
    counts = np.bincount(np.array(before, "i8"), minlength=n) if before else np.zeros(n, "i8")
    return needs, np.concatenate([[0], np.cumsum(counts)]).astype("i8"), np.array(follows, "i8")[order.astype("i8")]
