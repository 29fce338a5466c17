"""The first lines of a table: facts about the machine after `#`, and the names of the columns."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shadowtime.engine.workload.job import zone_name
from shadowtime.engine.workload.limits import WIDEST

DELIMITERS = (",", ";", "\t", "|")
QUOTED = re.compile(r'"[^"]*"')
NUMBERS = re.compile(r"^[\s+\-.\d,;|eE:]*$")
GROUPED = re.compile(r"[0-9]{1,3}(,[0-9]{3})+")
DAY = 86_400
FACT = re.compile(r"#\s*(processors|utc_offset|zone)\s*:\s*(\S+)\s*$", re.IGNORECASE)


def delimiter_of(header: str) -> str:
    """Return the sign that separates the names of columns most often, "" if the line is no header."""
    bare = QUOTED.sub("x", header)
    delimiter = max(DELIMITERS, key=bare.count)
    if not bare.count(delimiter) or header.lstrip().startswith(";") or NUMBERS.match(bare):
        return ""
    cells = bare.split(delimiter)
    named = sum(any(sign.isalpha() for sign in cell) for cell in cells)
    return delimiter if 2 * named > len(cells) and not any("\0" in cell for cell in cells) else ""


def recognizes(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is a table with a header, or Parquet."""
    return head.startswith(b"PAR1") or bool(delimiter(head))


def delimiter(head: bytes) -> str:
    """Return the delimiter of the header, "" if a file begins with none."""
    return delimiter_of(next(lines(head), ""))


def lines(head: bytes) -> Iterator[str]:
    """Yield the first lines of a file that are no comments; a cut one may be the last."""
    for line in head.split(b"\n", 100)[:100]:
        if not is_comment(line):
            yield line.decode("utf-8", errors="replace")


def is_comment(line: bytes) -> bool:
    """Return whether a line may stand above the header: `# processors: 128`, or nothing."""
    return not line.strip() or line.lstrip().startswith(b"#")


class Facts:
    """What lines `# processors: 128` above the header say of the machine and its clock."""

    def __init__(self) -> None:
        self._entries: dict[str, str] = {}

    def strip(self, head: bytes) -> bytes:
        """Return the text from its header on, and note the facts before it."""
        for line, rest in _split(head):
            if not is_comment(line):
                return line + rest
            found = FACT.match(line.decode("utf-8", errors="replace").strip())
            if found:
                self._entries[found[1].lower()] = found[2]
        return b""

    @property
    def processors(self) -> int:
        """Processors of the machine; 0 where the file does not say."""
        text = self._entries.get("processors", "")
        if GROUPED.fullmatch(text):
            text = text.replace(",", "")
        return int(text) if re.fullmatch(r"[0-9]{1,11}", text) and int(text) <= WIDEST else 0

    @property
    def utc_offset(self) -> float:
        """Seconds by which the site's winter time is ahead of UTC."""
        text = self._entries.get("utc_offset", "0")
        return float(text) if re.fullmatch(r"[+-]?[0-9]{1,5}", text) and abs(int(text)) <= DAY else 0.0

    def notes(self) -> Iterator[str]:
        """Yield a sentence for each fact that is no such number."""
        for name, is_read, rule in (
            ("processors", self.processors > 0, f"a whole number from 1 to {WIDEST:,}"),
            ("utc_offset", bool(self.utc_offset), f"a number of seconds from {-DAY:,} to {DAY:,}"),
        ):
            text = self._entries.get(name)
            if text is not None and not is_read and text.strip("+-0"):
                yield f"# {name}: {text[:40]!r} is not {rule}: left out."

    @property
    def zone(self) -> str:
        """Name of the time zone; "" where unknown."""
        return zone_name(self._entries.get("zone"))


def _split(text: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield each line with all that follows it."""
    while text:
        at = text.find(b"\n") + 1 or len(text)
        yield text[:at], text[at:]
        text = text[at:]
