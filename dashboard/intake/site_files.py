"""A log and the files of its Slurm site, given one by one, as the archive that holds them all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.limits import Limits, bytes_in_words

if TYPE_CHECKING:
    from shadowtime.engine.workload.slurm.site.kinds import Kind

OPTIONS: Mapping[str, tuple[Kind, ...]] = {
    "machine": ("configuration", "running", "nodes", "partitions"),
    "associations": ("associations",),
    "qos": ("qos",),
    "shares": ("shares",),
    "events": ("events",),
    "reservations": ("reservations",),
}
"""Names under which files are given, and what each may be."""


def archive(log: Path, given: Mapping[str, Iterable[str | Path]]) -> bytes:
    """Return the archive of a log and the files that are `given` by names of OPTIONS.

    Raises
    ------
    InvalidWorkload
        If a file is not what its option names, or the files are none of a site.
    OSError
        If a file cannot be read.
    """
    from shadowtime.engine.workload.slurm.site.bundle import bundle
    from shadowtime.engine.workload.slurm.site.kinds import COMMANDS, kind_of

    files: dict[str, bytes] = {}
    for option, paths in given.items():
        for path in map(Path, paths):
            content = path.read_bytes()
            kind = kind_of(content)
            if kind and kind not in OPTIONS[option]:
                right = next(name for name, kinds in OPTIONS.items() if kind in kinds)
                raise InvalidWorkload(f"{path.name} is a file of `{COMMANDS[kind]}`: give it as {right}, not {option}.")
            if path.name in files:
                raise InvalidWorkload(f"two files are called {path.name}.")
            files[path.name] = content
    return bundle(log.read_bytes(), files)


def together(sent: Sequence[tuple[str, str]], limits: Limits) -> tuple[bytes, str]:
    """Return the archive of files by path and name, one of which is the log, and its name: that of the log and `.tar`.

    Raises
    ------
    InvalidWorkload
        If not exactly one is the log, the files are none of a site, or they have more bytes than an archive may have.
    """
    from shadowtime.engine.workload.slurm.site.bundle import bundle, log_among

    if sum(Path(path).stat().st_size for path, _ in sent) > limits.bundle:
        raise InvalidWorkload(f"a log with the files of its site has at most {bytes_in_words(limits.bundle)} here.")
    contents: dict[str, bytes] = {}
    for path, name in sent:
        if name in contents:
            raise InvalidWorkload(f"two files are called {name}.")
        contents[name] = Path(path).read_bytes()
    name = log_among(contents)
    return bundle(contents.pop(name), contents, limits), f"{name.removesuffix('.gz')}.tar"
