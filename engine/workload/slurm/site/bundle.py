"""A log and the files of its Slurm site in one file: a tar archive.

Rules: members are known by their content, and exactly one is the log, of any format. Names are data: only their last
parts count, for `Include`. An archive has at most MEMBERS files and no links, devices or sparse files; folders, and
what macOS adds (`._x`), are passed over. `bundle` writes equal contents as equal bytes: members in a fixed order, under
fixed names, uncompressed, of no time and no owner.
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Iterator, Mapping
from typing import BinaryIO, cast

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.limits import Limits, bytes_in_words
from shadowtime.engine.workload.slurm.cluster import Cluster
from shadowtime.engine.workload.slurm.site.conf import included, is_included
from shadowtime.engine.workload.slurm.site.files import read_site, sorted_files
from shadowtime.engine.workload.slurm.site.kinds import COMMANDS, Kind, kind_of
from shadowtime.engine.workload.unpack import Unpacked
from shadowtime.engine.workload.words import count

MEMBERS = 16
MAGIC, MAGIC_AT = b"ustar", 257
NAMES: dict[Kind, str] = {
    "configuration": "slurm.conf",
    "running": "config.txt",
    "nodes": "nodes.txt",
    "partitions": "partitions.txt",
    "associations": "assoc.psv",
    "shares": "sshare.psv",
    "qos": "qos.psv",
    "events": "events.psv",
    "reservations": "reservations.txt",
}
"""Names in an archive; those of included files follow."""
LOG = "log"
FOREIGN = ("._", ".DS_Store")


def is_bundle(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is a tar archive."""
    return head[MAGIC_AT : MAGIC_AT + len(MAGIC)] == MAGIC


def bundle(log: bytes, files: Mapping[str, bytes], limits: Limits | None = None) -> bytes:
    """Return the archive of a log and the files of its site.

    Raises
    ------
    InvalidWorkload
        If the log is an archive itself, or the files are refused as `read_site` does: by the names that they have here,
        not by those in the archive.
    """
    limits = limits or Limits()
    plain = _plain(log, limits)
    if is_bundle(plain):
        raise InvalidWorkload("the log is an archive with the files of a site already; give no others beside it.")
    contents = {name: _plain(content, limits) for name, content in files.items()}
    if len(contents) >= MEMBERS:
        raise InvalidWorkload(f"there are {len(contents)} files of a site; {MEMBERS - 1} are the most.")
    read_site(contents)
    kinds = sorted_files(contents)
    named = {name: contents[kinds[kind]] for kind, name in NAMES.items() if kind in kinds}
    for name in sorted(contents.keys() - set(kinds.values()), key=last):
        named[f"include/{last(name)}"] = contents[name]
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, content in {**named, LOG: plain}.items():
            member = tarfile.TarInfo(name[:99])
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return made.getvalue()


def split(pieces: Iterator[bytes], limits: Limits) -> tuple[str, bytes, dict[str, bytes]]:
    """Return the name and content of the log in an archive, and the files of its site by name.

    Raises
    ------
    InvalidWorkload
        If the archive is damaged or too large, has a member that is no plain file, or not exactly one log.
    """
    contents = _members(pieces, limits)
    name = log_among(contents)
    return name, contents.pop(name), contents


def log_among(contents: Mapping[str, bytes]) -> str:
    """Return the name of the one file that is the log; InvalidWorkload if there is none or several.

    A file that is gzipped is a log: those of a site are small.
    """
    parts = {part for name, content in contents.items() if kind_of(content) == "configuration"
             for part in included(name, content)}  # fmt: skip
    others = [name for name, content in contents.items() if kind_of(content) is None and not is_included(name, parts)]
    if len(others) != 1:
        found = f"{len(others)} of {len(contents)} files may be the log ({', '.join(others)})"
        found = found if others else f"none of the {len(contents)} files is a log"
        raise InvalidWorkload(f"{found}: give one, and files of its site ({', '.join(COMMANDS.values())}).")
    return others[0]


def sentences(cluster: Cluster) -> list[str]:
    """Return what a reader's report says of a cluster: its size, what was assumed, what was ignored."""
    cores, nodes, partitions = int(cluster.cores.sum()), len(cluster.node_names), len(cluster.partitions)
    size = f"{count(nodes, 'node')}, {count(cores, 'core')}, {count(partitions, 'partition')}"
    ignored = f"The model has not: {', '.join(cluster.ignored)}." if cluster.ignored else ""
    return [f"The machine is that of slurm.conf: {size}.", *cluster.assumed, *([ignored] if ignored else [])]


def _members(pieces: Iterator[bytes], limits: Limits) -> dict[str, bytes]:
    """Return the contents of an archive by the last parts of their names."""
    found: dict[str, bytes] = {}
    try:
        with tarfile.open(fileobj=cast(BinaryIO, _Stream(pieces, limits)), mode="r|") as archive:
            for member in archive:
                name = last(member.name)
                if member.isdir() or name.startswith(FOREIGN):
                    continue
                if not member.isreg() or member.issparse():
                    raise InvalidWorkload(f"{name} in the archive is no plain file; links and devices are not read.")
                if len(found) == MEMBERS:
                    raise InvalidWorkload(f"the archive has more than {MEMBERS} files, the limit here.")
                if name in found:
                    raise InvalidWorkload(f"two files in the archive are called {name}.")
                content = archive.extractfile(member)
                found[name] = content.read() if content else b""
                if len(found[name]) != member.size:
                    raise InvalidWorkload("the archive ends in the middle. Send it again.")
    except (tarfile.TarError, EOFError, ValueError, OverflowError, UnicodeError) as error:
        if isinstance(error, InvalidWorkload):
            raise
        raise InvalidWorkload("the archive is damaged. Send it again.") from None
    return found


def last(path: str) -> str:
    """Return the last part of a name."""
    return path.replace("\\", "/").rstrip("/").rpartition("/")[2] or path


def _plain(content: bytes, limits: Limits) -> bytes:
    """Return a content without gzip."""
    if content[:2] != b"\x1f\x8b":
        return content
    made = bytearray()
    for piece in Unpacked(io.BytesIO(content), limits).pieces():
        made += piece
        if len(made) > limits.bundle:
            raise InvalidWorkload(f"it would unpack to more than {bytes_in_words(limits.bundle)}, the limit here.")
    return bytes(made)


class _Stream(io.RawIOBase):
    """The pieces of an archive as a stream of bounded length: an archive is read into memory."""

    def __init__(self, pieces: Iterator[bytes], limits: Limits):
        self._pieces, self._limits, self._rest, self._total = pieces, limits, b"", 0

    def read(self, size: int = -1) -> bytes:
        """Return at most `size` bytes; b"" at the end."""
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return b""
            self._total += len(piece)
            if self._total > self._limits.bundle:
                raise InvalidWorkload(f"an archive has at most {bytes_in_words(self._limits.bundle)} here.")
            self._rest = piece
        found, self._rest = self._rest[:size], self._rest[size:]
        return found
