"""The fast SWF reader against the slow, obvious one, on good logs and on spoilt ones."""

from __future__ import annotations

import gzip
from io import BytesIO
from unittest.mock import patch

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload import swf, unpack
from shadowtime.engine.workload.reading import read
from shadowtime.engine.workload.sites import gwf
from tests.reference import swf as twin
from tests.strategies import mutated, swf_logs

PIECES = st.sampled_from([64, 300, unpack.PIECE])
"""Small pieces cut lines, comments and words in the middle."""


SCANNED = st.sampled_from([0, swf.MANY])
"""Bytes of a block from which compiled code scans it."""


def jobs(text: bytes, piece: int, many: int = swf.MANY) -> list[tuple]:
    with patch.object(unpack, "PIECE", piece), patch.object(swf, "MANY", many), patch.object(swf, "SCANNER", ""):
        table = read(BytesIO(text), "drawn.swf").jobs
    columns = ("job_id", "release", "runtime", "processors", "requested", "user")
    rows = zip(*(table[name].tolist() for name in columns), strict=True)
    return [tuple(None if value != value else value for value in row) for row in rows]


def answer(reader, *arguments):
    try:
        return reader(*arguments)
    except InvalidWorkload as refusal:
        assert str(refusal).startswith("drawn.swf was not read: ") and "\n" not in str(refusal)
    except ValueError:
        pass
    return "refused"


@given(swf_logs(), PIECES, SCANNED)
def test_both_readers_agree_on_logs(text, piece, many):
    assert answer(jobs, text, piece, many) == answer(twin.read, text)


@given(st.data(), PIECES, SCANNED)
def test_both_readers_agree_on_spoilt_logs(data, piece, many):
    text = data.draw(mutated(data.draw(swf_logs())))
    fast = answer(jobs, text, piece, many)

    is_other = b"\0" in text or text.startswith((b"{", b"[", b"\x1f\x8b")) or gwf.recognizes(text)
    if not is_other:  # distinguished before a line is read; two joined lines may be one of the grid workload format
        assert fast == answer(twin.read, text)


@given(st.data())
def test_a_spoilt_archive_is_read_or_refused(data):
    packed = gzip.compress(data.draw(swf_logs()), mtime=0)

    answer(jobs, data.draw(mutated(packed)), unpack.PIECE)


NUMBERS = st.from_regex(r"-?[0-9]{0,16}(\.[0-9]{0,9})?([eE+][0-9])?", fullmatch=True)
ODD = st.sampled_from(
    ["", "-", ".", "+1", "1e3", "nan", "\x0b", "\x1c", "7;", ";", "0x1", "1_0", "-0", "\xb2", "1" * 40]
)


@example(["0.1", "999999999.999999", "-0", "123456789012345", "0.000000000000001"] * 3, " ")
@given(st.lists(NUMBERS | ODD, min_size=14, max_size=19), st.sampled_from([" ", "  ", "\t", " \r"]))
def test_compiled_code_reads_any_words_as_the_library_does(words, blank):
    """Words of a line after the first four, which are those of a good job."""
    text = blank.join(["1", "0", "-1", "10", *words]).encode() + b"\n1 0 -1 10" + b" -1" * 3 + b" 1" + b" -1" * 10

    assert whole(text, 0) == whole(text, swf.MANY)


def whole(text: bytes, many: int) -> str:
    """Return all that a log gives, or the sentence of its refusal."""
    try:
        with patch.object(swf, "MANY", many), patch.object(swf, "SCANNER", ""):
            found = read(BytesIO(text), "drawn.swf")
    except InvalidWorkload as refusal:
        return str(refusal)
    return repr([(name, column.tobytes()) for name, column in found.jobs.items()]) + repr(found.report)


@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(text):
    answer(jobs, text, unpack.PIECE, 0)


def test_a_large_log_gives_the_same_in_any_pieces():
    random = np.random.default_rng(1)
    lines = [f"{i} {t} -1 {r} {p} -1 -1 {p} {r + 5} -1 1 {u} -1 -1 -1 -1 -1 -1" for i, (t, r, p, u) in
             enumerate(random.integers(0, 1000, (3000, 4)))]  # fmt: skip
    text = "\n".join(lines).encode()

    assert jobs(text, 10_000) == jobs(text, unpack.PIECE, 0) == jobs(text, 10_000, 0) == twin.read(text)
