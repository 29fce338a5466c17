"""Pure functions from tables to numbers; each definition exists once.

`jobs` measures a job, `run` a run, `usage` the machine, `moves` the changes of mind, `fairness` who pays;
`summary` puts all that apply to a kind of workload into one dict, `registry` says what each means,
`statistics` how far to trust a mean, and `distribution` counts for histograms.
"""
