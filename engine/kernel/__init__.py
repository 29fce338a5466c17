"""The clock and the physics: the only rooms that move time, remaining work and lanes.

`state` holds everything as rows; `vocabulary` is what a policy may say; `loop` walks from instant to
instant; `checks` turns an error code into its sentence. The same source runs compiled, or plain when
`NUMBA_DISABLE_JIT=1`.
"""
