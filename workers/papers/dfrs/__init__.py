"""Dynamic fractional resource scheduling: the tables and figures of RR-7659, ours beside theirs.

`instances` draws the jobs, `points` runs and stores, `extra` times MCB8 and runs the whole log, `answers` holds points
beside the paper's tables in `theirs`, `claims_*` judges by `rules`, `tables` puts the studies together.
"""

from __future__ import annotations

from shadowtime.workers.papers.dfrs.tables import SOURCE, STUDIES, study

__all__ = ["SOURCE", "STUDIES", "study"]
