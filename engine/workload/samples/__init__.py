"""Small workloads that come with Shadowtime, for the help, the empty page and first steps."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from importlib.resources import files
from io import BytesIO
from pathlib import Path

from shadowtime.engine.errors import UnknownName
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.reading import read


@dataclass(frozen=True)
class Sample:
    """A workload file that comes with Shadowtime."""

    slug: str
    file: str
    title: str
    summary: str
    case: str | None = None
    """The default case."""

    @property
    def path(self) -> Path:
        """Return the file."""
        return Path(str(files(__package__).joinpath(self.file)))

    def content(self) -> bytes:
        """Return the bytes of the file."""
        return self.path.read_bytes()

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 of the file, as sources of workloads have it."""
        return hashlib.sha256(self.content()).hexdigest()

    def read(self, case: str | None = None) -> Workload:
        """Return its workload, or that of one of its cases."""
        return read(BytesIO(self.content()), self.file, case or self.case)


SAMPLES = (
    Sample(
        "four",
        "four.swf",
        "Four jobs",
        "Job 4 passes jobs 2 and 3 under EASY: it ends before job 1 does, when job 2 can start at the earliest.",
    ),
    Sample(
        "figure1",
        "figure1.json",
        "Twelve jobs in two tiers",
        "Figure 1 of the paper on MEASY: on their way to the foreground jobs are killed under KEASY, wait under REASY "
        "and migrate under MEASY; the two cases differ in how long job 10 is.",
        "job10_reaches_foreground",
    ),
    Sample(
        "site142",
        "site142.json",
        "142 machines in 18 clusters",
        "A stand-in for the site of the paper on PJS, whose tables were never printed: five job classes, four of which "
        "may run on a whole cluster; the part after # is how many jobs of it, 20 without.",
    ),
    Sample(
        "bench3",
        "bench3.json",
        "A bench of three machines",
        "Two slow machines that form a cluster and a fast one; jobs take less than a second, so that real processes "
        "can run its plans.",
    ),
    Sample(
        "takeover",
        "takeover.json",
        "A high job takes over a cluster",
        "Three machines, two of which form a cluster: PJS runs a low job on the cluster, stops it for a high one, and "
        "runs it again; jobs take about a second, so that real processes can run its plan.",
    ),
)


def samples() -> dict[str, Sample]:
    """Return all samples by slug."""
    return {sample.slug: sample for sample in SAMPLES}


def find_sample(name: str) -> Sample:
    """Return the sample called `name`.

    Raises
    ------
    UnknownName
        If there is none; the error lists the known slugs.
    """
    if name not in samples():
        raise UnknownName("sample", str(name)[:80], samples())
    return samples()[name]


def named_sample(text: str) -> tuple[Sample, str | None] | None:
    """Return the sample that `text` (`figure1` or `figure1#case`) names, with the case; None if there is none."""
    name, mark, case = text.rpartition("#")
    found = samples().get(name if mark else text)
    return (found, case if mark else found.case) if found else None
