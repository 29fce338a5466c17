"""Conversions of workloads: one file and one registry entry each."""
