"""Proven lower bounds: how far a run is from the best possible, whatever the policy.

One file each, its proof in the docstring; `work` says for which weaker problem the proofs are, `fluid` which
bound serves which metric, `registry` picks the best. Slow twins that check them are in `tests/reference`.
"""
