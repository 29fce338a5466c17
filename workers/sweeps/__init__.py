"""Run one question over a grid of workloads, seeds, loads, algorithms and parameters.

spec.py        the question: canonical, its digest is its id; run number i is computed, never listed
reading.py     parse a TOML file or a JSON object into a question; each error is one sentence
writing.py     write a question as its TOML file
bench.py       execute the runs of one sweep in one process, with a cache of what they share
submission.py  accept, pause, cancel, resume and repeat a sweep
batch.py       execute one batch of a sweep in a worker
lease.py       hold a batch while a process works on it
feed.py        keep batches in the queue
progress.py    the recorded outcomes of a sweep, read as they are added
outcomes.py    the outcome of each run, as columns; recorded lines to columns
blocks.py      the independent draws behind the figures
points.py      figures of each point, with intervals and warnings
pairs.py       two variants on the same instances, and the ranking of all
extension.py   more seeds, until the interval of a ratio is narrow enough
local.py       a whole sweep on this machine, without store or queue
"""
