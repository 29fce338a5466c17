"""Blobs are durable, checked and found again, in a folder and in a bucket alike."""

from __future__ import annotations

import hashlib
import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from shadowtime.engine.errors import InvalidParameter
from shadowtime.workers.records import blobs as module
from shadowtime.workers.records.blobs import BlobDamaged, Draft, FolderBlobs, draft_of
from shadowtime.workers.records.open_blobs import open_blobs

KILLED = """
import sys
from pathlib import Path
from shadowtime.workers.records import s3
from shadowtime.workers.records.blobs import draft_of
from shadowtime.workers.records.open_blobs import open_blobs

s3.PART = 5 << 20
blobs = open_blobs(sys.argv[1], Path(sys.argv[2]))
drafts = [draft_of(path) for path in sorted(Path(sys.argv[3]).iterdir())]
print("now", flush=True)
blobs.put(drafts)
"""


@pytest.fixture(params=["folder", "bucket"])
def place(request):
    """The setting SHADOWTIME_BLOBS."""
    return "" if request.param == "folder" else request.getfixturevalue("bucket")


@pytest.fixture
def blobs(place, tmp_path):
    return open_blobs(place, tmp_path / "store")


@pytest.fixture
def draft(tmp_path):
    """A function that writes a draft."""

    def write(content: bytes = b"some bytes") -> Draft:
        path = tmp_path / f"draft-{random.getrandbits(64)}"
        path.write_bytes(content)
        return draft_of(path)

    return write


def alter(blobs, digest: str, content: bytes) -> None:
    """Replace the bytes of a blob, wherever it is."""
    if isinstance(blobs, FolderBlobs):
        (blobs.root / digest).write_bytes(content)
    else:
        blobs.client.put(digest, content, hashlib.sha256(content).hexdigest())
        blobs.cache.remove(digest)


def test_what_was_put_is_opened_listed_and_removed(blobs, draft):
    drafts = [draft(bytes([number]) * number) for number in range(20)]

    blobs.put([*drafts, drafts[3]])

    assert sorted(blobs.digests()) == sorted(one.digest for one in drafts)
    for number, one in enumerate(drafts):
        assert blobs.open(one.digest).read_bytes() == bytes([number]) * number
    for one in drafts[1:]:
        blobs.remove(one.digest)
        blobs.remove(one.digest)
    assert list(blobs.digests()) == [drafts[0].digest]
    with pytest.raises(FileNotFoundError):
        blobs.open(drafts[1].digest)


def test_another_process_finds_them(blobs, place, draft, tmp_path):
    one = draft()
    blobs.put([one])

    assert open_blobs(place, tmp_path / "store").open(one.digest).read_bytes() == b"some bytes"


def test_a_blob_that_is_there_is_left(blobs, draft):
    one, same = draft(), draft()
    blobs.put([one])
    before = stamp(blobs, one.digest)

    blobs.put([same])

    assert stamp(blobs, one.digest) == before
    assert same.path.exists()


def stamp(blobs, digest: str) -> object:
    if isinstance(blobs, FolderBlobs):
        return os.stat(blobs.root / digest).st_ino
    return blobs.client._request("HEAD", digest).headers["Last-Modified"]


def test_a_damaged_blob_is_named_and_can_be_written_again(blobs, draft):
    one, same = draft(), draft()
    blobs.put([one])
    alter(blobs, one.digest, b"some byte")

    with pytest.raises(BlobDamaged, match=one.digest[:16]):
        blobs.open(one.digest)
    blobs.put([same])
    assert blobs.open(one.digest).read_bytes() == b"some bytes"


def test_bytes_altered_in_place_are_noticed(blobs, draft):
    one = draft()
    blobs.put([one])
    alter(blobs, one.digest, b"some bytfs")

    with pytest.raises(BlobDamaged):
        blobs.open(one.digest)


@pytest.mark.parametrize("name", ["../x", "", "x" * 64, "A" * 64, "/etc/passwd", "a" * 63, "../" + "a" * 61])
def test_other_names_are_refused(blobs, draft, name):
    one = draft()
    for act in (blobs.open, blobs.remove, lambda name: blobs.put([Draft(one.path, name, one.size)])):
        with pytest.raises(BlobDamaged, match="not the name of a blob"):
            act(name)
    assert list(blobs.digests()) == []
    assert one.path.exists()


def test_eight_threads_put_the_same_blob(blobs, draft):
    content = random.randbytes(3_000_000)
    drafts = [draft(content) for _ in range(8)]

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda one: blobs.put([one]), drafts))

    assert list(blobs.digests()) == [drafts[0].digest]
    assert blobs.open(drafts[0].digest).read_bytes() == content


def test_a_kill_in_the_middle_leaves_no_wrong_content(place, draft, tmp_path):
    folder = tmp_path / "drafts"
    folder.mkdir()
    contents = [random.randbytes(size) for size in (1000, 3_000_000, 20_000_000, 20_000_001)]
    digests = {hashlib.sha256(content).hexdigest() for content in contents}
    for share in (0.0, 0.1, 0.3, 0.5, 0.8):
        for number, content in enumerate(contents):
            (folder / str(number)).write_bytes(content)
        child = subprocess.Popen(
            [sys.executable, "-c", KILLED, place, tmp_path / "store", folder], stdout=subprocess.PIPE
        )
        child.stdout.readline()
        time.sleep(share * (0.3 if place else 0.05))
        child.send_signal(signal.SIGKILL)
        child.wait(30.0)
        child.stdout.close()

        blobs = open_blobs(place, tmp_path / "other")
        if not place:
            blobs = open_blobs(place, tmp_path / "store")
        for digest in blobs.digests():
            assert digest in digests
            assert hashlib.sha256(blobs.open(digest).read_bytes()).hexdigest() == digest
            blobs.remove(digest)
    blobs.put([draft(content) for content in contents])
    assert set(blobs.digests()) == digests


def test_a_forked_child_puts_and_opens(blobs, draft):
    one, other = draft(b"of the parent"), draft(b"of the child")
    blobs.put([one])
    blobs.open(one.digest)

    child = os.fork()
    if child == 0:
        signal.alarm(20)
        code = 1
        try:
            blobs.put([other])
            code = 0 if blobs.open(one.digest).read_bytes() == b"of the parent" else 2
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0
    assert blobs.open(other.digest).read_bytes() == b"of the child"


def test_files_that_are_no_blobs_are_not_listed(tmp_path):
    blobs = open_blobs("", tmp_path)
    for name in (".tmp-1", "x" * 64, "README"):
        (tmp_path / "blobs" / name).touch()

    assert list(blobs.digests()) == []


def test_many_drafts_are_flushed_together(tmp_path, draft, monkeypatch):
    flushed = []
    monkeypatch.setattr(module.disk, "sync_all", flushed.append)

    open_blobs("", tmp_path).put([draft(bytes([number])) for number in range(module.MANY)])

    assert flushed == [tmp_path / "blobs"]


@pytest.mark.parametrize("url", ["http://bucket", "bucket", "/folder"])
def test_other_places_are_refused_by_name(tmp_path, url):
    with pytest.raises(InvalidParameter, match=r"SHADOWTIME_BLOBS = .* must begin with s3://"):
        open_blobs(url, tmp_path)


def test_a_folder_loads_nothing_of_s3(tmp_path):
    code = (
        "import sys; from pathlib import Path; from shadowtime.workers.records.open_blobs import open_blobs; "
        f"open_blobs('', Path({str(tmp_path)!r})); "
        "print(*(name for name in sys.modules if name.startswith(('urllib3', 'shadowtime.workers.records.s3'))))"
    )

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"


def test_a_copy_of_the_store_is_not_needed(place, blobs, draft):
    one = draft()
    blobs.put([one])

    assert isinstance(blobs.open(one.digest), Path)
    assert (one.path.exists()) == bool(place)  # moved into the folder, or sent


def test_few_files_are_known_and_each_is_read_once(tmp_path, monkeypatch):
    reads = []
    monkeypatch.setattr(module, "FILES_KNOWN", 2)
    monkeypatch.setattr(module, "_KNOWN", module._Known())
    monkeypatch.setattr(
        module, "digest_of", lambda path, digest_of=module.digest_of: reads.append(path) or digest_of(path)
    )
    files = [tmp_path / name for name in "abc"]
    for file in files:
        file.write_text(file.name)

    for file in (files[0], files[0], files[1], files[2], files[1], files[0]):
        module.verify(file, hashlib.sha256(file.name.encode()).hexdigest())

    assert [path.name for path in reads] == ["a", "b", "c", "a"]
    with pytest.raises(BlobDamaged):
        module.verify(files[0], "0" * 64)
