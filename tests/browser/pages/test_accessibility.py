"""Every page and what opens on it, in both themes and at three widths, under the rules of WCAG 2.2 AA that axe-core
checks; no page is wider than its window."""

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
FOUND = """async ([levels, part, rules]) => {
    const broken = async () => {
        const found = await axe.run(part || document,
            { runOnly: levels, rules: rules || {}, resultTypes: ["violations"], elementRef: false });
        const why = (node) => node.any.concat(node.all, node.none).map((one) => one.message)[0];
        return found.violations.flatMap((rule) => rule.nodes.map((node) =>
            `${rule.id}: ${node.target.join(" ")} (${why(node)})`));
    };
    const first = await broken();
    if (!first.length) return first;
    await new Promise((done) => setTimeout(done, 1000));
    return broken();
}"""
"""What breaks a rule, and still does a second later: a table that is being built has a row of headers first, and the
headers in it some frames later, however long that takes on a busy machine."""
REMEMBER = """
;{
    const { prototype } = axe.commons.color.Color, read = prototype.parseString, known = new Map();
    prototype.parseString = function (text) {
        const found = known.get(text);
        if (found) [this.r, this.g, this.b, this.alpha] = found;
        else known.set(text, [read.call(this, text).r, this.g, this.b, this.alpha]);
        return this;
    };
}
null"""
"""axe-core reads a colour again for each element behind each text: it takes half of the time of contrasts. The value
is not the function, which Playwright would call."""
CONTRAST = ["color-contrast"]
"""What depends on the theme."""
PLACES = {"color-contrast": {"enabled": False}}
"""What may depend on the width: all but colours, which take most of the time."""
WIDE, MIDDLE, NARROW = ({"width": width, "height": 900} for width in (1440, 768, 390))


@pytest.fixture(scope="session")
def axe() -> str:
    """The program that checks a page."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed; `make lint` installs it where node is")
    return AXE.read_text(encoding="utf-8") + REMEMBER


@pytest.fixture
def site(lab):
    return create_app(lab.store, lab.queue, lab.settings)


@pytest.fixture
def addresses(lab, four, finish, ask, swept):  # noqa: F811
    """Every page with something on it and what shows that its content is there; what opens on some of them."""
    runs = [finish(four, name).id for name in ("fcfs", "easy")]
    queued = ask(four, "easy", seed=5).id
    shared, _ = lab.store.workloads.generate("fractional", {"jobs": 10, "nodes": 4}, 1)
    fractional = finish(shared.id, "mcb8*/opt=min").id
    tiers = finish(four, "measy", conversions=({"name": "two_tier"},)).id
    log = lab.store.workloads.add(stream(), "jobs.txt")[0].id
    waited = finish(log, "easy", platform={"processors": 16}).id
    sweep = swept(QUESTION).sweep.id
    compared = urls.compare(Comparison(runs=tuple(runs)))
    contents = {
        urls.NEW: "#new-queue *",
        urls.new(four): "#new-queue *",
        urls.new(generator="lublin"): "#generator-words:not(:empty)",
        urls.RUNS: ".ag-row .ag-cell",
        urls.run(runs[1]): ".st-spread .main-svg",
        urls.run(queued): "[data-notices]",
        urls.run(fractional): ".st-spread .main-svg",
        urls.run(tiers): ".st-spread .main-svg",
        urls.run(runs[1], urls.View(job=2, panels=("now",))): "#job-panel h2, #job-panel h3",
        compared: "#page .main-svg",
        f"{compared}&show=difference": "#page .main-svg",
        f"{compared}&show=scatter": "#page canvas",
        urls.waits([waited]): "#waits-figure .main-svg",
        urls.fidelity(log): "#page h1",
        urls.workload(four): "#page .main-svg",
        urls.LINKS: "#page h1",
        urls.SESSIONS: "#page h1",
        urls.GLOSSARY: "#page h1",
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
    return contents, opened(urls.run(runs[1]), urls.run(queued), compared)


def opened(run: str, queued: str, compared: str) -> dict[str, list[tuple[str, ...]]]:
    """What opens on pages: what is clicked, one after the other, and last what is then there."""
    export = ("#page button:has-text('Export')", "[role=menu]")
    share = ("[data-share]", ".st-share")
    columns = ("#page button:has-text('Columns') >> visible=true", ".mantine-Popover-dropdown")
    row = "#runs-grid .ag-row .ag-selection-checkbox input >> nth=0"
    return {
        urls.NEW: [("button[aria-label=Pages]", "[role=menu]"), ("#page button:text-is('Add')", "[role=menu]")],
        urls.RUNS: [
            columns,
            (row, "#runs-dock"),
            ("#runs-dock button:has-text('Edit')", "[role=dialog]"),
            ("#runs-dock button:has-text('Delete')", "[role=dialog]"),
        ],
        run: [
            export,
            share,
            (".gv-plain:has-text('Keys')", ".gv-keys"),
            (".gv-plain:has-text('Table')", ".gv-table"),
            ("#page button[aria-label=More]", "#delete-run", "[role=dialog]"),
        ],
        queued: [("[data-notices]", ".st-share")],
        compared: [export, share, columns],
    }


def broken_when_open(page, clicks: tuple[str, ...]) -> list[str]:
    """What is wrong with what opens, in both themes; it stays within the window, and Escape closes it."""
    *before, part = clicks
    for selector in before:
        page.locator(selector).first.click()
    box = page.locator(part).locator("visible=true").first
    box.wait_for()
    page.wait_for_timeout(200)  # for what fades in
    broken = page.evaluate(FOUND, [LEVELS, part])
    page.evaluate("document.documentElement.dataset.mantineColorScheme = 'dark'")
    broken += [f"dark {one}" for one in page.evaluate(FOUND, [CONTRAST, part])]
    page.evaluate("document.documentElement.dataset.mantineColorScheme = 'light'")
    held = box.bounding_box()
    if held["x"] < 0 or held["x"] + held["width"] > page.viewport_size["width"]:
        broken.append(f"{part} reaches from {held['x']:.0f} to {held['x'] + held['width']:.0f} px")
    page.keyboard.press("Escape")
    return [f"{before[-1]} opened: {one}" for one in broken]


def test_no_page_breaks_a_rule_of_accessibility(axe, browser, site, serve, addresses):
    address = serve(site.server)
    page = browser.new_context(viewport=WIDE, color_scheme=theme.LIGHT).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(f"{address}{urls.ALGORITHMS}")
    page.locator("#page h1").wait_for()
    page.evaluate(axe)

    contents, opens = addresses
    broken = []
    for path, there in contents.items():
        page.set_viewport_size(WIDE)
        page.evaluate("(path) => shadowtime.go(path)", path)
        page.wait_for_url(f"{address}{path}**")
        page.locator(there).first.wait_for(state="attached")
        page.evaluate("document.fonts.ready.then(() => {})")
        page.evaluate("scrollTo(0, 0)")  # a bar that stays in place halves the controls below it
        broken += [f"{path} {one}" for one in page.evaluate(FOUND, [LEVELS])]
        for scheme in (theme.DARK, theme.LIGHT):
            page.locator("#scheme-toggle").click()
            page.locator(f"html[data-mantine-color-scheme={scheme}]").wait_for(state="attached")
            if scheme == theme.DARK:
                broken += [f"{path} dark {one}" for one in page.evaluate(FOUND, [CONTRAST])]
        for size in (MIDDLE, NARROW):
            width = size["width"]
            page.set_viewport_size(size)
            page.evaluate("scrollTo(0, 0)")
            page.wait_for_timeout(100)
            broken += [f"{path} {width} {one}" for one in page.evaluate(FOUND, [LEVELS, None, PLACES])]
            if (wide := page.evaluate("document.documentElement.scrollWidth")) > width:
                broken.append(f"{path} is {wide} px wide in a window of {width} px")
        for clicks in opens.get(path, ()):
            broken += [f"{path} {one}" for one in broken_when_open(page, clicks)]
    page.context.close()

    assert not broken, "\n".join(broken)
