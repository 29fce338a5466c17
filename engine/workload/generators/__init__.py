"""Workloads drawn from models: one file a model, one entry in the registry."""

from shadowtime.engine.workload.generators.generator import Generator
from shadowtime.engine.workload.generators.registry import find_generator, generate, generators, register

__all__ = ["Generator", "find_generator", "generate", "generators", "register"]
