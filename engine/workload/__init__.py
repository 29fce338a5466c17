"""Workloads: read from files, drawn by generators, changed by conversions."""
