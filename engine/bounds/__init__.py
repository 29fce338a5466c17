"""Proven lower bounds of metrics, valid for every policy.

Each bound has its own file with the proof in the docstring. `work` defines the relaxed problem of the proofs, `fluid`
maps metrics to bounds, `registry` selects the best bound. `tests/reference` has slow implementations for comparison.
"""
