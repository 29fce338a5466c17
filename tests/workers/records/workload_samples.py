"""What the tests of stored workloads share."""

from __future__ import annotations

import json

import numpy as np

from shadowtime.workers.records.blobs import FolderBlobs
from shadowtime.workers.records.shelf import Shelf
from shadowtime.workers.records.workloads import Workloads

CASES = json.dumps(
    {
        "kind": "rigid",
        "cases": [
            {"name": "one", "processors": 4, "jobs": [{"runtime": 5, "processors": 2}]},
            {"name": "two/../../x", "processors": 8, "jobs": [{"runtime": 5, "processors": 2}] * 3},
        ],
    }
).encode()


def made(database, folder, uses=None):
    shelf = Shelf(database, FolderBlobs(folder / "blobs"))
    return Workloads(database, shelf, folder, lambda digest: (uses or {}).get(digest, ""))


def drafts(folder):
    return list((folder / "tmp").iterdir())


def parses(folder, pattern):
    return list((folder / "parses").glob(pattern))


def equal(one, other) -> bool:
    return (
        (one.kind, one.name, dict(one.machine), one.report, one.clock, one.has_estimates, dict(one.source))
        == (other.kind, other.name, dict(other.machine), other.report, other.clock, other.has_estimates,
            dict(other.source))
        and dict(one.texts) == dict(other.texts)
        and repr(one.cluster) == repr(other.cluster)
        and list(one.jobs) == list(other.jobs)
        and all(np.array_equal(one.jobs[name], other.jobs[name], equal_nan=True) for name in one.jobs)
        and all(one.jobs[name].dtype == other.jobs[name].dtype for name in one.jobs)
        and list(one.parts) == list(other.parts)
        and all(np.array_equal(one.parts[name], other.parts[name]) for name in one.parts)
    )  # fmt: skip
