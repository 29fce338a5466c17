"""Heterogeneous clusters: OLB, min-min, min-max, SJS and PJS, one planner each, under one scheduler."""
