"""Steps from one workload to another: one file a step, one entry in the registry."""
