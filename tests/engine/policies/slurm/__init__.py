"""The site under Slurm: records of real controllers, and hand-worked cases."""
