"""A laboratory that loses its processes: Redis, two web processes on one store, workers. What is killed is replaced."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import random
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

from tests.ports import unused_port
from tests.workers.lab import ROOT, WEB, WORKER, Lab, wait_for

PATIENCE = 90.0
"""Seconds until a process that was just started is at work, on a slow machine under load."""
SOON = 5.0
"""Seconds in which every process ends when it is asked to."""
UNLIMITED = {"SHADOWTIME_MAX_QUEUED": "0", "SHADOWTIME_MAX_UPLOADS": "0", "SHADOWTIME_MAX_JOBS": "0"}


class Away(Exception):
    """No answer: the web process was killed before or while it answered."""


class Site:
    """All processes; `close` ends them."""

    def __init__(self, folder: Path, webs: int = 2, workers: int = 2, database: str = ""):
        self.lab = Lab(folder, unused_port(), database)
        self.lab.start_redis()
        self.ports = [unused_port() for _ in range(webs)]
        self.webs = [self._web(port) for port in self.ports]
        self.workers = [self._spawn(WORKER) for _ in range(workers)]
        self.settled()

    def settled(self) -> None:
        """Everybody is at work."""
        for place in range(len(self.ports)):
            wait_for(lambda place=place: self._answers(place), "answer of the web process", PATIENCE)
        wait_for(self._all_work, "all workers", PATIENCE)

    def ask(self, method: str, path: str, body: Any = None, *, place: int = 0, **headers: str) -> tuple[int, Any]:
        """Status and content of an answer, JSON where it is; Away where there is none."""
        if isinstance(body, dict):
            body, headers = json.dumps(body).encode(), {"Content-Type": "application/json", **headers}
        connection = http.client.HTTPConnection("127.0.0.1", self.ports[place], timeout=30)
        try:
            with contextlib.closing(connection):
                connection.request(method, path, body, headers)
                answer = connection.getresponse()
                content = answer.read()
                is_json = answer.headers.get_content_type() == "application/json"
                return answer.status, json.loads(content) if is_json else content
        except (OSError, http.client.HTTPException) as error:
            raise Away from error

    def upload(self, content: bytes, place: int, *, half: bool = False) -> tuple[int, Any]:
        """A file; of a `half` one the connection is cut in the middle."""
        head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.swf"\r\n\r\n'
        body = head + content + b"\r\n--b--\r\n"
        kind = {"Content-Type": "multipart/form-data; boundary=b"}
        if not half:
            return self.ask("POST", "/api/workloads", body, place=place, **kind)
        connection = http.client.HTTPConnection("127.0.0.1", self.ports[place], timeout=30)
        with contextlib.suppress(OSError), contextlib.closing(connection):
            connection.putrequest("POST", "/api/workloads")
            for name, value in {**kind, "Content-Length": str(len(body))}.items():
                connection.putheader(name, value)
            connection.endheaders(body[: len(body) // 2])
        raise Away

    # -- faults

    def kill_worker(self, draw: random.Random) -> bool:
        self.restart_worker(draw.randrange(len(self.workers)), signal.SIGKILL)
        return True

    def kill_child(self, draw: random.Random) -> bool:
        """What executes a run just now; False when nothing does."""
        return self._kill_below(draw.choice(self.workers).pid)

    def kill_web(self, draw: random.Random) -> bool:
        self.restart_web(draw.randrange(len(self.webs)), signal.SIGKILL)
        return True

    def kill_web_child(self, draw: random.Random) -> bool:
        """The process that answers, below the one that keeps it."""
        return self._kill_below(draw.choice(self.webs).pid)

    def kill_redis(self, draw: random.Random) -> bool:
        process = self.lab.redis.process
        assert process is not None
        process.kill()
        process.wait()
        time.sleep(draw.random() * 0.5)
        self.lab.start_redis()
        return True

    def halt_worker(self, draw: random.Random) -> bool:
        """It stands still for a while, as on a machine that sleeps, and goes on."""
        process = draw.choice(self.workers)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGSTOP)
            time.sleep(draw.random() * 1.5)
            os.killpg(process.pid, signal.SIGCONT)
        return True

    def restart_worker(self, place: int, how: signal.Signals) -> None:
        """End a worker by a signal, and start another one in its place."""
        process = self.workers[place]
        process.send_signal(how)
        process.wait(PATIENCE)
        self.workers[place] = self._spawn(WORKER)

    def restart_web(self, place: int, how: signal.Signals) -> None:
        """End a web process, and what answers below it, by a signal; start another one in its place."""
        process = self.webs[place]
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, how)
        process.wait(PATIENCE)
        self.webs[place] = self._web(self.ports[place])

    # -- the end

    def stop(self) -> list[str]:
        """Ask everybody to end; sentences about who took too long or did not end well."""
        problems = []
        named = [*zip(["web"] * 9, self.webs, strict=False), *zip(["worker"] * 9, self.workers, strict=False)]
        began = time.monotonic()
        for _, process in named:
            process.send_signal(signal.SIGTERM)
        for name, process in named:
            try:
                code = process.wait(max(0.1, SOON - (time.monotonic() - began)))
                if code not in (0, -signal.SIGTERM):
                    problems.append(f"a {name} process that was asked to end ended with {code}")
            except subprocess.TimeoutExpired:
                problems.append(f"a {name} process does not end within {SOON:g} s of SIGTERM")
        return problems

    def close(self) -> None:
        for process in (*self.webs, *self.workers):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        self.lab.close()

    def _all_work(self) -> bool:
        ended = [worker.returncode for worker in self.workers if worker.poll() is not None]
        assert not ended, f"workers have ended with {ended}"
        return self.lab.queue.health().workers >= len(self.workers)

    def _answers(self, place: int) -> bool:
        with contextlib.suppress(Away):
            return self.ask("GET", "/healthz", place=place)[0] == 200
        if self.webs[place].poll() is not None:  # its port was still taken
            self.webs[place] = self._web(self.ports[place])
        return False

    def _web(self, port: int) -> subprocess.Popen:
        return self._spawn(WEB, HOST="127.0.0.1", PORT=str(port))

    def _spawn(self, command: tuple[str, ...], **more: str) -> subprocess.Popen:
        environment = {**self.lab.environment(), **UNLIMITED, **more}
        out = None if os.environ.get("CHAOS_LOUD") else subprocess.DEVNULL
        return subprocess.Popen(
            command, cwd=ROOT, env=environment, start_new_session=True, stdout=out, stderr=subprocess.STDOUT
        )

    def _kill_below(self, pid: int) -> bool:
        found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
        children = [int(word) for word in found.stdout.split()]
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        return bool(children)
