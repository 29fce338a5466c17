"""Dynamic fractional resource scheduling: tables 2 to 5 and the sweep of the period of RR-7659, ours beside theirs.

`instances` says which jobs, `points` what one run gives and where it is kept, `answers` holds them beside the paper's,
`tables` puts studies together, `claims` judges, `theirs` holds the paper's figures.
"""

from __future__ import annotations

from shadowtime.workers.papers.dfrs.tables import SOURCE, STUDIES, study

__all__ = ["SOURCE", "STUDIES", "study"]
