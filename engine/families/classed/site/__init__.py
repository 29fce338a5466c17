"""A heterogeneous site: machines, clusters, and expected times of jobs from experience."""
