"""Requests: queries of all routes that read, previews, JSON bodies, and files in multipart bodies."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from io import BytesIO
from pathlib import Path
from tempfile import gettempdir
from urllib.parse import quote

from flask import Flask, Request
from werkzeug.test import create_environ, run_wsgi_app

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api import body
from shadowtime.dashboard.api.preview import QUESTION
from shadowtime.dashboard.api.uploads import received
from shadowtime.workers.submit import KEYS
from tests.fuzz.examples import FOUR
from tests.fuzz.laboratory import site
from tests.fuzz.target import Target, judge
from tests.fuzz.targets.questions import object_of, runs

LIVE = "/api/live"
"""Waits for news, so it is not asked; its parameters are those of `addresses.lists`."""
PRINTED = "".join(map(chr, range(33, 127)))
LARGEST = 2_000
"""Bytes of a file in a multipart body."""
EXPECTED = (503,)
"""Above 499: Redis is away."""


def query(content: bytes) -> None:
    """A route by its number in a byte, and its query: no 5xx, and a refusal is `{"error": sentence}`."""
    routes = paths()
    path = routes[content[0] % len(routes)] if content else "/api"
    environ = create_environ("/")  # gunicorn takes printable ASCII alone
    environ |= {"PATH_INFO": path, "QUERY_STRING": quote(content[1:], safe=PRINTED)}
    pieces, status, _ = run_wsgi_app(site()[0].server, environ)
    answer = b"".join(pieces)
    code = int(status.split()[0])
    assert code < 500 or code in EXPECTED, status
    if code >= 400:
        assert list(json.loads(answer)) == ["error"], answer
        judge(json.loads(answer)["error"])


def previewed(content: bytes) -> None:
    """What the page for a new run shows beside its form, or a refusal; proofs of bounds are no reading."""
    asked = object_of(content)
    answer = site()[0].client.post("/api/preview", json={**asked, "bounds": False})
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        judge(answer.json["error"])
        return
    for run in answer.json["runs"]:
        judge(run["error"] or "nothing")


def bodies(content: bytes) -> None:
    """What `json_object` gives can be stored, and its parts have the types that were asked for."""
    with _server().test_request_context(method="POST", data=content):
        value = body.json_object(KEYS)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
        for key, read in _READERS.items():
            read(value, key)


def files(content: bytes) -> None:
    """A multipart body with its boundary in the first line."""
    boundary, _, sent = content.partition(b"\n")
    environ = create_environ(method="POST", input_stream=BytesIO(sent))
    environ["CONTENT_TYPE"] = f"multipart/form-data; boundary={boundary.decode('latin-1').strip()}"
    environ["CONTENT_LENGTH"] = str(len(sent))
    with received(Request(environ), LARGEST, Path(gettempdir())) as upload:
        assert Path(upload.path).stat().st_size <= LARGEST


_READERS: dict[str, Callable] = {
    "workload": body.text, "parameters": body.mapping, "conversions": body.sequence, "seed": body.whole,
    "private": body.yes_no,
}  # fmt: skip


@cache
def _server() -> Flask:
    return Flask("bodies")


@cache
def paths() -> list[str]:
    """Every route that reads."""
    made, run = site()
    rules = [rule.rule for rule in made.server.url_map.iter_rules() if "GET" in (rule.methods or ())]
    found = [re.sub(r"<\w+_id>", run, rule).replace("<name>", "measy") for rule in rules if rule.startswith("/api/")]
    return sorted({one.replace("<code>", "abcdefgh") for one in found} - {LIVE})


QUERIES = {
    "runs": "status=finished,failed&algorithm=easy&q=four&limit=5&after=2025-03-01 0&ids=13189c2c62a84589",
    "workloads": "q=four&limit=5&after=x y",
    "export": "format=perfetto&from=0&to=1e3&table=jobs",
    "jobs": "format=1&small=1",
    "segments": "after=0&format=1&small=1",
    "window": "from=0&to=1110&nodes=0-9&columns=30&rows=20&by=stretch&edges=1.5,3&find=size 2-4&whole=1&rectangles=1",
    "instant": "at=53",
    "point": "at=53&lane=2&tier=0&near=3",
    "life": "job=2",
    "allotments": "job=2",
    "priority": "job=2",
    "compare": "runs=RUN,RUN&baseline=RUN&align=id",
    "jobs.csv": "runs=RUN,RUN&of=RUN",
    "picture.png": "runs=RUN&from=0&to=9&nodes=0-3&theme=dark",
    "measy": "scale=quick&result=shipped",
    "figures.csv": "scale=quick&figure=1",
}
WORDS = ("from=", "to=", "nodes=0-9", "%C2%B2", "nan", "1e999", "-1", "&after=", "limit=", "format=csv", "table=jobs",
         "by=size", "edges=", "find=user 1", "%00", "../", "%2e%2e%2f", "99999999999999999999", "runs=")  # fmt: skip


def asked() -> list[bytes]:
    """Every route, with each of its parameters."""
    run = site()[1]
    known = {path: QUERIES.get(path.rpartition("/")[2], "").replace("RUN", run) for path in paths()}
    return [bytes([number]) + known[path].encode() for number, path in enumerate(paths())]


def previews() -> list[bytes]:
    asked = [{**json.loads(one), "algorithms": ["easy", {"algorithm": "measy", "parameters": {}}]} for one in runs()]
    drawn = {"generator": "uniform", "parameters": {"jobs": 12, "processors": 8}, "algorithms": ["fcfs"]}
    known = ("algorithm", "priority")
    return [json.dumps({k: v for k, v in one.items() if k not in known}).encode() for one in (*asked, drawn)]


def parts() -> list[bytes]:
    head = b'--x\r\nContent-Disposition: form-data; name="file"; filename="four.swf"\r\n\r\n'
    return [
        b"x\n" + head + FOUR + b"\r\n--x--\r\n",
        b"x\n" + head * 2 + b"\r\n--x--",
        b"x\n" + head + b"a" * 2 * LARGEST,
    ]


def objects() -> list[bytes]:
    whole = {"workload": "a", "algorithm": "easy", "conversions": [], "parameters": {}, "seed": 3, "private": True}
    return [json.dumps(whole).encode(), b"\xef\xbb\xbf{}", b'{"seed": 1e400}', b'{"workload": "\\ud800"}', b"[" * 500]


TARGETS = (
    Target("preview", "Questions for previews", previewed, previews, words=QUESTION, is_json=True),
    Target("queries", "Queries of every route that reads", query, asked, words=WORDS),
    Target("bodies", "JSON bodies", bodies, objects, (Refusal,), words=KEYS, is_json=True),
    Target("multipart", "Files in multipart bodies", files, parts, (Refusal,),
           words=("--x", "--x--", "\r\n\r\n", 'name="file"', "filename*=utf-8''", "Content-Transfer-Encoding: base64")),
)  # fmt: skip
