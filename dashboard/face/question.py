"""The question of a sweep as scripts write it: with ranges and arrays, and with objects that need a name first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.workload.job import Workload


def plain(value: Any) -> Any:
    """Return `value` as JSON holds it: tuples, ranges and arrays become lists, scalars of numpy become numbers.

    Examples
    --------
    >>> import numpy as np
    >>> from shadowtime.dashboard.face.question import plain
    >>> plain({"seeds": range(3), "loads": np.linspace(0.5, 1, 2), "processors": np.int64(8)})
    {'seeds': [0, 1, 2], 'loads': [0.5, 1.0], 'processors': 8}
    """
    if isinstance(value, Mapping):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple | range):
        return [plain(one) for one in value]
    return value.tolist() if callable(getattr(value, "tolist", None)) else value


def check_parts(question: Mapping[str, Any]) -> None:
    """Refuse workloads and algorithms that a sweep cannot name.

    Raises
    ------
    InvalidParameter
        With what to write instead.
    """
    workloads = question.get("workloads")
    if isinstance(workloads, Workload):
        raise InvalidParameter("the sweep: workloads is one workload: put it into a list, [workload]")
    if _is_frame(workloads) or (isinstance(workloads, list | tuple) and any(map(_is_frame, workloads))):
        raise InvalidParameter(
            "the sweep: workloads holds a frame: make a workload of it, [st.Workload.from_frame(frame)]"
        )
    if isinstance(workloads, Mapping):
        for name, one in workloads.items():
            if not isinstance(one, Workload):
                hint = "st.Workload.from_frame(frame)" if _is_frame(one) else "st.read(path) or st.generate(name)"
                raise InvalidParameter(
                    f"the sweep: workloads[{str(name)[:40]!r}] is of type {type(one).__name__}, but a mapping holds "
                    f"workloads, as {hint} returns them"
                )
    algorithms = question.get("algorithms")
    for n, one in enumerate(algorithms if isinstance(algorithms, list | tuple) else [algorithms]):
        if callable(getattr(one, "decide", None)):
            name = one.__name__ if isinstance(one, type) else type(one).__name__
            raise InvalidParameter(
                f"the sweep: algorithms[{n}] is the policy {name}: register its class under a name, "
                f"st.register({name}, {_slug(name)!r}), and list that name"
            )


def _is_frame(value: Any) -> bool:
    return hasattr(value, "columns") and not isinstance(value, Mapping)


def _slug(name: str) -> str:
    """Return a name of a class as a slug: WidestFirst becomes widest-first."""
    words = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name)
    return "-".join(words.replace("_", " ").split())
