"""Sharing of nodes: Greedy, GreedyP, GreedyPM and MCB8, in the 116 combinations of their paper.

Source: H. Casanova, M. Stillwell and F. Vivien, Dynamic Fractional Resource Scheduling vs. Batch Scheduling,
INRIA RR-7659, 2011. `names` parses the names of variants, `run` decides; each step has its own file.
"""
