"""The clock and the physics: the only modules that change time, remaining work and lanes.

`state` holds all data as rows; `vocabulary` the acts of a policy, `lanes` their effect on lanes; `loop` advances from
instant to instant; `errors` makes messages. The same source runs compiled, or uncompiled under `NUMBA_DISABLE_JIT=1`.
"""
