"""The whole API by its own description: `python -m tests.fuzz.api --examples 100`.

Schemathesis reads `/api/openapi.json` and sends what it allows and what it forbids. Nothing may be answered with a 5xx,
with a status or a type of content that is not described, or with a body of another shape; what is forbidden is refused,
and a method that is not described is 405. What it cannot know, such as that one time comes before another, may be
refused though the description allows it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from werkzeug.serving import WSGIRequestHandler, make_server

from shadowtime.workers.redis_server import Server
from tests.dashboard.api.conftest import Site, make_site
from tests.ports import unused_ports

CHECKS = (
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "negative_data_rejection", "unsupported_method", "use_after_free",
)  # fmt: skip
KNOWN = 0.8
"""How often an id in a request is one of something that is there."""
RUNS = 3
"""Finished runs."""


@dataclass(frozen=True)
class Laboratory:
    """A server with something of each sort behind it."""

    url: str
    known: Mapping[str, list[str]]
    """Values of parameters that lead somewhere."""


class Silent(WSGIRequestHandler):
    """Says nothing of each request."""

    def log_request(self, *_: Any) -> None:
        pass


@contextlib.contextmanager
def laboratory() -> Iterator[Laboratory]:
    """With a queue, but no one who works: what is asked stays as it was left."""
    web, queue = unused_ports(2)
    with TemporaryDirectory(prefix="shadowtime-fuzz-") as folder, Server(queue, quiet=True) as redis:
        site = make_site(Path(folder), redis_url=redis.url, max_queued=0, max_queued_site=0, max_uploads=0)
        site.server.testing = False  # what no one expected is a 500 here, and found
        server = make_server("127.0.0.1", web, site.server, threaded=True, request_handler=Silent)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield Laboratory(f"http://127.0.0.1:{web}", _filled(site))
        finally:
            server.shutdown()
            site.close()


def _filled(site: Site) -> dict[str, list[str]]:
    """Something of each sort, and what it is called."""
    workload = site.workload()
    runs = [site.ask(seed=seed).json["id"] for seed in range(RUNS)]
    for run in runs:
        site.finish(run)
    asked = {"workloads": ["uniform:jobs=20"], "seeds": [1, 2], "algorithms": ["easy", "fcfs"]}
    sweep = site.client.post("/api/sweeps", json=asked).json["id"]
    link = site.client.post("/api/links", json={"target": f"/runs/{runs[0]}"}).json["code"]
    return {
        "run_id": runs, "workload_id": [workload], "sweep_id": [sweep], "code": [link], "name": ["measy", "demt"],
        "runs": [",".join(runs), ",".join(runs[:2])], "ids": [",".join(runs)], "of": runs, "baseline": runs,
        "nodes": ["0-9", "3-4"], "edges": ["1.5,3"], "find": ["size > 2", "job 3"], "job": ["1", "4"],
        "metric": ["mean_flow"], "metrics": ["mean_flow,makespan"], "a": ["0"], "b": ["1"], "workload": [workload],
        "algorithm": ["easy"], "figure": ["1"], "status": ["finished", "queued"],
    }  # fmt: skip


IN_PATHS = ("run_id", "workload_id", "sweep_id", "code", "name")


def configuration(known: Mapping[str, list[str]]) -> str:
    """The configuration of schemathesis, as TOML: the values that lead somewhere, which what deletes never hears of."""
    lines = []
    for name, values in known.items():
        lines += [f"[dictionaries.{name}]", f"values = {json.dumps(values)}", ""]
    lines += ["[generation]", "allow-extra-parameters = false", "", "[parameters]"]
    for name in known:
        place = "path" if name in IN_PATHS else "query"
        lines.append(f'"{place}.{name}" = {{ dictionary = "{name}", probability = {KNOWN} }}')
    lines += ["", "[[operations]]", 'include-method = "DELETE"', "[operations.parameters]"]
    lines += [f'"path.{name}" = "{NOBODYS[name]}"' for name in IN_PATHS if name in NOBODYS]
    return "\n".join(lines) + "\n"


NOBODYS = {"run_id": "0" * 16, "workload_id": "0" * 16, "sweep_id": "0" * 16, "code": "a" * 8}
"""Ids of nothing."""


def run(phases: str, examples: int, seed: int, seconds: int | None = None) -> subprocess.CompletedProcess[str]:
    """Try the API of a laboratory of its own; exit status 1 when something was found, which the output says."""
    with laboratory() as here, TemporaryDirectory(prefix="shadowtime-fuzz-") as folder:
        toml = Path(folder) / "schemathesis.toml"
        toml.write_text(configuration(here.known))
        command = [
            sys.executable, "-m", "schemathesis.cli", "--config-file", str(toml), "run", f"{here.url}/api/openapi.json",
            "--phases", phases, "--checks", ",".join(CHECKS), "--max-examples", str(examples), "--seed", str(seed),
            "--exclude-path", "/api/live", "--continue-on-failure", "--no-color", "--generation-database", "none",
            "--request-timeout", "20", "--suppress-health-check", "all", "--warnings", "off",
            *(["--max-time", str(seconds)] if seconds else []),
        ]  # fmt: skip
        return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.api", description="Try the API by its description.")
    parser.add_argument("--examples", type=int, default=100, help="of each operation at most")
    parser.add_argument("--phases", default="coverage,fuzzing,stateful")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    tried = run(asked.phases, asked.examples, asked.seed)
    print(tried.stdout, tried.stderr)
    return tried.returncode


if __name__ == "__main__":
    sys.exit(main())
