"""Pure functions from tables to numbers; each definition exists once.

`jobs` measures single jobs, `run` a whole run, `usage` the machine, `moves` counts preemptions and other changes,
`fairness` compares jobs; `summary` collects the metrics that apply to a kind of workload, `registry` describes each
metric, `statistics` and `samples` estimate the accuracy of means, and `distribution` counts values for histograms.
"""
