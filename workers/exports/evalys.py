"""The jobs of a run as evalys reads them: exactly the columns of its `JobSet`, and only jobs that ran.

    from evalys.jobset import JobSet
    JobSet.from_csv("13189c2c62a84589-evalys.csv").gantt()

References
----------
evalys, `JobSet.columns` in evalys/jobset.py: it draws each job from `starting_time` to `finish_time` on
`allocated_resources`, and stumbles over jobs without times.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from shadowtime.engine import tables
from shadowtime.engine.tables import rows
from shadowtime.workers import export


def evalys(jobs: Mapping[str, np.ndarray], segments: Mapping[str, np.ndarray], workload: str) -> Iterator[str]:
    """Yield one row a job that has ended, in submission order, in pieces; `workload` is the workload's name."""
    columns = export.job_columns(jobs, segments)
    name = export.cell(workload)
    columns = {
        "job_id": columns.pop("job_id"),
        "workload_name": lambda some: [name] * len(range(*some.indices(rows(jobs)))),
        **{column: columns[column] for column in export.BATSIM[1:]},
    }
    ended = jobs["state"] == tables.FINISHED
    for number, piece in enumerate(export.pieces(columns, rows(jobs))):
        if number == 0:
            yield piece
            continue
        first = (number - 1) * export.PIECE
        kept = ended[first : first + export.PIECE]
        yield "".join(line for line, keep in zip(piece.splitlines(keepends=True), kept, strict=True) if keep)
