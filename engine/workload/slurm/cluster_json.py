"""A cluster as plain JSON values, and back."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.slurm.cluster import NONE, Association, Cluster, Limits, Outage, Partition, Qos

UNLIMITED, PARENT = "unlimited", "parent"
"""What JSON has in place of infinity and NaN."""
ARRAYS = {"cores": "i8", "memory": "f8", "gpus": "i8"}


def document(cluster: Cluster) -> dict[str, Any]:
    """Return the values from which `cluster_of` makes the same cluster."""
    return _plain(cluster)


def _plain(value: Any) -> Any:
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, float) and not math.isfinite(value):
        return UNLIMITED if value == NONE else PARENT
    return value


def cluster_of(found: Mapping[str, Any]) -> Cluster:
    """Return the cluster of a document; InvalidWorkload for another one."""
    try:
        return Cluster(
            **{
                **found,
                "node_names": tuple(found["node_names"]),
                **{name: np.array(found[name], dtype=kind) for name, kind in ARRAYS.items()},
                "partitions": tuple(
                    Partition(**{**_values(one), "nodes": np.array(one["nodes"], dtype="i8")})
                    for one in found["partitions"]
                ),
                "associations": tuple(Association(**_with_limits(one)) for one in found["associations"]),
                "qos": tuple(Qos(**_with_limits(one)) for one in found["qos"]),
                "outages": tuple(Outage(**{**_values(one), "nodes": tuple(one["nodes"])}) for one in found["outages"]),
                "assumed": tuple(found["assumed"]),
                "ignored": tuple(found["ignored"]),
            }
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidWorkload(f"its cluster is not what was written of one: {error}.") from None


def _with_limits(found: Mapping[str, Any]) -> dict[str, Any]:
    return {**_values(found), "limits": Limits(**_values(found["limits"]))}


def _values(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values with infinity and NaN where they were."""
    numbers = {UNLIMITED: NONE, PARENT: np.nan}
    texts = ("name", "account", "user", "kind", "reason", "qos")
    return {
        name: numbers.get(value, value) if isinstance(value, str) and name not in texts else value
        for name, value in found.items()
    }
