"""Batch policies for rigid jobs on archive logs: orders, backfilling and predictions, by week and over whole logs.

`workloads` reads logs and draws jobs, `policies` names what is run, `cells` runs it, `growth` times conservative
backfilling, `answers` collects weeks, `claims` judges, beside `anchors` too, `figures` makes the tables of numbers,
`tables` puts the study together.
"""

from __future__ import annotations

from shadowtime.workers.papers.batch.tables import SOURCE, TITLE, study

__all__ = ["SOURCE", "TITLE", "study"]
