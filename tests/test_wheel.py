"""The wheel in empty environments: `shadowtime` and nothing else of ours, which simulates and serves every page."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import tarfile
import urllib.error
import urllib.request
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest

from shadowtime.engine.kernel import cache as numba_cache
from tests import compiled, wheels
from tests.whole import WHOLE
from tests.workers.lab import wait_for

pytestmark = pytest.mark.integration

VERSIONS = os.environ.get("VERSIONS", "pinned")
"""Which versions of what Shadowtime needs are installed: `lowest` and `newest` are the ends of what pyproject.toml
allows (`make lowest`, `make newest`)."""
EVERY = WHOLE or VERSIONS != "pinned"
"""Whether every Python that is there is tried, and nothing is compiled before."""
PYTHONS = wheels.pythons() if EVERY else wheels.ours()
OURS = next(iter(PYTHONS))
CLEAN = {
    name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "REDIS_URL", "NUMBA_CACHE_DIR")
}
PAGES = ("/", "/runs", "/compare", "/algorithms", "/sites", "/experiments", "/experiments/new", "/papers", "/links")
SIMULATE = """
import json, sys, shadowtime as st
four = st.Workload.from_frame(__import__("pandas").DataFrame(
    {"release": [0, 1, 2, 3], "runtime": [100, 10, 1000, 50], "processors": [6, 10, 4, 4]}), processors=10)
print(json.dumps([st.__file__, st.__version__, st.simulate(four, "easy").jobs["start"].tolist()]))
"""
LINK = re.compile(r"""\b(?:src|href)"?(?:=|: )["'](/[^"'#]*)""")
FILE = re.compile(r"/api/papers/(?P<paper>[^/]+)/files/[^?]*\.(?P<kind>\w+)")
SMALLEST = "one-workload"
"""The paper whose archive is asked for: an archive draws all figures of its paper again."""
STYLE = re.compile(r"""url\(["']?(?!data:)([\w./?=-]+)["']?\)""")


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> tuple[Path, Path]:
    """The wheel, made from the sdist, and the sdist."""
    return wheels.build(tmp_path_factory.mktemp("dist"))


def version_options(wheel: Path) -> list[str | Path]:
    """Return the options that make the installer take these versions."""
    if VERSIONS == "lowest":  # of direct requirements only: what the wheel itself requires is named, too
        return ["--resolution", "lowest-direct", *wheels.requirements(wheel)]
    return [] if VERSIONS == "newest" else ["-c", wheels.ROOT / "constraints.txt"]


@pytest.fixture(scope="module")
def environments(built, tmp_path_factory) -> dict[str, Path]:
    """The Python of an environment with the wheel, by version."""
    folder = tmp_path_factory.mktemp("environments")

    def made(version: str) -> Path:
        return wheels.install(PYTHONS[version], folder / version, *version_options(built[0]), built[0])

    with ThreadPoolExecutor(2) as pool:
        return dict(zip(PYTHONS, pool.map(made, PYTHONS), strict=True))


@pytest.fixture(scope="module")
def simulated(environments, tmp_path_factory) -> dict[str, list]:
    """What the four-job example gives, by version, in a folder that has nothing of ours."""
    folder = tmp_path_factory.mktemp("elsewhere")

    def answer(version: str) -> list:
        cache = {**CLEAN, "SHADOWTIME_CACHE": str(folder / version)}
        if not EVERY:
            share_compiled(environments[version], folder / version)
        return json.loads(wheels.run([environments[version], "-c", SIMULATE], cwd=folder, env=cache))

    with ThreadPoolExecutor(2) as pool:
        return dict(zip(PYTHONS, pool.map(answer, PYTHONS), strict=True)) | {"cache": folder / OURS}


def share_compiled(python: Path, folder: Path) -> None:
    """What is compiled of the same sources here is not compiled again; `make soak` begins with nothing."""
    cache = Path(numba_cache.numba.config.CACHE_DIR)
    (package,) = python.parent.parent.glob("lib/python*/site-packages/shadowtime")
    compiled.share(package, cache, folder / "shadowtime" / cache.name)


def files() -> set[str]:
    """All that the product reads while it runs, as git has it."""
    listed = wheels.run(["git", "-C", wheels.ROOT, "ls-files", "engine", "workers", "dashboard", "assets"]).split()
    return {*listed, "__init__.py", "py.typed", "Procfile"}


def test_the_wheel_holds_every_file_and_nothing_else(built):
    held = {name for name in zipfile.ZipFile(built[0]).namelist() if ".dist-info/" not in name}
    manual = {name for name in held if name.startswith("shadowtime/manual/")}

    assert held - manual == {f"shadowtime/{name}" for name in files()}
    assert {f"shadowtime/manual/{name}" for name in ("index.html", "reference/python-api/index.html")} <= manual


def test_the_sdist_holds_what_a_build_needs(built):
    with tarfile.open(built[1]) as archive:
        held = {name.partition("/")[2] for name in archive.getnames()}

    documents = wheels.run(["git", "-C", wheels.ROOT, "ls-files", "docs"]).split()
    documented = {"README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "mkdocs.yml", *documents}
    assert files() | {"setup.py", "pyproject.toml", *documented} <= held


@pytest.mark.parametrize("version", PYTHONS)
def test_one_name_is_installed_and_simulates(version, environments, simulated):
    place, _, starts = simulated[version]
    folder = Path(place).parent.parent

    assert starts == [0.0, 100.0, 110.0, 3.0]
    assert folder.is_relative_to(environments[version].parent.parent)
    ours = {"shadowtime", "engine", "workers", "dashboard", "assets", "tests", "benchmarks", "docs"}
    assert {path.name for path in folder.iterdir()} & ours == {"shadowtime"}


def posted(url: str, **body: object) -> dict:
    """What a route answers to a JSON body; a refusal fails."""
    status, text = asked(url, json.dumps(body).encode())
    assert status < 300, text
    return json.loads(text)


def is_page(path: str) -> bool:
    """Whether a browser renders what stands there."""
    return not path.startswith(("/api/", "/assets/", "/docs/", "/_dash", "/healthz", "/favicon")) and "." not in path


def rendered(address: str, path: str) -> str:
    """The components of a page, as the browser asks for them."""
    pages = next(
        one
        for one in json.loads(asked(f"{address}/_dash-dependencies")[1])
        if one["output"].startswith("..page.children")
    )
    url = urlsplit(path)
    outputs = [
        dict(zip(("id", "property"), name.rsplit(".", 1), strict=True))
        for name in pages["output"].strip(".").split("...")
    ]
    body = {
        "output": pages["output"], "outputs": outputs, "changedPropIds": ["url.pathname"],
        "inputs": [
            {"id": "url", "property": "pathname", "value": url.path},
            {"id": "kept-form", "property": "data", "value": ""},
        ],
        "state": [{"id": "url", "property": "search", "value": f"?{url.query}" if url.query else ""}],
    }  # fmt: skip
    return json.dumps(posted(f"{address}/_dash-update-component", **body)["response"]["page"])


def is_like_another(path: str, kinds: set[tuple[str, str]]) -> bool:
    """Whether another file of the same kind and paper was asked for before; `make soak` asks for all of them."""
    found = FILE.match(path)
    if WHOLE or not found:
        return False
    kind = (found["paper"], found["kind"])
    if kind in kinds or (found["kind"] == "zip" and found["paper"] != SMALLEST):
        return True
    kinds.add(kind)
    return False


def asked(url: str, body: bytes | None = None) -> tuple[int, str]:
    """Status and text of an answer."""
    request = urllib.request.Request(url, data=body, headers={"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read().decode("utf-8", "replace")
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode("utf-8", "replace")


@pytest.fixture(scope="module")
def site(environments, simulated, tmp_path_factory):
    """The address of `shadowtime up` from the wheel, started in an empty folder, with one finished run."""
    from tests.ports import unused_ports

    port, redis_port = unused_ports(2)
    folder = tmp_path_factory.mktemp("current")
    command = [environments[OURS].with_name("shadowtime"), "up", "--port", str(port), "--workers", "1"]
    command += ["--redis", f"redis://127.0.0.1:{redis_port}/0"]
    given = {"SHADOWTIME_STORE": "store", "SHADOWTIME_CACHE": str(simulated["cache"]), "PYTHONUNBUFFERED": "1"}
    log = folder / "log"
    with log.open("wb") as stream:
        up = subprocess.Popen(list(map(str, command)), cwd=folder, env=CLEAN | given, stdout=stream, stderr=stream)
    try:
        wait_for(lambda: "Shadowtime is at" in log.read_text(), "address", 120)
        yield f"http://127.0.0.1:{port}", folder
    finally:
        up.send_signal(signal.SIGINT)
        up.wait(20)


def test_every_page_and_asset_is_served_from_the_wheel(site):
    address, folder = site
    drawn = posted(f"{address}/api/workloads", generator="uniform", parameters={"jobs": 20}, seed=1)["id"]
    run = posted(f"{address}/api/runs", workload=drawn, algorithm="easy")["id"]
    wait_for(lambda: json.loads(asked(f"{address}/api/runs/{run}")[1])["status"] == "finished", "run", 90)

    todo = [*PAGES, f"/runs/{run}", f"/workloads/{drawn}", *(f"/assets/{path}" for path in assets())]
    todo += ["/_dash-layout", "/_dash-dependencies", "/healthz", "/favicon.ico", "/docs/", "/docs/reference/cli/"]
    seen: set[str] = set()
    kinds: set[tuple[str, str]] = set()
    missing = []
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        seen.add(path)
        if is_like_another(path, kinds):
            continue
        status, text = asked(address + path)
        if status >= 400:
            missing.append(f"{status} {path}")
        if is_page(path):
            text += rendered(address, path)
        todo += [found for found in linked(path, text) if found not in seen]

    assert missing == []
    assert len([path for path in seen if path.startswith("/_dash-component-suites/")]) > 5
    assert len([path for path in seen if path.startswith("/papers/")]) >= 5, "pages were not read as a browser does"
    assert {kind for _, kind in kinds} == (set() if WHOLE else {"svg", "pdf", "bib", "txt", "zip"})
    assert (folder / "store").is_dir(), "a relative folder is meant from where the command was given"


def assets() -> list[str]:
    """Every file of `assets/`, as git has it."""
    return [name.removeprefix("assets/") for name in files() if name.startswith("assets/")]


def linked(path: str, text: str) -> list[str]:
    """Paths of the same site that a page or a style sheet refers to."""
    name = urlsplit(path).path
    if name.endswith(".css"):
        found = STYLE.findall(text)
    elif is_page(path):
        found = LINK.findall(text)
    else:
        return []
    urls = [urlsplit(urljoin(f"http://here{path}", one.replace("&amp;", "&"))) for one in found]
    return [f"{url.path}?{url.query}" if url.query else url.path for url in urls if url.netloc == "here"]
