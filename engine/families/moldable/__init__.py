"""Jobs whose number of processors the scheduler chooses, once, at the start."""
