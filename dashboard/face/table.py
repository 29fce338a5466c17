"""Tables whose length is their rows, and figures by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from shadowtime.engine.tables import BAND_KINDS, EVENT_KINDS, JOB_STATES, SEGMENT_KINDS, read_only

if TYPE_CHECKING:
    import pandas as pd

WORDS: dict[str, dict[str, tuple[str, ...]]] = {
    "jobs": {"state": JOB_STATES},
    "segments": {"kind": SEGMENT_KINDS},
    "events": {"kind": EVENT_KINDS},
    "bands": {"kind": BAND_KINDS},
}
"""Columns of codes by table, with the words that they index."""


class Table(dict[str, np.ndarray]):
    """Equally long numpy columns by name; `len` is the number of rows.

    A dict in all else: `table["start"]` is a column, `pandas.DataFrame(table)` and `pyarrow.table(table)` take it. The
    columns are read-only, since schedules of one workload share them; `table["start"].copy()` and `to_frame()` may be
    changed.

    Parameters
    ----------
    columns
        Columns of n values each.
    name
        Of the table: jobs, segments, events, series, rates or bands.

    Examples
    --------
    >>> import numpy as np, shadowtime as st
    >>> table = st.Table({"job_id": np.array([1, 2, 3])}, "jobs")
    >>> len(table), list(table)
    (3, ['job_id'])
    >>> table
    <jobs: 3 rows x 1 column: job_id>
    """

    def __init__(self, columns: Mapping[str, np.ndarray], name: str = "table"):
        super().__init__({key: read_only(column) for key, column in columns.items()})
        self.name = name

    def __len__(self) -> int:
        return len(next(iter(self.values()), ()))

    def __bool__(self) -> bool:
        return len(self) > 0

    def __repr__(self) -> str:
        columns = list(self)
        return f"<{self.name}: {_count(len(self), 'row')} x {_count(len(columns), 'column')}: {', '.join(columns)}>"

    def __reduce__(self) -> Any:
        return Table, (dict(self), self.name)

    def to_frame(self) -> pd.DataFrame:
        """Return the table as a pandas frame of n rows; codes (`state`, `kind`) become words.

        Examples
        --------
        >>> import shadowtime as st
        >>> schedule = st.simulate(st.generate("uniform", {"jobs": 3}, seed=1), "easy")
        >>> schedule.jobs.to_frame()["state"].tolist()
        ['finished', 'finished', 'finished']
        """
        import pandas as pd

        words = WORDS.get(self.name, {})
        columns: dict[str, Any] = {
            name: pd.Categorical.from_codes(column, list(words[name])) if name in words else column.copy()
            for name, column in self.items()
        }
        return pd.DataFrame(columns)

    def _repr_html_(self) -> str:
        return self.to_frame()._repr_html_()


class Figures(dict[str, float]):
    """Metrics or bounds by name; a notebook shows them with titles and units.

    Parameters
    ----------
    values
        By name of the metric, in its unit (`shadowtime list metrics`).
    names
        Which bound each value is; empty for metrics.

    Examples
    --------
    >>> import shadowtime as st
    >>> st.Figures({"makespan": 110.0}, {"makespan": "area"}).names["makespan"]
    'area'
    """

    def __init__(self, values: Mapping[str, float], names: Mapping[str, str] | None = None):
        super().__init__(values)
        self.names = dict(names or {})

    def __reduce__(self) -> Any:
        return Figures, (dict(self), self.names)

    def _repr_html_(self) -> str:
        from html import escape

        from shadowtime.dashboard.look.definitions import metrics

        known = metrics()
        rows = []
        for name, value in self.items():
            cells = (known[name].title, f"{value:,.6g}", known[name].unit, self.names.get(name, ""))
            rows.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
        return f"<table>{''.join(rows)}</table>"


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}" + ("" if n == 1 else "s")
