"""The sweep behind a figure, where that is a grid: the file for `shadowtime sweep`, and for the page of experiments."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from shadowtime.dashboard.papers.page import Studies


def scale_of(studies: Studies) -> str:
    """The scale of a result."""
    return str(studies[0]["scale"])


def toml(
    name: str,
    workloads: Sequence[str],
    seeds: Sequence[int],
    algorithms: Sequence[str] = (),
    variants: Sequence[tuple[str, Mapping[str, Any]]] = (),
    *,
    loads: Sequence[float] = (),
    convert: Sequence[str] = (),
) -> str:
    """The text of the file; `variants` are algorithms with parameters, of which a list of values is swept."""
    values: dict[str, Any] = {
        "name": name,
        "workloads": list(workloads),
        "seeds": list(seeds),
        "convert": list(convert),
        "loads": list(loads),
        "algorithms": list(algorithms),
    }
    lines = [f"{key} = {_value(value)}" for key, value in values.items() if value]
    for algorithm, parameters in variants:
        inside = ", ".join(f"{key} = {_value(value)}" for key, value in parameters.items())
        lines += ["", "[[variants]]", f"algorithm = {_value(algorithm)}"]
        lines += [f"parameters = {{ {inside} }}"] if inside else []
    return "\n".join(lines) + "\n"


def _value(value: Any) -> str:
    """As TOML writes it; lists of texts one a line when they are long."""
    if isinstance(value, list):
        inside = [_value(one) for one in value]
        whole = f"[{', '.join(inside)}]"
        return whole if len(whole) < 100 else "[\n" + "".join(f"  {one},\n" for one in inside) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value, ensure_ascii=False)
