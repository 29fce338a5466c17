"""Algorithms for multitask jobs: SynchPack as planners, its competitors as policies of the kernel."""
