"""Blobs in a bucket: signatures, large ones in parts, and a server that is away, refuses or breaks off."""

from __future__ import annotations

import os
import random
import socket
import threading
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import pytest
from urllib3 import HTTPResponse

from shadowtime.dashboard.access.refusal import status_of
from shadowtime.engine.errors import InvalidParameter
from shadowtime.workers.records import s3, s3_protocol
from shadowtime.workers.records.blobs import BlobsAway, draft_of
from shadowtime.workers.records.open_blobs import open_blobs
from shadowtime.workers.records.s3_protocol import Bucket, signed
from shadowtime.workers.records.store import RecordStore

EXAMPLE = {
    "AWS_ACCESS_KEY_ID": "AKIAIOSFODNN7EXAMPLE",
    "AWS_SECRET_ACCESS_KEY": "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
}
"""Of AWS's own examples of signatures."""


@pytest.mark.parametrize(
    ("query", "signature"),
    [
        ("lifecycle=", "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
        ("max-keys=2&prefix=J", "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
    ],
)
def test_signatures_are_those_of_the_examples_of_aws(query, signature):
    bucket = Bucket("examplebucket", "", "", "us-east-1", *EXAMPLE.values())
    moment = datetime(2013, 5, 24, tzinfo=UTC)

    found = signed(bucket, "GET", "https://examplebucket.s3.amazonaws.com/", query, s3_protocol.NOTHING, moment)

    assert found["authorization"].endswith(f"Signature={signature}")


@pytest.mark.parametrize(
    ("url", "more", "endpoint"),
    [
        ("s3://lab", {}, "https://lab.s3.us-east-1.amazonaws.com"),
        ("s3://lab/x", {"AWS_REGION": "eu-west-1"}, "https://lab.s3.eu-west-1.amazonaws.com"),
        ("s3://a.lab", {"AWS_DEFAULT_REGION": "eu-west-1"}, "https://s3.eu-west-1.amazonaws.com/a.lab"),
        ("s3://lab", {"AWS_ENDPOINT_URL": "http://minio:9000/"}, "http://minio:9000/lab"),
        ("s3://lab", {"AWS_ENDPOINT_URL": "https://s3.example:443"}, "https://s3.example/lab"),
        (
            "s3://lab",
            {"AWS_ENDPOINT_URL_S3": "https://a", "AWS_ENDPOINT_URL": "https://b"},
            "https://a/lab",
        ),
    ],
)
def test_the_server_is_found_by_the_usual_variables(url, more, endpoint):
    bucket = Bucket.from_url(url, {**EXAMPLE, **more})

    assert bucket.endpoint == endpoint
    assert bucket.prefix in ("", "x/")
    assert EXAMPLE["AWS_SECRET_ACCESS_KEY"] not in repr(bucket)


@pytest.mark.parametrize(
    ("url", "environment", "sentence"),
    [
        ("s3://", EXAMPLE, "must be a bucket like s3://bucket/prefix"),
        ("s3://Lab", EXAMPLE, "must be a bucket like s3://bucket/prefix"),
        ("s3://lab/a b", EXAMPLE, "must be a bucket like s3://bucket/prefix"),
        ("s3://lab", {}, "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set"),
        ("s3://lab", {**EXAMPLE, "AWS_ENDPOINT_URL": "minio:9000"}, "AWS_ENDPOINT_URL = 'minio:9000', but it must be"),
    ],
)
def test_a_wrong_setting_is_one_sentence(url, environment, sentence, tmp_path):
    with pytest.raises(InvalidParameter, match=sentence):
        s3.S3Blobs(url, tmp_path, 0, environment)


def test_a_large_blob_is_sent_in_parts_and_never_whole_in_memory(bucket, here, tmp_path, monkeypatch):
    monkeypatch.setattr(s3, "PART", 1 << 20)
    path, size = tmp_path / "large", 40_000_001
    path.write_bytes(random.randbytes(size))
    draft, blobs = draft_of(path), here()
    names = [name for name in vars(type(blobs.client)) if name in ("begin", "put_part", "join")]
    counts = dict.fromkeys(names, 0)

    def counted(name, function):
        def call(*given):
            counts[name] += 1
            return function(*given)

        return call

    for name in names:
        monkeypatch.setattr(blobs.client, name, counted(name, getattr(blobs.client, name)))

    tracemalloc.start()
    blobs.put([draft])
    found = blobs.open(draft.digest)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()

    assert counts == {"begin": 1, "put_part": 39, "join": 1}
    assert found.stat().st_size == size
    assert peak < 15 << 20


def test_parts_that_cannot_be_sent_are_abandoned(here, tmp_path, monkeypatch):
    monkeypatch.setattr(s3, "PART", 1 << 20)
    path = tmp_path / "large"
    path.write_bytes(random.randbytes(5_000_000))
    draft, blobs, abandoned = draft_of(path), here(), []
    send, abandon = blobs.client.put_part, blobs.client.abandon

    def fail(name, upload, number, content):
        if number == 3:
            raise BlobsAway("away")
        return send(name, upload, number, content)

    monkeypatch.setattr(blobs.client, "put_part", fail)
    monkeypatch.setattr(blobs.client, "abandon", lambda *given: (abandoned.append(given), abandon(*given)))

    with pytest.raises(BlobsAway):
        blobs.put([draft])

    assert len(abandoned) == 1
    assert list(blobs.digests()) == []


def test_the_names_of_more_objects_than_an_answer_holds(bucket, here, monkeypatch):
    blobs = here()
    names = {f"{number:064x}" for number in range(1100)}
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda name: blobs.client.put(name, b"", s3_protocol.NOTHING), [*names, "no-blob"]))

    assert sorted(blobs.digests()) == sorted(names)


def test_an_object_that_the_server_lists_twice_is_one_blob(bucket, here, monkeypatch):
    names = ["a" * 64, "a" * 64, "b" * 64, "b" * 64, "c" * 64]
    key = "<Key>some/prefix/{}</Key>".format
    more = "<IsTruncated>true</IsTruncated><NextContinuationToken>3</NextContinuationToken>"
    answers = iter(
        ["".join(map(key, names[:3])) + more, "".join(map(key, names[3:])) + "<IsTruncated>false</IsTruncated>"]
    )
    blobs = here()
    monkeypatch.setattr(blobs.client, "_request", lambda *_: HTTPResponse(next(answers).encode(), status=200))

    assert list(blobs.digests()) == sorted(set(names))


def away(blobs, draft) -> list[str]:
    """Let each method fail; return the sentences."""
    sentences = []
    for act in (lambda: blobs.put([draft] * 3), lambda: blobs.open(draft.digest), lambda: blobs.remove(draft.digest),
                lambda: list(blobs.digests())):  # fmt: skip
        began = time.monotonic()
        with pytest.raises(BlobsAway) as refusal:
            act()
        assert time.monotonic() - began < 10.5
        assert isinstance(refusal.value, ConnectionError)
        assert status_of(refusal.value) == 503
        sentences.append(str(refusal.value))
    return sentences


@pytest.fixture
def draft(tmp_path):
    path = tmp_path / "draft"
    path.write_bytes(b"some bytes")
    return draft_of(path)


def test_a_server_that_is_away_is_said_in_one_sentence(bucket, here, draft, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    monkeypatch.setattr(s3_protocol, "PAUSES", (0.01,) * 3)

    for sentence in away(here(), draft):
        assert sentence.endswith("does not answer: 127.0.0.1:1: Connection refused")


@pytest.fixture
def hurried(monkeypatch):
    """A tenth of the seconds that the client waits."""
    assert s3_protocol.CONNECT + s3_protocol.ANSWER <= 10.0, "a page waits no longer"
    real = s3_protocol.Timeout
    monkeypatch.setattr(s3_protocol, "Timeout", lambda connect, read: real(connect=connect / 10, read=read / 10))


@pytest.mark.usefixtures("hurried")
def test_a_server_that_never_answers_is_not_waited_for(bucket, here, draft, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{deaf.getsockname()[1]}")
        blobs, began = here(), time.monotonic()
        with pytest.raises(BlobsAway, match="no answer in time"):
            blobs.open(draft.digest)
        assert time.monotonic() - began < 5.0


@pytest.mark.usefixtures("hurried")
def test_a_server_that_takes_no_more_bytes_is_not_waited_for(bucket, here, monkeypatch):
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{deaf.getsockname()[1]}")
        blobs, began = here(), time.monotonic()
        with pytest.raises(BlobsAway, match="no answer in time"):
            blobs.client.put("0" * 64, bytes(16_000_000), "0" * 64)
        assert time.monotonic() - began < 5.0


def test_the_health_of_a_store_is_that_of_its_bucket_too(bucket, here, monkeypatch, tmp_path):
    monkeypatch.setattr(s3, "KNOWN", 0.0)
    store = RecordStore(tmp_path / "store", blobs=bucket)

    assert here().is_there() and store.check()
    monkeypatch.setattr(store.shelf.blobs.client, "bucket", replace(store.shelf.blobs.client.bucket, secret="wrong"))
    assert not store.check()
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    assert not here().is_there()


def test_a_busy_server_is_asked_again(bucket, here, draft, monkeypatch):
    monkeypatch.setattr(s3_protocol, "PAUSES", (0.01,) * 3)
    blobs = here()
    answers = iter([503, 500, 503])
    ask = blobs.client._pool.request

    def request(*given, **more):
        answer = ask(*given, **more)
        answer.status = next(answers, answer.status)
        return answer

    monkeypatch.setattr(blobs.client._pool, "request", request)
    blobs.put([draft])

    assert list(blobs.digests()) == [draft.digest]
    answers = iter([503] * 4)
    with pytest.raises(BlobsAway, match="cannot be used: 503"):
        blobs.remove(draft.digest)


def test_a_wrong_key_is_said_in_one_sentence(bucket, here, draft, monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "wrong")

    sentences = away(here(), draft)

    assert all("cannot be used: " in sentence and "\n" not in sentence for sentence in sentences)
    assert "SignatureDoesNotMatch" in sentences[1]


def test_a_bucket_that_is_not_there_is_said_in_one_sentence(bucket, tmp_path, draft):
    blobs = open_blobs("s3://no-such-bucket", tmp_path / "here")

    for act in (lambda: blobs.put([draft]), lambda: blobs.open(draft.digest), lambda: list(blobs.digests())):
        with pytest.raises(BlobsAway, match=r"the bucket 'no-such-bucket' cannot be used: NoSuchBucket"):
            act()


class Breaking(threading.Thread):
    """A way to the server that breaks each connection off after some bytes of the answers."""

    def __init__(self, endpoint: str, after: int):
        super().__init__(daemon=True)
        self.target = (urlsplit(endpoint).hostname, urlsplit(endpoint).port)
        self.after = after
        self.connections = 0
        self.server = socket.create_server(("127.0.0.1", 0))
        self.endpoint = f"http://127.0.0.1:{self.server.getsockname()[1]}"

    def run(self) -> None:
        while True:
            try:
                ours, _ = self.server.accept()
            except OSError:
                return
            self.connections += 1
            threading.Thread(target=self._carry, args=(ours,), daemon=True).start()

    def _carry(self, ours: socket.socket) -> None:
        with closing(ours), socket.create_connection(self.target) as theirs:
            threading.Thread(target=self._send, args=(ours, theirs), daemon=True).start()
            left = self.after
            while left > 0 and (piece := theirs.recv(min(65536, left))):
                ours.sendall(piece)
                left -= len(piece)
            ours.shutdown(socket.SHUT_RDWR)

    def _send(self, ours: socket.socket, theirs: socket.socket) -> None:
        try:
            while piece := ours.recv(65536):
                theirs.sendall(piece)
        except OSError:
            pass


def test_a_download_that_breaks_off_goes_on_where_it_was(put, here, objects, monkeypatch):
    content = random.randbytes(10_000_000)
    digest, way = put(content), Breaking(objects.environment["AWS_ENDPOINT_URL"], 3_000_000)
    way.start()
    with closing(way.server):
        monkeypatch.setenv("AWS_ENDPOINT_URL", way.endpoint)

        assert here().open(digest).read_bytes() == content
        assert way.connections == 4


def test_a_download_that_never_begins_is_given_up(put, here, objects, monkeypatch):
    digest, way = put(random.randbytes(1_000_000)), Breaking(objects.environment["AWS_ENDPOINT_URL"], 10)
    way.start()
    with closing(way.server):
        monkeypatch.setenv("AWS_ENDPOINT_URL", way.endpoint)
        blobs = here()

        with pytest.raises(BlobsAway):
            blobs.open(digest)
        assert os.listdir(blobs.cache.folder) == []


@pytest.mark.parametrize("hours", [1, -1, 200])
def test_a_clock_that_is_wrong_is_corrected_by_that_of_the_server(put, here, monkeypatch, hours):
    class Wrong(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.now(tz) + timedelta(hours=hours)

    digest, blobs = put(b"content"), here()
    monkeypatch.setattr(s3_protocol, "datetime", Wrong)

    assert blobs.open(digest).read_bytes() == b"content"
    assert list(blobs.digests()) == [digest]
    blobs.remove(digest)
    assert list(blobs.digests()) == []
