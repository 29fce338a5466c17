"""Records of Slurm: what its commands print."""
