"""What `import shadowtime` offers to scripts and notebooks.

The face stands beside the pages and the command line: like them it needs the engine, the workers (sweeps, the version)
and the viewer's columns, and nothing imports it but the lazy table in the package's own `__init__.py`.

table.py        tables whose length is their rows; figures by name
frames.py       workloads as pandas frames
columns.py      checks of what a frame holds
workload.py     Workload, read, generate, convert
schedule.py     Schedule, simulate, bounds
comparison.py   Comparison, compare
policy.py       Policy, register
catalogue.py    algorithms, generators, conversions
gantt.py        the viewer as one page without a server
question.py     the question of a sweep as plain values
sweep.py        Sweep, sweep over any executor, its progress bar
"""
