"""Small inputs that would grow: refused in a sentence by every door, soon, and within the memory of a child."""

from __future__ import annotations

import gzip
import json
import time

import pytest

from tests.dashboard.api.conftest import make_site

MEMORY = 3_000_000_000
"""Bytes of the address space of a child, most of which are libraries; one that needs more is lost, and says so."""
SECONDS = 60.0
ROUTES = (
    "/api/runs",
    "/api/preview",
    "/api/workloads",
    "/api/sweeps",
    "/api/sweeps/preview",
    "/api/sites",
    "/api/links",
)
LARGE = 900_000
"""Bytes, just below what a body may have."""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    with make_site(
        tmp_path_factory.mktemp("store"),
        run_memory=MEMORY,
        max_upload=12_000_000,
        max_unpacked=100_000_000,
        max_uploads=0,
    ) as made:
        yield made


def refused(ask) -> str:
    """The sentence, once what was sent was refused in time, and by its reader."""
    began = time.monotonic()
    answer = ask()
    took = time.monotonic() - began
    assert answer.status_code in (400, 413), answer.text[:500]
    assert list(answer.json) == ["error"] and len(answer.json["error"]) < 500
    assert "more memory" not in answer.json["error"] and "given up" not in answer.json["error"]
    assert took < SECONDS, f"{took:.1f} s"
    return answer.json["error"]


JSONS = {
    "lists": b"[" * LARGE,
    "objects": b'{"a":' * (LARGE // 5),
    "digits": b'{"seed": ' + b"9" * LARGE + b"}",
    "exponent": b'{"seed": 1e' + b"9" * LARGE + b"}",
    "NaN": b'{"seed": NaN}',
    "Infinity": b'{"seed": [{"a": -Infinity}]}',
    "keys": b"{" + b",".join(b'"%d":1' % n for n in range(90_000)) + b"}",
    "long": b'{"workload": "' + b"a" * 2_000_000 + b'"}',
}


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("content", JSONS.values(), ids=JSONS)
def test_json_bodies(site, route, content):
    refused(lambda: site.client.post(route, data=content, content_type="application/json"))


INNER = {
    "a name": {"workload": "9" * LARGE, "algorithm": "easy", "machines": "9" * LARGE},
    "a seed": {
        "workload": "0" * 16,
        "algorithm": "easy",
        "seed": 10**4_000,
        "generator": "uniform",
        "text": "[" * LARGE,
    },
    "a list": {
        "workload": "0" * 16,
        "algorithm": "easy",
        "conversions": ["week"] * 90_000,
        "workloads": ["a"] * 90_000,
    },
    "parameters": {"workload": "0" * 16, "algorithm": "easy", "parameters": {"extra": [[]] * 90_000}, "text": "{}"},
}


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("value", INNER.values(), ids=INNER)
def test_values_inside_of_them(site, route, value):
    known = site.client.post(route, json={"": 1}).json["error"].partition("known: ")[2].split(", ")
    asked = {name: one for name, one in value.items() if name in known}
    assert site.client.post(route, json=asked).status_code in (400, 404, 413)


TOMLS = {
    "digits": "seeds = [" + "9" * LARGE + "]",
    "hexadecimal": "seeds = [0x" + "f" * LARGE + "]",
    "exponent": "tau = 1e" + "9" * LARGE,
    "lists": "a = " + "[" * LARGE,
    "tables": "a = " + "{a=" * (LARGE // 3),
    "points": ".".join("a" * (LARGE // 2)) + " = 1",
    "points in a head": "[" + " . ".join(["'a'"] * (LARGE // 6)) + "]",
    "points often": "".join(f"[{'a.' * 300}b{n}]\n" for n in range(1_500)),
    "many tables": "".join(f"[a{n}]\n" for n in range(90_000)),
    "runs": "workloads = ['uniform']\nalgorithms = ['easy']\nseeds = [" + ",".join(map(str, range(140_000))) + "]",
    "combinations": "workloads = ['uniform']\n[[variants]]\nalgorithm = 'easy'\nparameters = {"
    + ", ".join(f"{name} = {['all'] * 3_000}" for name in ("extra", "overrun", "event_order")) + "}",
}  # fmt: skip


@pytest.mark.parametrize("content", TOMLS.values(), ids=TOMLS)
def test_toml_bodies(site, content):
    refused(lambda: site.client.post("/api/sweeps", data=content, content_type="application/toml"))


def times(text: bytes, n: int) -> bytes:
    return b",".join([text] * n)


FILES = {
    "digits": b'{"kind": "rigid", "processors": ' + b"9" * 10_000_000 + b"}",
    "lists": b'{"kind": ' + b"[" * 10_000_000,
    "cases": b'{"kind": "simulation", "cases": [' + times(b"{}", 2_000_000) + b"]}",
    "empty jobs": b'{"kind": "rigid", "jobs": [' + times(b"{}", 2_000_000) + b"]}",
    "processes": json.dumps(
        {
            "kind": "two_tier",
            "processors": 9,
            "jobs": [{"processes": 2**31 - 1, "runtime": 1, "usage": [1], "phi": [1]}],
        }
    ).encode(),
    "times": json.dumps({"schema": "golden-demt-1", "m": 2**31 - 1, "p": [[]]}).encode(),
    "NaN": b'{"kind": "rigid", "jobs": [{"runtime": NaN}]}',
    "a line": b"1 " * 5_000_000,
    "zeros": lambda: gzip.compress(b"0" * 200_000_000, 9),
    "line ends": lambda: gzip.compress(b"\n" * 90_000_000, 9),
    "a bomb in a bomb": lambda: gzip.compress(gzip.compress(b"0" * 90_000_000, 9), 9),
    "many archives": lambda: gzip.compress(b"", 9) * 500_000,
}


@pytest.mark.parametrize("content", FILES.values(), ids=FILES)
def test_files(site, content):
    text = content() if callable(content) else content  # packed here: collecting the tests takes no time for it
    refused(lambda: site.upload(text, "bomb"))
