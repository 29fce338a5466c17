"""Local copies of blobs in a bucket: compared, fetched again, and deleted in the order of their use."""

from __future__ import annotations

import os
import random
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from shadowtime.workers.records import blob_cache, s3_protocol
from shadowtime.workers.records.blobs import BlobDamaged


def age(blobs, *digests: str) -> None:
    """Let copies have been used long ago, the first one first."""
    for seconds, digest in enumerate(reversed(digests), 1000):
        path = blobs.cache.folder / digest
        os.utime(path, (time.time() - seconds, path.stat().st_mtime))


def copies(blobs) -> set[str]:
    return set(os.listdir(blobs.cache.folder))


def test_a_second_look_asks_nothing_of_the_server(put, here, monkeypatch):
    digest, blobs = put(b"some bytes"), here()
    path = blobs.open(digest)
    monkeypatch.setattr(blobs.client, "_pool", None)

    assert blobs.open(digest) == path


def test_a_damaged_copy_is_fetched_again(put, here):
    digest, blobs = put(b"some bytes"), here()
    for content in (b"some bytfs", b"", b"some bytes and more"):
        blobs.open(digest).write_bytes(content)

        assert blobs.open(digest).read_bytes() == b"some bytes"


def test_a_damaged_object_leaves_no_copy(put, here):
    digest, blobs = put(b"some bytes"), here()
    blobs.client.put(digest, b"", s3_protocol.NOTHING)

    with pytest.raises(BlobDamaged):
        blobs.open(digest)
    assert copies(blobs) == set()


def test_the_least_recently_used_copies_go_first(put, here):
    blobs = here(1000)
    first, second, third, fourth = (put(bytes([number]) * 300) for number in range(4))
    for digest in (first, second, third):
        blobs.open(digest)
    age(blobs, second, third, first)
    blobs.open(second)

    blobs.open(fourth)

    assert copies(blobs) == {first, second, fourth}


def test_copies_used_just_now_stay(put, here):
    blobs = here(1000)
    digests = {put(bytes([number]) * 300) for number in range(6)}

    paths = [blobs.open(digest) for digest in digests]

    assert all(path.exists() for path in paths)


def test_a_copy_larger_than_the_cache_is_opened(put, here, monkeypatch):
    monkeypatch.setattr(blob_cache, "JUST_NOW", 0.0)
    blobs = here(1000)
    small, large = put(b"x" * 300), put(b"y" * 5000)
    blobs.open(small)

    assert blobs.open(large).read_bytes() == b"y" * 5000
    assert copies(blobs) == {large}
    assert blobs.open(small).read_bytes() == b"x" * 300
    assert copies(blobs) == {small}


def test_a_mapped_copy_stays_readable(put, here):
    blobs = here(1000)
    first, second = put(b"x" * 900), put(b"y" * 900)
    content = np.memmap(blobs.open(first), np.uint8, "r")
    age(blobs, first)

    blobs.open(second)

    assert copies(blobs) == {second}
    assert bytes(content) == b"x" * 900


def test_what_a_crash_left_in_the_cache_is_deleted(put, here):
    blobs = here(1000)
    left = blobs.cache.folder / ".tmp-1-x"
    left.write_bytes(b"x" * 500)
    os.utime(left, (0, 0))
    digest = put(b"x" * 300)

    blobs.open(digest)

    assert copies(blobs) == {digest}


def test_the_folder_is_measured_once_for_many_small_copies(put, here, monkeypatch):
    blobs, measured = here(1_000_000), []
    digests = [put(bytes([number]) * 10) for number in range(100)]
    shrink = blobs.cache._shrink
    monkeypatch.setattr(blobs.cache, "_shrink", lambda path: (measured.append(path), shrink(path)))

    for digest in digests:
        blobs.open(digest)

    assert len(measured) < 5  # 0.1 on average


def test_several_caches_share_a_folder(put, here, monkeypatch):
    monkeypatch.setattr(blob_cache, "JUST_NOW", 0.2)
    contents = [bytes([number]) * 300 for number in range(20)]
    digests = [put(content) for content in contents]
    several = [here(2000) for _ in range(4)]

    def read(blobs) -> None:
        for _ in range(100):
            at = random.randrange(20)
            assert blobs.open(digests[at]).read_bytes() == contents[at]
            time.sleep(0.005)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(read, several))
    time.sleep(0.3)
    several[0].open(put(b"z" * 300))

    assert sum(os.stat(several[0].cache.folder / name).st_size for name in copies(several[0])) <= 2000


def test_one_download_serves_several_threads(put, here, monkeypatch):
    digest, blobs = put(random.randbytes(2_000_000)), here()
    read, asked = blobs.client.read, []
    monkeypatch.setattr(blobs.client, "read", lambda name: (asked.append(name), read(name))[1])

    with ThreadPoolExecutor(8) as pool:
        paths = set(pool.map(blobs.open, [digest] * 8))

    assert (len(paths), len(asked)) == (1, 1)
