"""Files that people often send by mistake, and the sentence that refuses each."""

from __future__ import annotations

import re

PACKED = "it is packed with {}: send it unpacked, or packed with gzip."
ENDS = "it is what {} prints: jobs that wait or run, whose ends are not known. Send {}."
MISTAKES = (
    (rb"\s*<(!doctype|html|\?xml)", "it is a web page or XML, not a log: send the file to which the page links."),
    (rb"version https://git-lfs", "it is what Git LFS keeps in the place of a file: get the file with `git lfs pull`."),
    (rb"PK\x03\x04", "it is a ZIP archive or a spreadsheet: unpack it, or save the table as CSV."),
    (rb"\xff\xfe|\xfe\xff", "its text is UTF-16: save it as UTF-8."),
    (rb"\x89PNG\r\n|GIF8[79]a|\xff\xd8\xff", "it is a picture, not a log."),
    (rb"\xd0\xcf\x11\xe0", "it is a spreadsheet in the old format of Excel: save the table as CSV."),
    (rb"7z\xbc\xaf", PACKED.format("7-Zip")),
    (rb"\x1f\x8b", "it is packed with gzip twice: unpack it once."),
    (rb"BZh[1-9]1AY&SY", PACKED.format("bzip2")),
    (rb"\xfd7zXZ\0", PACKED.format("xz")),
    (rb"\x28\xb5\x2f\xfd", PACKED.format("zstd")),
    (rb"\s*JOBID +PARTITION +NAME +USER +ST ", ENDS.format("squeue", "what `sacct -P` prints")),
    (rb"Job id +Name +User +Time Use +S +Queue", ENDS.format("qstat", "the accounting files of the server")),
)
"""Pairs of a pattern of the first bytes, in either case, and the sentence."""


def sentence_for(head: bytes) -> str:
    """Return the sentence that refuses a file whose first bytes are `head`; "" where it may be a log."""
    return next((sentence for begin, sentence in MISTAKES if re.match(begin, head, re.IGNORECASE)), "")
