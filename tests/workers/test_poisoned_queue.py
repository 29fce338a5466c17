"""What anyone who can write to Redis puts there is data: pickles are not read, and nothing but our tasks is called."""

from __future__ import annotations

import json
import os
import pickle
import zlib
from pathlib import Path

import pytest
from rq.job import Job

from shadowtime.workers.kinds import RUN
from shadowtime.workers.live import STREAM, Reader
from shadowtime.workers.queue import SERIALIZER
from shadowtime.workers.records.store import RecordStore
from shadowtime.workers.settings import Settings
from shadowtime.workers.worker import RunWorker
from tests.workers.lab import Lab, wait_for
from tests.workers.samples import fake_queue

DIGEST = "e" * 64


class Evil:
    """Makes a folder when it is read as a pickle."""

    def __init__(self, path: Path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def data(digest: str = DIGEST, task: str = RUN.task) -> bytes:
    """A call as ours are written."""
    return zlib.compress(json.dumps([task, None, [digest], {}]).encode())


def test_the_pickles_of_this_test_would_be_noticed(tmp_path):
    pickle.loads(pickle.dumps(Evil(tmp_path / "made")))

    assert (tmp_path / "made").is_dir()


@pytest.mark.integration
def test_pickles_are_not_read_and_the_worker_goes_on(lab: Lab, tmp_path):
    worker = lab.start_worker()
    heard: list[dict] = []
    reader = Reader(lab.url, lab.queue.names, lambda _, message: heard.append(message), lambda _: None)
    reader.start()
    redis, payload = lab.queue.connection, pickle.dumps(Evil(tmp_path / "made"))
    for number, fields in enumerate(
        ({"data": zlib.compress(payload)}, {"data": payload}, {"data": data(), "meta": payload, "result": payload})
    ):
        names = lab.queue.names
        job = names.job(f"{number:064x}")
        redis.hset(f"rq:job:{job}", mapping={"status": "queued", "origin": names.queue("high"), **fields})
        redis.rpush(f"rq:queue:{names.queue('high')}", job)
    for name in redis.smembers("rq:workers"):
        redis.publish(f"rq:pubsub:{name.decode().removeprefix('rq:worker:')}", payload)
    for message in (payload, b"[]", b'{"run": 3}', b'{"run": "0123456789abcdef"}', b"\xff"):
        redis.xadd(names.key(STREAM), {"message": message})
    redis.xadd(names.key(STREAM), {"another": payload})
    digest = lab.ask()
    lab.wait_for_status(digest, "finished")
    wait_for(lambda: heard and heard[-1].get("status") == "finished", "message of the end")
    reader.stop()

    assert not (tmp_path / "made").exists()
    assert {message["run"] for message in heard} == {digest[:16]}
    assert worker.poll() is None and not lab.queue.waiting()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("success_callback_name", "os.getcwd"),
        ("failure_callback_name", "os.getcwd"),
        ("stopped_callback_name", "os.getcwd"),
        ("webhooks", json.dumps([{"job_status": "finished", "url": "http://127.0.0.1:9/"}])),
    ],
)
def test_what_rq_would_call_besides_our_task_makes_it_no_work_of_ours(name, value, tmp_path):
    queue, store = fake_queue(), RecordStore(tmp_path)
    worker = RunWorker(store, queue.connection, Settings(store=tmp_path))

    def job(**more: str) -> Job:
        made = Job(worker.run_queue.names.job(DIGEST), connection=queue.connection, serializer=SERIALIZER)
        made.restore({key.encode(): text for key, text in {"data": data(), **more}.items()})
        return made

    assert worker.is_ours(job(), DIGEST)
    assert not worker.is_ours(job(**{name: value.encode()}), DIGEST)
