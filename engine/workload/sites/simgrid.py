"""Read how many hosts a SimGrid platform has, as Batsim counts them: each host that computes is one processor.

Hosts are `host` and `peer` elements and those of a `cluster` or `cabinet`, as many as its `radical` has. Those with the
role `master` or `storage` (a `prop` of that name) do not compute, and neither do hosts whose name begins with
`master_host`, which Batsim takes for its own. Cores, speeds, links and routes are not read.

Files are parsed by expat; a file that defines entities is refused, and no other file is ever opened.

Format: https://simgrid.org/doc/latest/Platform.html.
"""

from __future__ import annotations

from typing import BinaryIO, NoReturn
from xml.parsers import expat

from shadowtime.engine.errors import InvalidPlatform
from shadowtime.engine.workload.limits import WIDEST

CHUNK = 65_536
SETS = ("cluster", "cabinet")
SINGLE = ("host", "peer")
MASTER = "master_host"
"""Name of the host that Batsim keeps for itself by default."""
NOT_COMPUTING = ("master", "storage")


def read_processors(stream: BinaryIO, name: str) -> int:
    """Return the number of hosts that compute.

    Raises
    ------
    InvalidPlatform
        If the file is no platform, defines entities, or has no such host.
    """
    reader, chunk = _Reader(), stream.read(CHUNK)
    begin = chunk.lstrip()  # files of Batsim begin with an empty line
    reader.skipped = chunk[: len(chunk) - len(begin)].count(b"\n")
    try:
        reader.parser.Parse(begin, False)
        while chunk := stream.read(CHUNK):
            reader.parser.Parse(chunk, False)
        reader.parser.Parse(b"", True)
    except expat.ExpatError as error:
        reason = expat.errors.messages[error.code]
        raise InvalidPlatform(f"{name} is not XML: line {error.lineno + reader.skipped:,}: {reason}") from None
    except InvalidPlatform as refusal:
        raise InvalidPlatform(f"{name} is no platform of SimGrid: {refusal}") from None
    if not 1 <= reader.hosts <= WIDEST:
        hosts = f"{reader.hosts:,} hosts that compute" if reader.hosts else "no host that computes"
        raise InvalidPlatform(f"{name} has {hosts}; a machine has 1 to {WIDEST:,} processors")
    return reader.hosts


class _Reader:
    """Counts hosts while the text is parsed; the innermost element with hosts is last in `open`."""

    def __init__(self) -> None:
        self.hosts = 0
        self.open: list[tuple[int, bool]] = []
        self.depth = self.skipped = 0
        self.parser = expat.ParserCreate()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.EntityDeclHandler = self._entity

    def _entity(self, *declaration: object) -> NoReturn:
        self._refuse("it defines entities")

    def _refuse(self, reason: str) -> NoReturn:
        raise InvalidPlatform(f"line {self.parser.CurrentLineNumber + self.skipped:,}: {reason}")

    def _start(self, element: str, given: dict[str, str]) -> None:
        if not self.depth and element != "platform":
            self._refuse(f"it begins with <{element[:40]}>, not with <platform>")
        self.depth += 1
        if element in SINGLE:
            self.open.append((1, not given.get("id", "").startswith(MASTER)))
        elif element in SETS:
            hosts = self._radical(given.get("radical", ""))
            self.open.append((hosts, not given.get("prefix", "").startswith(MASTER)))
        elif element == "prop" and self.open and given.get("id") == "role":
            hosts, computes = self.open[-1]
            roles = [role.strip() for role in given.get("value", "").split(",")]
            self.open[-1] = hosts, computes and not set(roles) & set(NOT_COMPUTING)

    def _end(self, element: str) -> None:
        self.depth -= 1
        if element in SINGLE or element in SETS:
            hosts, computes = self.open.pop()
            self.hosts += hosts if computes else 0

    def _radical(self, text: str) -> int:
        """Return the hosts of "0-511,600"."""
        hosts = 0
        for part in text.split(","):
            first, dash, last = part.strip().partition("-")
            ends = (first, last if dash else first)
            if not all(end.isascii() and end.isdigit() and len(end) < 12 for end in ends) or int(ends[1]) < int(
                ends[0]
            ):
                self._refuse(f"radical is {text[:40]!r}, not a list such as 0-511,600")
            hosts += int(ends[1]) - int(ends[0]) + 1
        return hosts
