"""Statistics of independent blocks: intervals, paired tests, rankings and sequential designs. Pure functions on arrays.

`blocks` says which values belong to one independent draw, `intervals` estimates a mean within the range of its metric,
`bootstrap` a maximum or quantile, `comparison` compares two algorithms on the same instances, `signed` holds the exact
tests behind it, `ranking` compares many algorithms, and `sequential` decides whether more blocks are needed.
"""
