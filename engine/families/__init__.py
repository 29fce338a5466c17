"""One folder a family of workloads: what its jobs are, its policies, bounds, conversions and generators."""
