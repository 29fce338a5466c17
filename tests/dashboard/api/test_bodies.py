"""Bodies have a limit, whether a client states their length or sends them in chunks."""

from __future__ import annotations

import io
import json

import pytest
from gunicorn.http.errors import InvalidChunkSize, InvalidHeaderName

from shadowtime.dashboard.api import body, body_limit
from tests.dashboard.api.named import callback, make


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    with make(tmp_path_factory.mktemp("whole")) as made:
        yield made


def in_chunks(site, path, content, kind="application/json"):
    """Send a body without its length, as gunicorn hands on one in chunks."""
    environ = {"wsgi.input_terminated": True, "CONTENT_LENGTH": ""}
    return site.client.post(path, input_stream=io.BytesIO(content), content_type=kind, environ_overrides=environ)


@pytest.mark.parametrize("is_chunked", [False, True])
def test_a_callback_of_dash_has_a_limit(whole, is_chunked):
    content = b"[" + b"[]," * 700_000 + b"0]"

    if is_chunked:
        refused = in_chunks(whole, "/_dash-update-component", content)
    else:
        refused = whole.client.post("/_dash-update-component", data=content, content_type="application/json")

    assert refused.status_code == 413
    assert refused.json == {"error": "The body has more than 2 MB, the limit here."}


def test_a_callback_just_below_the_limit_is_answered(whole):
    content = json.dumps(callback("/algorithms")).encode()

    answer = in_chunks(whole, "/_dash-update-component", content + b" " * (body_limit.LONGEST - len(content)))

    assert answer.status_code == 200


@pytest.mark.parametrize("path", ["/api/runs", "/api/preview", "/api/sites", "/api/workloads", "/api/sweeps"])
def test_json_in_chunks_is_not_cut(site, path):
    """What is cut at the limit would be another question, and a complete one."""
    content = b'{"workload": "x"}'
    content += b" " * (body.LONGEST - len(content)) + b"and more"

    refused = in_chunks(site, path, content)

    assert refused.status_code == 413
    assert refused.json == {"error": "The body has more than 1 MB, the limit here."}


def test_toml_in_chunks_is_not_cut(site):
    content = b'workloads = ["uniform:jobs=20"]\nalgorithms = ["easy"]\nseeds = [1]\n'
    content += b"#" * (body.LONGEST - len(content)) + b"\nname = 'x'\n"

    refused = in_chunks(site, "/api/sweeps/preview", content, "application/toml")

    assert refused.status_code == 413
    assert in_chunks(site, "/api/sweeps/preview", content[: body.LONGEST], "application/toml").status_code == 200


@pytest.mark.parametrize("error", [InvalidChunkSize(b"zz"), InvalidHeaderName("A_B")])
def test_chunks_that_gunicorn_cannot_read_are_400(whole, error):
    class Unsound(io.BytesIO):
        def read(self, *_):
            raise error

        readinto = read

    environ = {"wsgi.input_terminated": True, "CONTENT_LENGTH": ""}
    for path in ("/api/runs", "/_dash-update-component", "/api/sweeps"):
        refused = whole.client.post(
            path, input_stream=Unsound(), content_type="application/json", environ_overrides=environ
        )
        assert (refused.status_code, refused.json) == (400, {"error": "The request could not be read."})
