"""The whole set-up by HTTP alone: gunicorn, a real Redis or Valkey, real workers."""

from __future__ import annotations

import contextlib
import csv
import http.client
import io
import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from shadowtime.dashboard.api.hub import MOST_STREAMS
from shadowtime.dashboard.api.live import MOST_RUNS
from shadowtime.dashboard.serving import gunicorn
from shadowtime.workers.settings import Settings
from shadowtime.workers.store.base import UNFINISHED
from tests.conftest import FOUR_SWF
from tests.ports import unused_port
from tests.workers.forked import Forked, serve
from tests.workers.lab import ROOT, WEB, Lab, wait_for

pytestmark = pytest.mark.integration

TOO_LONG = (
    b"POST /api/workloads HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=b\r\n"
    b"Content-Length: 300000000\r\n\r\n"
)
CHUNKED = [
    f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
    for path, kind in (
        ("/api/runs", "application/json"),
        ("/_dash-update-component", "application/json"),
        ("/api/workloads", "multipart/form-data; boundary=b"),
    )
]
UNSOUND = (b"zz\r\n{}\r\n0\r\n\r\n", b"2\r\n{}xx0\r\n\r\n", b"2\r\n{}\r\n0\r\nA B: 1\r\n\r\n")
"""A size that is no number, an end that is missing, a name of a trailer that is refused."""


class Web:
    """A gunicorn on a lab's store and Redis: forked from a warmed process, or (`by_command`) started as the Procfile
    says."""

    def __init__(self, lab: Lab, *, by_command: bool = False):
        self.lab, self.port = lab, unused_port()
        environment = {**lab.environment(), "HOST": "127.0.0.1", "PORT": str(self.port)}
        self.process: subprocess.Popen | Forked
        if by_command:
            self.process = subprocess.Popen(WEB, cwd=ROOT, env=environment, start_new_session=True)
        else:
            self.process = Forked(ROOT, environment, serve, *WEB[3:])
        wait_for(self.answers, "web process", 60.0)

    def answers(self) -> bool:
        try:
            return self.ask("GET", "/healthz")[0] in (200, 503)
        except OSError:
            assert self.process.poll() is None
            return False

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """Status, and the body: JSON where it is."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        if isinstance(body, dict):
            body, headers = json.dumps(body).encode(), {"Content-Type": "application/json", **headers}
        with contextlib.closing(connection):
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            content = answer.read()
            is_json = answer.headers.get_content_type() == "application/json"
            return answer.status, json.loads(content) if is_json else content.decode()

    def upload(self, text: str, name: str = "four.swf") -> tuple[int, Any]:
        head = f'--b\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'
        body = f"{head}{text}\r\n--b--\r\n".encode()
        return self.ask("POST", "/api/workloads", body, **{"Content-Type": "multipart/form-data; boundary=b"})

    def generated(self, **parameters: Any) -> str:
        return self.ask("POST", "/api/workloads", {"generator": "uniform", "parameters": parameters})[1]["id"]

    def wait_for_end(self, run: str) -> dict[str, Any]:
        """The run, once it is neither queued nor running."""

        def ended() -> Any:
            answer = self.ask("GET", f"/api/runs/{run}")[1]
            return answer if answer["status"] not in UNFINISHED else None

        return wait_for(ended, "end of the run", 60.0)

    @contextlib.contextmanager
    def live(self, runs: str, client: str = "127.0.0.1") -> Iterator[Iterator[tuple[str, dict]]]:
        """Name and value of each event of a stream, to an address of this machine."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60, source_address=(client, 0))
        with contextlib.closing(connection):
            connection.request("GET", f"/api/live?runs={runs}")
            answer = connection.getresponse()
            assert answer.status == 200, answer.read()
            yield events(answer)

    def close(self) -> None:
        self.stop()

    def stop(self) -> float:
        """Seconds that it takes to end when asked to."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
        return time.monotonic() - began


def events(answer: http.client.HTTPResponse) -> Iterator[tuple[str, dict]]:
    name = ""
    for line in answer:
        key, _, value = line.decode().strip().partition(": ")
        if key == "event":
            name = value
        elif key == "data":
            yield name, json.loads(value)


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    made = Lab(tmp_path, unused_port())
    try:
        made.start_redis()
        yield made
    finally:
        made.close()


@pytest.fixture
def web(lab: Lab) -> Iterator[Web]:
    made = Web(lab)
    yield made
    made.stop()


def test_from_a_file_to_its_tables(web, lab):
    lab.start_worker(by_command=True)
    assert web.ask("GET", "/healthz")[1] == {"status": "ok", "redis": True, "workers": 1, "store": True}
    workload = web.upload(FOUR_SWF)[1]["id"]

    status, accepted = web.ask("POST", "/api/runs", {"workload": workload, "algorithm": "easy"})
    assert status == 202
    with web.live(accepted["id"]) as news:
        last = next(value for name, value in news if name == "run" and value["status"] not in UNFINISHED)
    run = web.wait_for_end(accepted["id"])

    assert (last["status"], run["status"]) == ("finished", "finished"), run["error"]
    assert last["progress"] == run["progress"]
    assert run["summary"]["metrics"]["makespan"] == 1110.0
    jobs = csv.DictReader(io.StringIO(web.ask("GET", f"/api/runs/{run['id']}/jobs.csv")[1]))
    assert [job["starting_time"] for job in jobs] == ["0.0", "100.0", "110.0", "3.0"]
    assert web.ask("POST", "/api/runs", {"workload": workload, "algorithm": "easy"}) == (200, accepted)
    longest = ",".join([f"{run['id']:0<64}", *(f"{n:064x}" for n in range(1, MOST_RUNS))])
    assert [one["id"] for one in web.ask("GET", f"/api/runs?ids={longest}")[1]["runs"]] == [run["id"]]
    assert web.ask("DELETE", f"/api/runs/{run['id']}")[0] == 204


def test_a_link_outlives_a_restart_and_its_run_is_computed_again_bit_by_bit(web, lab):
    lab.start_worker()
    question = {"workload": web.upload(FOUR_SWF)[1]["id"], "algorithm": "easy"}
    run = web.ask("POST", "/api/runs", question)[1]["id"]
    web.wait_for_end(run)
    link = web.ask("POST", "/api/links", {"target": f"/runs/{run}?v=1&job=2", "title": "Job 2"})[1]
    web.stop()

    with contextlib.closing(Web(lab)) as other:
        assert other.ask("GET", f"/api/links/{link['code']}") == (200, link)
        assert other.ask("GET", link["url"])[0] == 302
        assert other.ask("POST", f"/api/links/{link['code']}/rerun", {})[0] == 202

        def same() -> Any:
            (found,) = other.ask("GET", f"/api/links/{link['code']}/rerun")[1]["runs"]
            return found if found["status"] != "queued" else None

        found = wait_for(same, "end of the re-run", 60.0)
        assert (found["status"], found["same"], found["differs"]) == ("finished", True, [])
        assert other.ask("GET", f"/api/runs/{run}")[1]["status"] == "finished"


def test_progress_is_told_while_a_run_goes_on_and_a_cancel_ends_it(web, lab):
    lab.start_worker(gated=True)
    workload = web.generated(jobs=2000)
    run = web.ask("POST", "/api/runs", {"workload": workload, "algorithm": "easy"})[1]["id"]

    with web.live(run) as news:
        running = (value for name, value in news if name == "run" and value["status"] == "running")
        assert next(value for value in running if value["progress"]["jobs_done"])["seq"] > 0
        assert web.ask("POST", f"/api/runs/{run}/cancel")[0] == 202
        assert next(value for name, value in news if name == "run" and value["status"] == "cancelled")


def test_what_is_accepted_while_redis_is_away_is_run_when_it_is_back(web, lab):
    workload = web.upload(FOUR_SWF)[1]["id"]
    with web.live("") as news:
        assert next(news) == ("queue", {"redis": True})
        lab.kill_redis()
        assert next(news) == ("queue", {"redis": False})
        status, health = web.ask("GET", "/healthz")
        assert (status, health["status"], health["redis"], health["store"]) == (503, "degraded", False, True)
        status, accepted = web.ask("POST", "/api/runs", {"workload": workload, "algorithm": "fcfs"})
        assert status == 202
        lab.start_redis()
        assert next(news) == ("queue", {"redis": True})
    lab.start_worker()

    run = web.wait_for_end(accepted["id"])
    assert run["status"] == "finished", run["error"]


def test_a_stop_does_not_wait_for_open_streams(lab):
    web = Web(lab, by_command=True)
    with web.live("") as first, web.live("") as second:
        next(first), next(second)
        assert web.stop() < 8.0


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="the libraries of a process are read from /proc")
def test_the_compiler_is_loaded_for_the_first_visitor(lab):
    web = Web(lab, by_command=True)
    master = web.process.pid
    (serving,) = Path(f"/proc/{master}/task/{master}/children").read_text().split()

    def has_compiler() -> bool:
        return "llvmlite" in Path(f"/proc/{serving}/maps").read_text()

    web.ask("GET", "/metrics")
    time.sleep(2.0)
    assert not has_compiler(), "a process that only monitors ask stays small"
    web.ask("GET", "/runs")
    wait_for(has_compiler, "the compiler")
    web.stop()


def test_clients_that_left_make_room(web):
    for _ in range(2):
        with contextlib.ExitStack() as stack:
            for n in range(MOST_STREAMS):
                client = f"127.0.0.{2 + n // Settings.max_streams}"
                wait_for(partial(opens, web, stack, client), "room for a stream")
            assert web.ask("GET", "/api/live?runs=")[0] == 429
            assert web.ask("GET", "/healthz")[0] == 200


def test_news_reach_more_viewers_than_there_are_threads(web):
    run = web.ask("POST", "/api/runs", {"workload": web.generated(jobs=5), "algorithm": "easy"})[1]["id"]
    viewers = 2 * gunicorn.threads
    with contextlib.ExitStack() as stack:
        streams = [stack.enter_context(web.live(run, f"127.0.0.{2 + n // 20}")) for n in range(viewers)]
        for news in streams:
            assert next(value["status"] for name, value in news if name == "run") == "queued"
        assert web.ask("POST", f"/api/runs/{run}/cancel")[0] == 202
        heard = [next(value["status"] for name, value in news if name == "run") for news in streams]
    assert heard == ["cancelled"] * viewers


def test_slow_clients_hold_up_nobody(web):
    """More of them than there are threads, each with the most of a body or of a head."""
    body = b"POST /api/runs HTTP/1.1\r\nContent-Length: 9\r\n\r\n{"
    with contextlib.ExitStack() as stack:
        for number in range(800):
            slow = stack.enter_context(socket.create_connection(("127.0.0.1", web.port), timeout=60))
            slow.sendall(body if number % 2 else b"GET /runs HTTP/1.1\r\nHost: 127.0.0.1\r\nX: ")
        assert web.ask("GET", "/healthz")[0] == 200
        slow.sendall(b"}" * 8)  # the last one sends the rest after all
        assert slow.recv(4096).startswith(b"HTTP/1.1 400")


def test_what_stands_in_for_gunicorns_own_reading_reads_as_it_does(web):
    with socket.create_connection(("127.0.0.1", web.port), timeout=60) as client:
        answers = client.makefile("rb")

        def answer() -> tuple[bytes, bytes]:
            status, length = answers.readline(), 0
            while (line := answers.readline()) not in (b"\r\n", b""):
                if line.lower().startswith(b"content-length:"):
                    length = int(line.partition(b":")[2])
            return status[:12], answers.read(length)

        client.sendall(b"GET /api/formats HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 3)  # before the first is answered
        first, *others = (answer() for _ in range(3))
        assert first[0] == b"HTTP/1.1 200" and json.loads(first[1])
        assert others == [first, first]
        client.sendall(b"POST /api/runs HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n")
        assert answer() == (b"HTTP/1.1 100", b"")
        client.sendall(b"{}")
        assert answer()[0] == b"HTTP/1.1 403"  # no host of ours
        chunks = b"Host: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n"
        client.sendall(b"POST /api/runs HTTP/1.1\r\n" + chunks)
        assert answer() == (b"HTTP/1.1 400", b'{"error":"workload must be given."}\n')
        assert answers.read() == b""  # nothing is read after chunks
    for sent, status in (
        (b"GET / HTTP/1.1\r\nX: " + b"x" * 70_000, b"HTTP/1.1 431"),
        (TOO_LONG, b"HTTP/1.1 413"),
        *((head + chunk, b"HTTP/1.1 400") for head in CHUNKED for chunk in UNSOUND),
        (b"nonsense\r\n\r\n", b"HTTP/1.1 400"),
    ):
        with socket.create_connection(("127.0.0.1", web.port), timeout=60) as client:
            client.sendall(sent)
            assert client.makefile("rb").read().startswith(status), sent[:60]


def test_one_client_that_opens_hundreds_of_streams_takes_nothing_from_the_others(web):
    run = web.ask("POST", "/api/runs", {"workload": web.generated(jobs=5), "algorithm": "easy"})[1]["id"]
    with contextlib.ExitStack() as stack:
        opened = [opens(web, stack, "127.0.0.1") for _ in range(300)]
        refused, sentence = web.ask("GET", f"/api/live?runs={run}")
        answers = [timed(web, path) for path in ("/healthz", "/", "/runs", f"/api/runs/{run}", "/api/algorithms")]
        other = opens(web, stack, "127.0.0.2")

    assert opened == [True] * Settings.max_streams + [False] * (300 - Settings.max_streams)
    assert refused == 429 and "20 live streams of yours are open" in sentence["error"]
    assert all(status == 200 and seconds < 5.0 for status, seconds in answers), answers
    assert other


def timed(web: Web, path: str) -> tuple[int, float]:
    began = time.monotonic()
    return web.ask("GET", path)[0], time.monotonic() - began


def opens(web: Web, stack: contextlib.ExitStack, client: str) -> bool:
    """A stream more was opened; it stays open as long as `stack`."""
    try:
        return next(stack.enter_context(web.live("", client)))[0] == "queue"
    except AssertionError:
        return False
