"""The clock and the physics: the only modules that change time, remaining work and lanes.

`state` holds all data as rows; `vocabulary` holds the acts of a policy; `loop` advances from instant to instant;
`checks` makes the message of an error code. The same source runs compiled, or uncompiled under `NUMBA_DISABLE_JIT=1`.
"""
