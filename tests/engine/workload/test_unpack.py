"""Archives: recognized by content, refused when broken, and never unpacked without end."""

from __future__ import annotations

import bz2
import gzip
import lzma
import time
import tracemalloc
import zlib
from io import BytesIO

import pytest

from shadowtime.engine.errors import InvalidWorkload
from shadowtime.engine.workload.limits import Limits
from shadowtime.engine.workload.reading import read
from shadowtime.engine.workload.samples import find_sample

FOUR = find_sample("four").content()


def refusal(content: bytes, **limits: int) -> str:
    with pytest.raises(InvalidWorkload) as caught:
        read(BytesIO(content), "jobs.swf.gz", limits=Limits(**limits))
    return str(caught.value).removeprefix("jobs.swf.gz was not read: ")


def bomb(piece: bytes, pieces: int) -> bytes:
    """A small archive of much text."""
    packer = zlib.compressobj(9, wbits=31)
    packed = [packer.compress(piece) for _ in range(pieces)]
    return b"".join(packed) + packer.flush()


def test_packed_or_not_is_the_same_workload():
    packed = read(BytesIO(gzip.compress(FOUR)), "four.swf")

    assert packed.source == read(BytesIO(FOUR), "four.swf").source
    assert len(packed) == 4


def test_archives_in_a_row_are_one_file():
    assert len(read(BytesIO(gzip.compress(FOUR[:40]) + gzip.compress(FOUR[40:])), "four.swf.gz")) == 4


@pytest.mark.parametrize("kept", [2, 5, 30, -20, -4, -1])
def test_an_archive_that_ends_early(kept):
    assert refusal(gzip.compress(FOUR)[:kept]) == "the archive ends in the middle. Send it again."


@pytest.mark.parametrize("at", [12, 60, -6])
def test_a_damaged_archive(at):
    packed = bytearray(gzip.compress(FOUR))
    packed[at] ^= 0xFF

    assert refusal(bytes(packed)) == "the archive is damaged. Send it again."


def test_too_much_text():
    assert refusal(FOUR, unpacked=200) == "it has more than 200 bytes, the limit here."
    assert refusal(gzip.compress(FOUR), unpacked=200) == "it would unpack to more than 200 bytes, the limit here."


@pytest.mark.parametrize(
    ("piece", "sentence"),
    [
        (b"; much ado " * 9000 + b"\n", "it would unpack to more than 100 MB, the limit here."),
        (b"\0" * 1_000_000, "it is neither a log nor a JSON instance."),
        (b"1 " * 500_000, "line 1 has more than 100,000 characters, the limit here."),
        (b";\n" * 500_000, "it has more than 1,000,000 lines without a job, the limit here."),
        (b'{"a":' * 200_000, "a JSON instance has at most 32 MB here; use SWF for large logs."),
    ],
)
def test_a_bomb_is_refused_quickly_and_in_little_memory(piece, sentence):
    packed = bomb(piece, 130_000_000 // len(piece))
    assert len(packed) < 300_000

    tracemalloc.start()
    begun = time.perf_counter()
    message = refusal(packed, unpacked=100_000_000, lines=1_000_000)
    seconds, peak = time.perf_counter() - begun, tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert message == sentence
    assert seconds < 20  # most of it is the tracing of memory
    assert peak < 150_000_000


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"PK\3\4rest", "it is a ZIP archive or a spreadsheet: unpack it, or save the table as CSV."),
        (b"\x89PNG\r\n\x1a\n\0\0", "it is a picture, not a log."),
        ("; MaxProcs: 1\n".encode("utf-16"), "its text is UTF-16: save it as UTF-8."),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "it is a spreadsheet in the old format of Excel: save the table as CSV."),
        (b"7z\xbc\xaf\x27\x1c", "it is packed with 7-Zip: send it unpacked, or packed with gzip."),
        (b"%PDF-1.7", "it is neither a log nor a JSON instance."),
        (gzip.compress(FOUR, mtime=0), "it is packed with gzip twice: unpack it once."),
        (bz2.compress(FOUR), "it is packed with bzip2: send it unpacked, or packed with gzip."),
        (lzma.compress(FOUR), "it is packed with xz: send it unpacked, or packed with gzip."),
        (b"\x28\xb5\x2f\xfd$", "it is packed with zstd: send it unpacked, or packed with gzip."),
        (b"\n<!DOCTYPE html>\n<html>", "it is a web page or XML, not a log: send the file to which the page links."),
        (b"<?xml version='1.0'?>", "it is a web page or XML, not a log: send the file to which the page links."),
        (
            b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
            "it is what Git LFS keeps in the place of a file: get the file with `git lfs pull`.",
        ),
        (
            b"             JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n",
            "it is what squeue prints: jobs that wait or run, whose ends are not known. Send what `sacct -P` prints.",
        ),
        (
            b"Job id            Name             User              Time Use S Queue\n",
            "it is what qstat prints: jobs that wait or run, whose ends are not known. Send the accounting files of "
            "the server.",
        ),
    ],
)
def test_other_files_are_refused(content, sentence):
    assert refusal(gzip.compress(content)) == sentence


def test_the_limit_here_is_sixteen_gigabytes():
    assert Limits().unpacked == 16_000_000_000
