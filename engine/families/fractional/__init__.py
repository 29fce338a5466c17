"""Jobs of tasks that each need a share of the CPU and memory of a node."""
