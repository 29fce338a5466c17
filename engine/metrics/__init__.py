"""Pure functions from tables to numbers; each definition exists once.

`jobs` measures a job, `run` a run, `usage` the machine, `moves` the changes of mind, `fairness` who pays;
`summary` puts all that apply to a kind of workload into one dict, `registry` says what each means,
`statistics` how far to trust a mean, and `distribution` counts for histograms.
"""

from shadowtime.engine.metrics.jobs import bounded_stretch, ended, flow, stretch, wait
from shadowtime.engine.metrics.registry import Metric, find_metric, metrics
from shadowtime.engine.metrics.summary import summarize

__all__ = ["Metric", "bounded_stretch", "ended", "find_metric", "flow", "metrics", "stretch", "summarize", "wait"]
