"""Sweeps: one question asked over a grid of workloads, seeds, loads, algorithms and parameters.

spec.py        the question: canonical, its digest is its id; run number i is computed, never listed
reading.py     a TOML file or a JSON object to a question, each mistake in one sentence
writing.py     a question as the file that asks it
bench.py       runs of one sweep in one process; what they share is made once
outcomes.py    what came of each run, as columns; lines of a journal to columns
points.py      figures of each point, with intervals and warnings
pairs.py       two variants on the same instances, and the ranking of all
local.py       a whole sweep on this machine, without store or queue
"""
