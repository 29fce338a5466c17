"""A site under Slurm: priorities, main and backfill loops, nodes, limits, and the clock that drives them."""
