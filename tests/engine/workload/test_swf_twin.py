"""The fast SWF reader against the slow, obvious one, on good logs and on spoilt ones."""

from __future__ import annotations

import gzip
from io import BytesIO
from unittest.mock import patch

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload import unpack
from shadowtime.engine.workload.reading import read
from tests.reference import swf as twin
from tests.strategies import mutated, swf_logs

PIECES = st.sampled_from([64, 300, unpack.PIECE])
"""Small pieces cut lines, comments and words in the middle."""


def jobs(text: bytes, piece: int) -> list[tuple]:
    with patch.object(unpack, "PIECE", piece):
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


@given(swf_logs(), PIECES)
def test_both_readers_agree_on_logs(text, piece):
    assert answer(jobs, text, piece) == answer(twin.read, text)


@given(st.data(), PIECES)
def test_both_readers_agree_on_spoilt_logs(data, piece):
    text = data.draw(mutated(data.draw(swf_logs())))
    fast = answer(jobs, text, piece)

    if b"\0" not in text and not text.startswith((b"{", b"[", b"\x1f\x8b")):  # distinguished before a line is read
        assert fast == answer(twin.read, text)


@given(st.data())
def test_a_spoilt_archive_is_read_or_refused(data):
    packed = gzip.compress(data.draw(swf_logs()), mtime=0)

    answer(jobs, data.draw(mutated(packed)), unpack.PIECE)


@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(text):
    answer(jobs, text, unpack.PIECE)


def test_a_large_log_gives_the_same_in_any_pieces():
    random = np.random.default_rng(1)
    lines = [f"{i} {t} -1 {r} {p} -1 -1 {p} {r + 5} -1 1 {u} -1 -1 -1 -1 -1 -1" for i, (t, r, p, u) in
             enumerate(random.integers(0, 1000, (3000, 4)))]  # fmt: skip
    text = "\n".join(lines).encode()

    assert jobs(text, 10_000) == jobs(text, unpack.PIECE) == twin.read(text)
