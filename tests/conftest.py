"""Fixtures that several rooms share, and the order of a run."""

from __future__ import annotations

import gc
import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests import compiled
from tests.ports import unused_ports

# A slow example on a busy machine is no failure: what must be quick says so in its own test.
settings.register_profile("shadowtime", deadline=None)
settings.load_profile("shadowtime")

os.environ.setdefault("SHADOWTIME_NICE", "0")  # tests wait for workers

ROOT = Path(__file__).parent.parent
CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NO_CHROMIUM = "no chromium on PATH; Debian: apt-get install chromium, elsewhere: .venv/bin/playwright install chromium"

FOUR_SWF = (ROOT / "tests" / "four.swf").read_text()


def three_with_tau(tau: float) -> dict:
    """Return fractional JSON of three 10 s jobs that a node runs one after the other: stretches 1, 2 and 3 at 10 s."""
    jobs = [{"id": k, "release": 0, "tasks": 1, "cpu_need": 1, "memory": 1, "runtime": 10} for k in (1, 2, 3)]
    return {"kind": "simulation", "cases": [{"name": "whole", "tau": tau, "instance": {"nodes": 1, "jobs": jobs}}]}


def pytest_configure(config: pytest.Config) -> None:
    """What another clone on this machine has compiled is not compiled again by the processes of `make test`."""
    if getattr(config.option, "numprocesses", None):
        compiled.share_all()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_collection() -> Iterator[None]:
    """Collect no garbage meanwhile, and pass over what is there now from then on: it is 12,000 tests, which stay."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.freeze()


BEGUN = 0.85
"""Share of the quick files before which every slow one has begun: a slow one at the end would run alone."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A mistake that a quick test finds should not wait for a browser. Side by side, files with browsers and real
    servers are spread among the quick ones, since they wait while the others compute."""

    def slowness(item: pytest.Item) -> int:
        return 2 if item.get_closest_marker("browser") else 1 if item.get_closest_marker("integration") else 0

    items.sort(key=slowness)
    if hasattr(config, "workerinput"):
        place = spread({item.path: slowness(item) for item in items})
        items.sort(key=lambda item: place[item.path])


def spread(slowness: dict[Path, int]) -> dict[Path, float]:
    """Return a place for each file: quick ones in their order, slow ones evenly between them, the slowest first."""
    quick = [path for path, slow in slowness.items() if not slow]
    slow = sorted((path for path, slow in slowness.items() if slow), key=lambda path: -slowness[path])
    return {path: (n + 0.5) / len(quick) for n, path in enumerate(quick)} | {
        path: BEGUN * (n + 0.5) / len(slow) for n, path in enumerate(slow)
    }


@pytest.fixture(scope="session")
def traces() -> Path:
    """The folder of real logs, named by SHADOWTIME_TRACES; without it, tests on them are skipped by name."""
    folder = os.environ.get("SHADOWTIME_TRACES")
    if not folder:
        pytest.skip("SHADOWTIME_TRACES names no folder of traces")
    path = Path(folder).resolve()
    assert path.is_dir(), f"SHADOWTIME_TRACES = {folder}, but that is no folder"
    return path


@pytest.fixture
def four_swf(tmp_path: Path) -> Path:
    """The four-job example as a file: EASY starts its jobs at 0, 100, 110 and 3."""
    path = tmp_path / "four.swf"
    path.write_text(FOUR_SWF)
    return path


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C as at a terminal: what a shell starts in the background ignores it, and so do its children."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture
def free_ports():
    """The function that gives n ports that no one listens on now."""
    return unused_ports


@pytest.fixture
def free_port(free_ports) -> int:
    """A port of the loopback that no one listens on now."""
    return free_ports(1)[0]


def find_chromium() -> str:
    """Where the browser is: on PATH, or the one that playwright installed."""
    from playwright.sync_api import sync_playwright

    for name in CHROMIUMS:
        if path := shutil.which(name):
            return path
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    assert Path(path).exists(), NO_CHROMIUM
    return path


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser's program; without one, a browser test fails with the line that says how to install it."""
    return find_chromium()


@pytest.fixture(scope="session")
def browser(chromium: str):
    """One headless Chromium for the session; `browser.new_context()` is a fresh profile."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        # As root, and in containers without much shared memory, Chromium starts only like this.
        flags = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        instance = playwright.chromium.launch(executable_path=chromium, headless=True, args=flags)
        yield instance
        instance.close()


@pytest.fixture
def page(browser):
    """A page in a fresh profile, 1440 x 900; what the page's scripts throw fails the test."""
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert not errors, errors
