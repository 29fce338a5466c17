"""Workloads: read from files, generated, converted, and as pandas frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from io import BytesIO, TextIOBase
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from shadowtime.dashboard.face import frames
from shadowtime.dashboard.face.table import Table
from shadowtime.dashboard.intake.site_files import archive
from shadowtime.engine.errors import InvalidParameter, InvalidWorkload
from shadowtime.engine.workload import job, reading
from shadowtime.engine.workload.conversions.convert import convert as converted
from shadowtime.engine.workload.generators.generate import generate as drawn
from shadowtime.engine.workload.references import splits
from shadowtime.engine.workload.samples import named_sample

if TYPE_CHECKING:
    import pandas as pd


class Workload(job.Workload):
    """Jobs in submission order, with what is known of their machine.

    `workload.jobs` is a dict of n-row numpy columns: `job_id`, `release` [s], `runtime` [s], `processors`, `requested`
    [s] (NaN where a job has no request), `weight`, `user` (-1 where unknown), and columns of the kind. `len(workload)`
    is n; `kind` is one of rigid, fractional, two_tier, moldable, multitask and classed.

    Examples
    --------
    >>> import shadowtime as st
    >>> workload = st.generate("lublin", {"jobs": 200, "load": 0.8}, seed=7)
    >>> len(workload), workload.kind, workload.machine["processors"]
    (200, 'rigid', 128)
    """

    @classmethod
    def of(cls, workload: job.Workload) -> Workload:
        """Return `workload` with the methods of this class; its arrays are shared.

        Examples
        --------
        >>> import shadowtime as st
        >>> from shadowtime.engine import generate
        >>> st.Workload.of(generate("uniform", {"jobs": 5}, seed=1))
        <rigid workload uniform:jobs=5: 5 jobs>
        """
        return cls(**{field.name: getattr(workload, field.name) for field in fields(job.Workload)})

    @classmethod
    def from_frame(
        cls,
        frame: pd.DataFrame,
        *,
        kind: str | None = None,
        processors: int | None = None,
        nodes: int | None = None,
        name: str | None = None,
    ) -> Workload:
        """Return the workload of a pandas frame with one row a job.

        A frame that `to_frame` wrote gives its workload back bit for bit, also after Parquet or pickle. Rows that were
        changed, selected or made by hand are checked like a JSON instance and sorted by release.

        Parameters
        ----------
        frame
            n >= 1 rows; anything with `to_pandas`, such as an Arrow table, will do. `runtime` [s] > 0 and `processors`
            >= 1 for rigid jobs; for the other kinds the columns of docs/reference/python.md. Where missing: `release`
            0 s, `job_id` 1 to n, `requested` NaN, `weight` 1, `user` -1. Further columns of numbers stay beside the
            jobs.
        kind
            Of the jobs; None: what `to_frame` noted, else rigid.
        processors, nodes
            Size of the machine, one of the two; None: what `to_frame` noted, else unknown until `platform` is given.
        name
            What messages call it; None: what `to_frame` noted, else "frame". Where jobs were selected or changed,
            "(changed 3f2a9c)" follows it, with digits of their digest: two workloads have two names.

        Raises
        ------
        InvalidWorkload
            Naming the column or the row, and the rule.

        Examples
        --------
        >>> import pandas as pd, shadowtime as st
        >>> frame = pd.DataFrame({"release": [0, 1], "runtime": [100, 10], "processors": [6, 10]})
        >>> st.Workload.from_frame(frame, processors=10)
        <rigid workload frame: 2 jobs>
        """
        return cls.of(frames.workload_of(frame, kind=kind, processors=processors, nodes=nodes, name=name))

    def to_frame(self) -> pd.DataFrame:
        """Return the workload as a pandas frame: n rows, submission order, ragged parts as cells that hold arrays.

        Kind, machine, clock, site and source stand in `frame.attrs["shadowtime"]`.

        Examples
        --------
        >>> import shadowtime as st
        >>> frame = st.generate("uniform", {"jobs": 5}, seed=1).to_frame()
        >>> len(frame), st.Workload.from_frame(frame).source == frame.attrs["shadowtime"]["source"]
        (5, True)
        """
        return frames.frame_of(self)

    def _repr_html_(self) -> str:
        return f"<p>{self.kind} workload <b>{_escaped(self.name)}</b></p>{Table(self.jobs, 'jobs')._repr_html_()}"


Files = str | Path | Sequence[str | Path]
"""A file, or several."""


def read(
    path: str | Path | BinaryIO | TextIOBase,
    case: str | None = None,
    *,
    machine: Files = (),
    associations: Files = (),
    qos: Files = (),
    shares: Files = (),
    events: Files = (),
    reservations: Files = (),
) -> Workload:
    """Return the workload in a file: an SWF log, a JSON instance or Google's task events, gzipped or not.

    Parameters
    ----------
    path
        Of the file, or an open file. `instances.json#name` is a case of a JSON instance. Where there is no such file,
        the name of a sample, such as "four" or "figure1#job10_reaches_foreground".
    case
        The case of a JSON instance: its name, or its position from "0".
    machine, associations, qos, shares, events, reservations
        Files of the Slurm site whose log `path` names: slurm.conf (or what `scontrol show config`, `node` and
        `partition` print), and what `sacctmgr -P show assoc tree`, `sacctmgr -P show qos`, `sshare -a -l -P`,
        `sacctmgr -P show event` and `scontrol show reservation` print. The workload is that of one archive of all.

    Raises
    ------
    InvalidWorkload, InvalidParameter
        Naming the file, the place in it, and the rule, or the argument.
    FileNotFoundError
        When there is no such file.

    Examples
    --------
    >>> import io, shadowtime as st
    >>> job = "{} 0 -1 100 6 -1 -1 6 100 -1 1 -1 -1 -1 -1 -1 -1 -1\\n"
    >>> log = "; MaxProcs: 10\\n" + job.format(1) + job.format(2)
    >>> st.read(io.BytesIO(log.encode()))
    <rigid workload file: 2 jobs>
    """
    given = {"machine": machine, "associations": associations, "qos": qos, "shares": shares, "events": events,
             "reservations": reservations}  # fmt: skip
    if case is not None and not isinstance(case, str):
        raise InvalidParameter(
            f"case = {str(case)[:40]}, but it must be a text: the name of a case, or its position such as '0'"
        )
    site = {option: [some] if isinstance(some, str | Path) else some for option, some in given.items() if some}
    if hasattr(path, "read") and site:
        raise InvalidWorkload("files of a site go with a log that is named by its path.")
    if hasattr(path, "read"):
        name = Path(str(getattr(path, "name", "file"))).name
        return Workload.of(reading.read(_binary(path), name, case))
    if not isinstance(path, str | PathLike):
        hint = ": hand over io.BytesIO(content)" if isinstance(path, bytes | bytearray) else ""
        raise InvalidWorkload(
            f"path is of type {type(path).__name__}, but it must name a file, or be an open one{hint}"
        )
    place = Path(path)
    is_there = place.exists()
    if case is None and not is_there:
        found = [(Path(name), one) for name, one in splits(str(path)) if name]
        place, case = next((one for one in found if one[0].exists()), found[0] if found else (place, None))
        is_there = place.exists()
    if not is_there and isinstance(path, str) and not site and (sample := named_sample(path)):
        return Workload.of(sample[0].read(case or sample[1]))
    if site:
        return Workload.of(reading.read(BytesIO(archive(place, site)), place.name, case))
    with place.open("rb") as stream:
        return Workload.of(reading.read(stream, place.name, case))


def _binary(stream: Any) -> BinaryIO:
    """Return a seekable binary stream of an open file; texts become UTF-8."""
    if isinstance(stream, TextIOBase):
        try:
            return BytesIO(stream.read().encode())
        except UnicodeDecodeError:
            raise InvalidWorkload("the open file holds no text of its encoding: open it with mode 'rb'") from None
    is_seekable = not callable(getattr(stream, "seekable", None)) or stream.seekable()
    return stream if is_seekable else BytesIO(stream.read())


def generate(name: str, parameters: Mapping[str, Any] | None = None, seed: int = 0) -> Workload:
    """Return a workload drawn from a model.

    Parameters
    ----------
    name
        Of a generator, see `st.generators()`.
    parameters
        Of the generator; defaults for the others.
    seed
        Of the draws, >= 0: the same seed gives the same jobs on every machine.

    Raises
    ------
    UnknownName, InvalidParameter
        With the known names, or the rule that a value breaks.

    References
    ----------
    Each generator names its paper in docs/reference/workloads.md.

    Examples
    --------
    >>> import shadowtime as st
    >>> st.generate("lublin", {"jobs": 200, "load": 0.8}, seed=7)
    <rigid workload lublin:jobs=200,load=0.8: 200 jobs>
    """
    check_parameters(parameters)
    return Workload.of(drawn(name, parameters or {}, seed))


def convert(workload: job.Workload, name: str, parameters: Mapping[str, Any] | None = None, seed: int = 0) -> Workload:
    """Return the workload after one conversion: another load, a week of a log, another kind of jobs.

    Parameters
    ----------
    workload
        Of a kind that the conversion takes; it stays as it is.
    name
        Of a conversion, see `st.conversions()`.
    parameters
        Of the conversion; defaults for the others.
    seed
        Of its draws, >= 0.

    Raises
    ------
    UnknownName, InvalidParameter, UnsupportedWorkload
        For what is not there, out of its range, or of a kind that the conversion does not take.

    Examples
    --------
    >>> import shadowtime as st
    >>> st.convert(st.generate("lublin", {"jobs": 50}, seed=1), "two_tier").kind
    'two_tier'
    """
    check_workload(workload)
    check_parameters(parameters)
    return Workload.of(converted(workload, name, parameters, seed))


def check_workload(workload: Any) -> None:
    """Refuse what is no workload.

    Raises
    ------
    InvalidWorkload
        With the functions that return one.
    """
    if not isinstance(workload, job.Workload):
        raise InvalidWorkload(
            f"workload = {str(workload)[:40]!r}, but it must be a Workload, as st.read(path), st.generate(name) and "
            "st.Workload.from_frame(frame) return it"
        )


def check_parameters(parameters: Any) -> None:
    """Refuse parameters that are no mapping; raises InvalidParameter."""
    if parameters is not None and not isinstance(parameters, Mapping):
        raise InvalidParameter(f"parameters = {repr(parameters)[:40]}, but they must be a mapping of names to values")


def _escaped(text: str) -> str:
    from html import escape

    return escape(text)
