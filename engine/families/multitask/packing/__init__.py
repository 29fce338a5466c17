"""Instances, linear programs and orders of jobs, which bounds and policies both use."""
