"""Say what a file is that is sent often and is no log."""

from __future__ import annotations

import re

PACKED = "it is packed with {}: send it unpacked, or packed with gzip."
ENDS = "it is what {} prints: jobs that wait or run, whose ends are not known. Send {}."
FOREIGN = (
    (rb"\s*<(!doctype|html|\?xml)", "it is a web page or XML, not a log: send the file to which the page links."),
    (rb"version https://git-lfs", "it is what Git LFS keeps in the place of a file: get the file with `git lfs pull`."),
    (rb"PK\x03\x04", "it is a ZIP archive or a spreadsheet: unpack it, or save the table as CSV."),
    (rb"\x1f\x8b", "it is packed with gzip twice: unpack it once."),
    (rb"BZh[1-9]1AY&SY", PACKED.format("bzip2")),
    (rb"\xfd7zXZ\0", PACKED.format("xz")),
    (rb"\x28\xb5\x2f\xfd", PACKED.format("zstd")),
    (rb"\s*JOBID +PARTITION +NAME +USER +ST ", ENDS.format("squeue", "what `sacct -P` prints")),
    (rb"Job id +Name +User +Time Use +S +Queue", ENDS.format("qstat", "the accounting files of the server")),
)
"""Pairs of how such a file begins, whatever the case of letters, and the sentence that refuses it."""


def foreign(head: bytes) -> str:
    """Return what is to be said of a file that begins with `head` and is certainly no log; "" for any other."""
    return next((sentence for begin, sentence in FOREIGN if re.match(begin, head, re.IGNORECASE)), "")
