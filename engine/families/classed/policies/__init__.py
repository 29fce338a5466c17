"""Heterogeneous clusters: the planners OLB, min-min, min-max, SJS and PJS under one scheduler."""
