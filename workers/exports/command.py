"""Return the command line that repeats a run without a store."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from shadowtime.engine.workload.samples import SAMPLES
from shadowtime.workers.spec import RunSpec


def command(spec: RunSpec, workload: str, *, names_samples: bool = False) -> str:
    """Return `shadowtime simulate ...`, quoted for a shell; `workload` is the name of the workload's file.

    names_samples: a sample that comes with Shadowtime is named by its slug, for a reader who may not have its file.

    Every parameter is written, defaults too: another version may have other defaults. With the same engine the command
    gives a run with the same id.
    """
    parts = ["shadowtime", "simulate", _workload(spec.workload, workload, names_samples), "-a", spec.algorithm]
    for name, value in spec.parameters.items():
        parts += ["-p", f"{name}={_text(value)}"]
    for conversion in spec.conversions:
        said = ",".join(f"{name}={_text(value)}" for name, value in conversion["parameters"].items())
        parts += ["--convert", f"{conversion['name']}:{said}" if said else conversion["name"]]
    for name, value in spec.platform.items():
        parts += [f"--{name.replace('_', '-')}", _text(value)]
    parts += ["--estimates", spec.estimates, "--seed", str(spec.seed)]
    return shlex.join(parts)


def _workload(source: Mapping[str, Any], name: str, names_samples: bool) -> str:
    if "generator" not in source:
        sample = next((one for one in SAMPLES if one.digest == source["digest"]), None) if names_samples else None
        if sample is not None:
            return sample.slug if source["case"] == sample.case else f"{sample.slug}#{source['case']}"
        name = f"./{name}" if name.startswith("-") else name  # a name is never read as an option
        return f"{name}#{source['case']}" if source["case"] else name
    said = ",".join(f"{key}={_text(value)}" for key, value in {**source["parameters"], "seed": source["seed"]}.items())
    return f"{source['generator']}:{said}"


def _text(value: Any) -> str:
    """Return a value as a person types it and as the parser reads it back."""
    return str(value).lower() if isinstance(value, bool) else str(value)
