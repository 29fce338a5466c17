"""Workloads out of files: what a file is, its own text says."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import BinaryIO

from shadowtime.engine.errors import InvalidWorkload, UnsupportedWorkload
from shadowtime.engine.families.multitask.google import looks_like, read_google
from shadowtime.engine.workload.instances import case_names, read_instance
from shadowtime.engine.workload.job import Workload
from shadowtime.engine.workload.limits import Limits, bytes_in_words
from shadowtime.engine.workload.swf import read_swf
from shadowtime.engine.workload.unpack import Unpacked

BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@dataclass(frozen=True)
class Format:
    """A kind of file that can be read."""

    slug: str
    title: str
    suffixes: tuple[str, ...]
    summary: str


FORMATS = (
    Format("swf", "Standard workload format", (".swf", ".swf.gz"),
           "Logs of rigid jobs, as the Parallel Workloads Archive has them."),
    Format("google", "Google tasks of 2011", (".csv", ".csv.gz"),
           "task_events of the cluster trace, or a table of one line a task; filtered by the conversion multitask."),
    Format("json", "JSON instance", (".json", ".json.gz"),
           "Instances of each kind; a case of many by #name or #position."),
)  # fmt: skip


def formats() -> dict[str, Format]:
    """All formats by slug."""
    return {format.slug: format for format in FORMATS}


def read(stream: BinaryIO, name: str, case: str | None = None, *, limits: Limits | None = None) -> Workload:
    """The workload in an open, seekable binary file, gzipped or not.

    Parameters
    ----------
    name
        What to call it in messages and results; never used as a path.
    case
        Which case of a JSON instance: its name, or its position from "0".

    Raises
    ------
    InvalidWorkload
        Naming the file, the place in it, and the rule.
    UnknownName
        For a case that is not there.
    UnsupportedWorkload
        For a kind of workload that this version does not simulate.
    """
    name, case, limits = _printable(name), case or None, limits or Limits()
    unpacked = Unpacked(stream, limits)
    try:
        what, pieces = _sniff(unpacked)
        if what == "json":
            workload, case = read_instance(_whole(pieces, limits), case)
        elif case is not None:
            raise InvalidWorkload("only JSON instances have cases.")
        elif what == "google":
            workload = read_google(pieces, limits)
        else:
            workload = read_swf(pieces, limits)
    except InvalidWorkload as refusal:
        raise InvalidWorkload(f"{name} was not read: {refusal}") from None
    except UnsupportedWorkload as refusal:
        raise UnsupportedWorkload(f"{name} {refusal}") from None
    called = name if case is None else f"{name}#{case}"
    return workload.with_(name=called, source={"digest": unpacked.digest, "case": case})


def cases(stream: BinaryIO, name: str = "the file", *, limits: Limits | None = None) -> list[str]:
    """Names of the cases of a JSON instance (their positions where they have none); [] for any other file."""
    limits = limits or Limits()
    try:
        what, pieces = _sniff(Unpacked(stream, limits))
        return case_names(_whole(pieces, limits)) if what == "json" else []
    except InvalidWorkload as refusal:
        raise InvalidWorkload(f"{_printable(name)} was not read: {refusal}") from None


def _sniff(unpacked: Unpacked) -> tuple[str, Iterator[bytes]]:
    """The slug of the text's format, and all its pieces, without a byte order mark."""
    pieces = unpacked.pieces()
    head = next(pieces, b"").removeprefix(BYTE_ORDER_MARK)
    if not head.strip():
        raise InvalidWorkload("it begins with nothing but blanks." if head else "it is empty.")
    if b"\0" in head or head.startswith((b"PK\3\4", b"%PDF", b"\x1f\x8b")):
        raise InvalidWorkload("it is neither an SWF log nor a JSON instance.")
    is_json = head.lstrip()[:1] in (b"{", b"[")
    return "json" if is_json else "google" if looks_like(head) else "swf", chain([head], pieces)


def _whole(pieces: Iterator[bytes], limits: Limits) -> bytes:
    text = bytearray()
    for piece in pieces:
        text += piece
        if len(text) > limits.json:
            raise InvalidWorkload(
                f"a JSON instance has at most {bytes_in_words(limits.json)} here; large logs come as SWF."
            )
    return bytes(text)


def _printable(name: str) -> str:
    """A name fit for one line of a message."""
    return "".join(letter if letter.isprintable() else "?" for letter in name)[:120]
