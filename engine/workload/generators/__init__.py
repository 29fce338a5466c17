"""Generators of workloads: one file and one registry entry per model."""
