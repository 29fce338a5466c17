"""Read workloads from files; the format is recognized from the content, not from the name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from itertools import chain
from typing import BinaryIO

from shadowtime.engine import registry
from shadowtime.engine.errors import InvalidWorkload, UnsupportedWorkload
from shadowtime.engine.workload.format import Format
from shadowtime.engine.workload.instances import case_names, read_instance
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits, bytes_in_words
from shadowtime.engine.workload.no_log import sentence_for
from shadowtime.engine.workload.sites.tables.header import delimiter
from shadowtime.engine.workload.sites.tables.table import TABLE, describe
from shadowtime.engine.workload.sites.tables.table import read as read_table
from shadowtime.engine.workload.slurm.site.bundle import is_bundle, sentences, split
from shadowtime.engine.workload.slurm.site.files import read_site
from shadowtime.engine.workload.slurm.site.kinds import COMMANDS, kind_of
from shadowtime.engine.workload.swf import SWF
from shadowtime.engine.workload.unpack import Unpacked

PLATFORM = ("processors", "nodes", "cores_per_node")
"""What a workload states of the size of its machine."""
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""First bytes of the only binary format that is read."""


JSON = Format("json", "JSON instance", (".json", ".json.gz"),
              "Instances of each kind; #name or #position selects one of many cases.")  # fmt: skip
SLURM_SITE = Format("slurm-site", "Slurm site, tar", (".tar", ".tar.gz"),
                    "A log with the slurm.conf of its machine and other files of the site.")  # fmt: skip


def formats() -> dict[str, Format]:
    """Return all formats by slug."""
    return {**registry.formats(), TABLE.slug: TABLE, JSON.slug: JSON, SLURM_SITE.slug: SLURM_SITE}


def read(stream: BinaryIO | Unpacked, name: str, case: str | None = None, *, limits: Limits | None = None) -> Workload:
    """Return the workload in an open, seekable binary file, gzipped or not.

    Parameters
    ----------
    stream
        The file; or its bytes, for callers who want to know their number: all of them are read.
    name
        Name of the workload in messages and results; never used as a path.
    case
        Case of a JSON instance: its name, or its position from "0". Of a table with a header, its columns:
        "submit=Submitted at,runtime=Duration:minutes".

    Raises
    ------
    InvalidWorkload
        If the file breaks a rule; the message names the file, the place in it, and the rule.
    UnknownName
        If there is no such case.
    UnsupportedWorkload
        If this version does not simulate the kind of workload.
    """
    name, case, limits = _printable(name), case or None, limits or Limits()
    unpacked = stream if isinstance(stream, Unpacked) else Unpacked(stream, limits)
    try:
        found, pieces = _sniff(unpacked, has_chosen_columns="=" in (case or ""))
        if found is SLURM_SITE:
            workload = _read_bundle(pieces, case, limits)
        elif found.read is None:
            workload, case = read_instance(_whole(pieces, limits), case)
        elif found is TABLE:
            workload = read_table(pieces, limits, case)
        elif case is not None:
            raise InvalidWorkload("only JSON instances have cases, and only tables have columns to choose.")
        else:
            workload = found.read(pieces, limits)
    except InvalidWorkload as refusal:
        raise InvalidWorkload(f"{name} was not read: {refusal}") from None
    except UnsupportedWorkload as refusal:
        raise UnsupportedWorkload(f"{name} {refusal}") from None
    full_name = name if case is None else f"{name}#{case}"
    return workload.with_(name=full_name, source={"digest": unpacked.digest, "case": case})


def cases(stream: BinaryIO, name: str = "the file", *, limits: Limits | None = None) -> list[str]:
    """Return the names of the cases of a JSON instance (positions for unnamed ones); [] for any other file."""
    limits = limits or Limits()
    try:
        found, pieces = _sniff(Unpacked(stream, limits))
        return case_names(_whole(pieces, limits)) if found is JSON else []
    except InvalidWorkload as refusal:
        raise InvalidWorkload(f"{_printable(name)} was not read: {refusal}") from None


def columns(stream: BinaryIO, name: str, case: str | None = None, *, limits: Limits | None = None) -> dict | None:
    """Return how a table is read: its columns, those of each field, its first lines; None for any other file.

    Raises
    ------
    InvalidWorkload
        If its text is no table; what is missing in a table is in the answer.
    """
    limits = limits or Limits()
    try:
        found, pieces = _sniff(Unpacked(stream, limits), has_chosen_columns="=" in (case or ""))
        return describe(pieces, limits, case or None) if found is TABLE else None
    except InvalidWorkload as refusal:
        raise InvalidWorkload(f"{_printable(name)} was not read: {refusal}") from None


def _sniff(unpacked: Unpacked, *, has_chosen_columns: bool = False) -> tuple[Format, Iterator[bytes]]:
    """Return the format of the text, and all its pieces without a byte order mark.

    A text of sacct with commas is a table if columns are chosen.
    """
    pieces = unpacked.pieces()
    head = next(pieces, b"").removeprefix(BYTE_ORDER_MARK)
    if not head.strip():
        raise InvalidWorkload("it begins with blanks only." if head else "it is empty.")
    if head.startswith(b"PAR1"):
        return TABLE, chain([head], pieces)
    if is_bundle(head):
        return SLURM_SITE, chain([head], pieces)
    if sentence := sentence_for(head):
        raise InvalidWorkload(sentence)
    if b"\0" in head or head.startswith(b"%PDF"):
        raise InvalidWorkload("it is neither a log nor a JSON instance.")
    whole = chain([head], pieces)
    # Formats whose files are JSON have the ending .json; the others need not expect such a text.
    is_json = head.lstrip()[:1] in (b"{", b"[")
    known = [one for one in registry.formats().values() if not is_json or ".json" in one.suffixes]
    last = TABLE if TABLE.recognizes and TABLE.recognizes(head) else SWF
    found = next((one for one in known if one.recognizes and one.recognizes(head)), None)
    if has_chosen_columns and last is TABLE and found is not None and delimiter(head) != "|":
        found = TABLE
    if found is None and (kind := kind_of(head)):
        raise InvalidWorkload(
            f"it is no log, but a file of a Slurm site ({COMMANDS[kind]}): give it together with the log of its jobs."
        )
    return found or (JSON if is_json else last), whole


def _read_bundle(pieces: Iterator[bytes], case: str | None, limits: Limits) -> Workload:
    """Return the log of an archive as the log of the machine that the other files describe."""
    name, log, files = split(pieces, limits)
    cluster, stated = read_site(files)
    if _sniff(Unpacked(BytesIO(log), limits))[0] is SLURM_SITE:
        raise InvalidWorkload(f"{name} in the archive is an archive itself; it must be a log.")
    workload = read(BytesIO(log), name, case, limits=limits)
    if workload.kind != "rigid":
        raise InvalidWorkload(f"{name} in the archive has {workload.kind} jobs; a Slurm site runs rigid ones.")
    if cluster.outages and workload.clock is None:
        undated = "The log has no dates: the outages of the site are left out."
        cluster = replace(cluster, outages=(), assumed=(*cluster.assumed, undated))
    others = {key: value for key, value in workload.machine.items() if key not in PLATFORM}
    size, *more = sentences(cluster)
    report = (*workload.report[:1], size, *workload.report[1:], *more)
    return workload.with_(machine={**others, **stated}, cluster=cluster, report=report)


def _whole(pieces: Iterator[bytes], limits: Limits) -> bytes:
    text = bytearray()
    for piece in pieces:
        text += piece
        if len(text) > limits.json:
            raise InvalidWorkload(
                f"a JSON instance has at most {bytes_in_words(limits.json)} here; use SWF for large logs."
            )
    return bytes(text)


def _printable(name: str) -> str:
    """Return a name that fits into one line of a message."""
    return "".join(letter if letter.isprintable() else "?" for letter in name)[:120]
