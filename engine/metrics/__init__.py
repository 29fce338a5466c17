"""Pure functions from tables to numbers; each definition exists once.

`jobs` measures single jobs, `run` a whole run, `usage` the machine, `moves` counts preemptions and other changes;
`summary` collects the metrics that apply to a kind of workload, `registry` describes each metric and its range
(`nature`), `statistics` and `intervals` estimate the accuracy of the means of one run. Statistics over several runs are
in `engine.statistics`.
"""
