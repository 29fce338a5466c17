"""Workloads drawn from models: one file a model, one entry in the registry."""
