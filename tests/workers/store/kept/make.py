"""Fill the store of a running laboratory through its API, as `README.md` says: make.py URL STORE.

To be run with the code of the laboratory's own version. What that version does not have yet is left out.
"""

from __future__ import annotations

import json
import sys
import time
import urllib.error
import urllib.request
import uuid
from dataclasses import replace
from pathlib import Path
from typing import Any

from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import open_store

URL, STORE = sys.argv[1:3]
FOUR = (Path(__file__).parents[3] / "four.swf").read_text()
FAMILIES = {
    "greedy": ("fractional", {"jobs": 20, "load": 0.7}, "greedypm*/per/opt=min/minvt=600"),
    "demt": ("moldable", {"family": "weak", "jobs": 12}, "demt"),
    "synchpack": ("multitask", {"jobs": 8}, "synchpack-2"),
    "sjs": ("classed", {"jobs": 12}, "sjs"),
}
SWEEP = {
    "name": "small", "workloads": ["uniform:jobs=20"], "seeds": [1, 2], "loads": [0.5, 0.9],
    "algorithms": ["easy", "fcfs"],
}  # fmt: skip


def call(method: str, path: str, body: Any = None, kind: str = "application/json") -> Any:
    """The answer; None where this version has nothing of the kind."""
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    asked = urllib.request.Request(URL + path, data, {"Content-Type": kind} if data else {}, method=method)
    try:
        with urllib.request.urlopen(asked, timeout=120) as answer:
            return json.loads(answer.read() or b"{}")
    except urllib.error.HTTPError as error:
        print(method, path, error.code, error.read().decode())
        return None


def ended(path: str) -> str:
    """How it ends."""
    deadline = time.monotonic() + 200
    while (said := call("GET", path)["status"]) not in ("finished", "failed", "cancelled"):
        assert time.monotonic() < deadline, said
        time.sleep(0.1)
    return said


def run(workload: str, algorithm: str, **more: Any) -> str:
    """Id of a run that has ended."""
    made = call("POST", "/api/runs", {"workload": workload, "algorithm": algorithm, **more})["id"]
    print(algorithm, made, ended(f"/api/runs/{made}"))
    return made


def drawn(generator: str, **parameters: Any) -> Any:
    return call("POST", "/api/workloads", {"generator": generator, "parameters": parameters, "seed": 7})


def link(target: str, title: str = "") -> Any:
    return call("POST", "/api/links", {"target": target, "title": title})


def main() -> None:
    edge = uuid.uuid4().hex
    head = f'--{edge}\r\nContent-Disposition: form-data; name="file"; filename="four.swf"\r\n\r\n'
    sent = f"{head}{FOUR}\r\n--{edge}--\r\n".encode()
    four = call("POST", "/api/workloads", sent, f"multipart/form-data; boundary={edge}")["id"]
    fcfs, easy, deleted = run(four, "fcfs"), run(four, "easy"), run(four, "easy", seed=5)
    uniform = drawn("uniform", jobs=30)["id"]
    run(uniform, "easy", estimates="actual", seed=3)
    for algorithm in ("keasy", "measy"):
        run(uniform, algorithm, conversions=[{"name": "two_tier"}])
    for generator, parameters, algorithm in FAMILIES.values():
        if workload := drawn(generator, **parameters):
            run(workload["id"], algorithm)
    if view := link(f"/runs/{easy}?v=1&from=0&to=500&nodes=0-9&job=2&colour=stretch&at=53", "Four jobs"):
        link(f"/compare?runs={fcfs},{easy}&baseline={fcfs}")
        link(f"/runs/{deleted}", "A run that was deleted")
        call("POST", f"/api/links/{view['code']}/rerun")
        time.sleep(10)
    call("DELETE", f"/api/runs/{deleted}")
    if sweep := call("POST", "/api/sweeps", SWEEP):
        print("sweep", ended(f"/api/sweeps/{sweep['id']}"))
    of_another = replace(RunSpec.of(open_store(Path(STORE)).workloads.load(four), "easy", seed=11), engine_version="0")
    open_store(Path(STORE)).runs.accept(of_another, jobs=4)
    print("of another engine", ended(f"/api/runs/{of_another.id}"))
    input("Stop the laboratory, then press Enter: ")
    store = open_store(Path(STORE))
    waits, cancelled = (RunSpec.of(store.workloads.load(four), "easy", seed=seed) for seed in (21, 22))
    for spec in (waits, cancelled):
        store.runs.accept(spec, jobs=4)
    store.runs.cancel(cancelled.digest)


if __name__ == "__main__":
    main()
