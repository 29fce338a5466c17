"""What a web process prepares for its first visitor."""

from __future__ import annotations

import pytest

from shadowtime.dashboard.serving.first_visit import FirstVisit


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def app(said):
    def answer(environ, start_response):
        said.append(environ["PATH_INFO"])
        return [b"an answer"]

    return FirstVisit(answer, lambda: said.append("begin"))


def test_it_begins_before_the_first_answer_and_once(app, said):
    assert [app({"PATH_INFO": path}, None) for path in ("/", "/runs")] == [[b"an answer"]] * 2
    assert said == ["begin", "/", "/runs"]


def test_a_monitor_is_no_visitor(app, said):
    for path in ("/healthz", "/metrics", "/healthz", "/api/runs"):
        app({"PATH_INFO": path}, None)

    assert said == ["/healthz", "/metrics", "/healthz", "begin", "/api/runs"]
