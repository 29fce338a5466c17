"""live.js in a real browser: one stream for all tabs, and what happens while there is none."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from flask import send_from_directory
from werkzeug.serving import BaseWSGIServer, make_server

from shadowtime.dashboard.access.security import hashed, protect
from shadowtime.dashboard.api import answers
from shadowtime.dashboard.api.hub import Hub, Message
from tests.dashboard.api.conftest import Site, make_site
from tests.dashboard.inline import inline_scripts

pytestmark = pytest.mark.browser

ASSETS = Path(__file__).resolve().parents[3] / "assets"
PAGE = "<!DOCTYPE html><title>live</title>"
FOLLOW = """async run => {
  const { subscribe, onState } = await import("/assets/live/live.js");
  window.heard = [];
  window.states = [];
  window.follow = subscribe;
  window.stop = subscribe(run, (news) => heard.push(news.progress.jobs_done));
  onState((state) => { window.state = state; states.push(state.state); });
}"""


class Web:
    """The API and a page with the two scripts, on a port that stays the same when it is served again."""

    def __init__(self, site: Site, port: int):
        self.site, self.port = site, port
        self.hub = Hub(lambda hub: hub.say(True))
        site.server.extensions["shadowtime"] = replace(site.server.extensions["shadowtime"], hub=self.hub)
        site.server.get("/", endpoint="page")(lambda: PAGE)
        site.server.get("/assets/<path:name>", endpoint="assets")(lambda name: send_from_directory(ASSETS, name))
        protect(site.server, lambda: [*map(hashed, inline_scripts(PAGE))])
        self.made: BaseWSGIServer | None = None
        self.start()

    def start(self) -> None:
        self.made = make_server("127.0.0.1", self.port, self.site.server, threaded=True)
        self.made.daemon_threads = True
        threading.Thread(target=self.made.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self) -> None:
        """No new connections, and an end to the open streams."""
        self.made.shutdown()
        self.made.server_close()

        def drop() -> None:
            raise ConnectionAbortedError

        for stream in list(self.hub._streams):
            stream.take = drop
            stream.call()

    @property
    def streams(self) -> int:
        return len(self.hub._streams)

    def tell(self, run: str, jobs_done: int) -> None:
        """What a worker says."""
        status = self.site.store.runs.get(run).status
        status = status.but(status="running", progress={**status.progress, "jobs_done": jobs_done})
        self.hub.publish(Message(f"1000-{jobs_done}", answers.heard({"run": run, **status.as_dict()})))


@pytest.fixture
def web(tmp_path: Path, free_port: int) -> Iterator[Web]:
    site = make_site(tmp_path)
    site.server.testing = False
    made = Web(site, free_port)
    yield made
    made.stop()
    site.close()


@pytest.fixture
def run(web: Web) -> str:
    return web.site.ask().json["id"]


@pytest.fixture
def profile(browser):
    context = browser.new_context()
    yield context
    context.close()


def opened(profile: Any, web: Web, run: str, before: str = "") -> Any:
    """A tab that follows the run."""
    page = profile.new_page()
    if before:
        page.add_init_script(before)
    page.goto(f"http://127.0.0.1:{web.port}/")
    page.evaluate(FOLLOW, run)
    return page


def until(condition: Callable[[], Any], what: str, patience: float = 15.0) -> None:
    deadline = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < deadline, f"after {patience:g} s there is still no: {what}"
        time.sleep(0.02)


def has(page: Any, condition: str) -> None:
    """The content policy lets no one evaluate inside the page, so it is asked from outside."""
    until(lambda: page.evaluate(condition), condition)


def test_all_tabs_share_one_stream(profile, web, run):
    tabs = [opened(profile, web, run) for _ in range(3)]
    for tab in tabs:
        has(tab, "window.state.state === 'live' && heard.length > 0")
    web.tell(run, 3)
    for tab in tabs:
        has(tab, "heard.at(-1) === 3")
    assert web.streams == 1

    # A tab that comes later hears how things stand.
    later = opened(profile, web, run)
    has(later, "heard[0] === 3")

    # Another run is followed on the same page.
    other = web.site.ask(seed=2).json["id"]
    page = tabs[0]
    page.evaluate("run => follow(run, (news) => { window.other = news.progress.jobs_done })", other)
    has(page, "window.other === 0")
    web.tell(other, 4)
    web.tell(run, 1)
    has(page, "window.other === 4 && heard.at(-1) === 1")
    until(lambda: web.streams == 1, "single stream")

    # Who no longer follows hears nothing.
    page.evaluate("stop()")
    web.tell(run, 4)
    has(later, "heard.at(-1) === 4")
    assert page.evaluate("heard.at(-1)") != 4


def test_a_queue_that_is_away_and_a_lost_server_are_told_and_found_again(profile, web, run):
    page = opened(profile, web, run)
    has(page, "window.state.state === 'live'")

    # While the queue is away, the store is asked.
    web.hub.say(False)
    has(page, "window.state.state === 'redis-away' && window.state.since > 0")
    digest = web.site.store.runs.get(run).digest
    status = web.site.store.runs.begin(digest)
    web.site.store.runs.report(digest, status.attempt, {**status.progress, "jobs_done": 3})
    has(page, "heard.at(-1) === 3")
    web.hub.say(True)
    has(page, "window.state.state === 'live' && window.state.since === null")

    # A server that is lost is found again.
    web.stop()
    has(page, "window.state.state === 'lost' && window.state.since > 0")
    web.start()
    has(page, "window.state.state === 'live'")
    web.tell(run, 2)
    has(page, "heard.at(-1) === 2")
    assert page.evaluate("states.join()") == "connecting,live,redis-away,live,lost,live"


def test_without_a_shared_worker_the_page_asks(profile, web, run):
    page = opened(profile, web, run, before="delete window.SharedWorker")
    has(page, "window.state.state === 'polling' && heard.length > 0")

    digest = web.site.store.runs.get(run).digest
    status = web.site.store.runs.begin(digest)
    web.site.store.runs.report(digest, status.attempt, {**status.progress, "jobs_done": 2})

    has(page, "heard.at(-1) === 2")
    assert web.streams == 0


def test_a_refused_stream_is_replaced_by_questions(profile, web, run):
    web.hub._most_streams = 0
    page = opened(profile, web, run)
    has(page, "window.state.state === 'lost' && heard.length > 0")

    web.hub._most_streams = 5

    has(page, "window.state.state === 'live'")
