"""Multitask jobs: tasks are packed on machines by size, each on the machines that hold its data."""
