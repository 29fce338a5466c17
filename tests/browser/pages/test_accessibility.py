"""Every page, in both themes, under the rules of WCAG 2.2 AA that axe-core checks."""

from __future__ import annotations

from pathlib import Path

import pytest

from shadowtime.dashboard.app import create_app
from shadowtime.dashboard.look import theme
from shadowtime.dashboard.sharing import urls
from shadowtime.dashboard.sharing.urls import Comparison
from tests.dashboard.test_experiments import QUESTION, swept  # noqa: F401
from tests.dashboard.waits_log import stream

pytestmark = pytest.mark.browser

PATIENCE = 60_000
AXE = Path(__file__).resolve().parents[3] / "node_modules" / "axe-core" / "axe.min.js"
LEVELS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
FOUND = """async (levels) => {
    const found = await axe.run(document, { runOnly: levels, resultTypes: ["violations"], elementRef: false });
    return found.violations.flatMap((rule) => rule.nodes.map((node) =>
        `${rule.id}: ${node.target.join(" ")} (${node.any.concat(node.all, node.none).map((one) => one.message)[0]})`));
}"""
CONTRAST = ["color-contrast"]
"""What depends on the theme."""


DRAWN = """() => [...document.querySelectorAll('.ag-header-row')].every(
    (row) => !row.offsetWidth || row.querySelector('[role=columnheader]'))"""
"""A table has its row of headers first, and the headers in it a frame later."""


@pytest.fixture(scope="session")
def axe() -> str:
    """The program that checks a page."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed; `make lint` installs it where node is")
    return AXE.read_text(encoding="utf-8")


@pytest.fixture
def site(lab):
    return create_app(lab.store, lab.queue, lab.settings)


@pytest.fixture
def addresses(lab, four, finish, swept):  # noqa: F811
    """Every page with something on it, and what shows that its content is there."""
    runs = [finish(four, name).id for name in ("fcfs", "easy")]
    shared, _ = lab.store.workloads.generate("fractional", {"jobs": 10, "nodes": 4}, 1)
    fractional = finish(shared.id, "mcb8*/opt=min").id
    log = lab.store.workloads.add(stream(), "jobs.txt")[0].id
    waited = finish(log, "easy", platform={"processors": 16}).id
    sweep = swept(QUESTION).sweep.id
    compared = urls.compare(Comparison(runs=tuple(runs)))
    return {
        urls.NEW: "#new-queue *",
        urls.new(four): "#new-queue *",
        urls.new(generator="lublin"): "#generator-words:not(:empty)",
        urls.RUNS: ".ag-row .ag-cell",
        urls.run(runs[1]): ".st-spread .main-svg",
        urls.run(fractional): ".st-spread .main-svg",
        urls.run(runs[1], urls.View(job=2, panels=("now",))): "#job-panel h2, #job-panel h3",
        compared: "#page .main-svg",
        f"{compared}&show=difference": "#page .main-svg",
        f"{compared}&show=scatter": "#page canvas",
        urls.waits([waited]): "#waits-figure .main-svg",
        urls.fidelity(log): "#page h1",
        urls.workload(four): "#page .main-svg",
        urls.LINKS: "#page h1",
        urls.ALGORITHMS: ".st-algorithm",
        urls.algorithm("measy"): ".st-lessonsvg svg",
        urls.SITES: "#page h1",
        urls.EXPERIMENTS: "#sweeps-list article",
        f"{urls.EXPERIMENTS}/new": "#sweep-queue:enabled",
        urls.experiment(sweep): "#sweep-figure .main-svg",
        urls.PAPERS: "#page h2",
        urls.paper("measy"): ".st-panel .main-svg",
        "/nowhere": "#page h1",
    }


def test_no_page_breaks_a_rule_of_accessibility(axe, browser, site, serve, addresses):
    address = serve(site.server)
    page = browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme=theme.LIGHT).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}{urls.ALGORITHMS}")
    page.locator("#page h1").wait_for()
    page.evaluate(axe)

    broken = []
    for path, there in addresses.items():
        page.evaluate("(path) => shadowtime.go(path)", path)
        page.wait_for_url(f"{address}{path}**")
        page.locator(there).first.wait_for(state="attached")
        page.evaluate("document.fonts.ready.then(() => {})")
        page.wait_for_function(DRAWN)
        broken += [f"{path} {one}" for one in page.evaluate(FOUND, LEVELS)]
        for scheme in (theme.DARK, theme.LIGHT):
            page.locator("#scheme-toggle").click()
            page.locator(f"html[data-mantine-color-scheme={scheme}]").wait_for(state="attached")
            if scheme == theme.DARK:
                broken += [f"{path} dark {one}" for one in page.evaluate(FOUND, CONTRAST)]
    page.context.close()

    assert broken == []
