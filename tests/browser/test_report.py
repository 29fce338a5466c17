"""The offline report opened from its file, without a network: alive, linked, quiet, and as wide as its window."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from shadowtime.dashboard.offline.report import Report
from shadowtime.dashboard.offline.subject import simulated
from shadowtime.engine.workload.conversions.convert import convert
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.workers.execute import execute
from shadowtime.workers.spec import RunSpec

pytestmark = pytest.mark.browser

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
PATIENCE = 20_000
DRAWN = "() => window.shadowtime?.viewers?.length && window.shadowtime.viewers.every((one) => one.drawnOnce)"
RIGID = generate("uniform", {"jobs": 60}, 1)
EVIL = "</script><script>alert(1)</script><b onclick=alert(2)>.swf"


def report(*algorithms, workload=RIGID, **window) -> str:
    runs = []
    for algorithm in algorithms:
        spec = RunSpec.of(workload, algorithm)
        runs.append(simulated(spec, workload, execute(spec, workload), NOON))
    return Report(runs, NOON, **window).html()


@pytest.fixture
def opened(browser, tmp_path):
    """`opened(text, **context)`: the page of a file without a network; what it says or requests fails the test."""
    contexts, faults = [], []

    def open_file(text: str, **given):
        path = tmp_path / "report.html"
        path.write_text(text, encoding="utf-8")
        given = {"viewport": {"width": 1440, "height": 900}, **given}
        context = browser.new_context(offline=True, **given)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(str(error)))
        page.on("dialog", lambda dialog: faults.append(dialog.message))
        page.on("console", lambda said: faults.append(said.text) if said.type in ("error", "warning") else None)
        page.on("request", lambda request: faults.append(request.url) if request.url != path.as_uri() else None)
        page.goto(path.as_uri())
        page.wait_for_function(DRAWN, timeout=PATIENCE)
        return page

    open_file.faults = faults
    yield open_file
    for context in contexts:
        context.close()
    assert [one for one in faults if not one.startswith(("data:", "blob:"))] == []


def debug(page, at=0):
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page.evaluate(f"shadowtime.viewers[{at}].debug()")


def middle(page, at=0, row=0):
    """The middle of a rectangle of a viewer, in the page's pixels, and its job."""
    box = debug(page, at)["drawn"][row]
    stage = page.locator(".gv-stage").nth(at).bounding_box()
    return stage["x"] + box["x"] + box["w"] / 2, stage["y"] + box["y"] + box["h"] / 2, box["job"]


def test_a_run_is_alive_in_its_file(opened):
    page = opened(report("easy"))
    whole = debug(page)
    assert (whole["segments"], whole["jobs"]) == (64, 60)

    x, y, job = middle(page, row=20)
    page.mouse.move(x, y)
    page.locator(".gv-card", has_text=str(job)).wait_for(timeout=PATIENCE)
    page.mouse.click(x, y)
    page.locator("#job-panel >> text=Ended").wait_for(timeout=PATIENCE)
    assert f"Job {job}" in page.locator("#job-panel").inner_text()
    page.mouse.wheel(0, -600)
    page.wait_for_function(
        "(before) => { const [t0, t1] = shadowtime.viewers[0].debug().window; return t1 - t0 < before; }",
        arg=0.7 * (whole["window"][1] - whole["window"][0]),
        timeout=PATIENCE,
    )
    near = debug(page)["window"]
    page.mouse.move(x, y + 3)
    page.mouse.down()
    page.mouse.move(x + 80, y + 3, steps=4)
    page.mouse.up()
    assert debug(page)["window"][0] < near[0] and debug(page)["selection"] == job


def test_compared_runs_share_window_cursor_and_selection(opened):
    page = opened(report("fcfs", "easy", "conservative"))
    assert [debug(page, at)["segments"] for at in range(3)] == [61, 64, 65]

    x, y, job = middle(page, at=1, row=30)
    page.mouse.click(x, y)
    page.mouse.wheel(0, -400)
    page.wait_for_function(
        "() => new Set(shadowtime.viewers.map((one) => one.debug().window.join())).size === 1"
        " && shadowtime.viewers[2].view.t1 < shadowtime.viewers[2].view.bounds.t1",
        timeout=PATIENCE,
    )
    assert {debug(page, at)["selection"] for at in range(3)} == {job}
    assert len({debug(page, at)["at"] for at in range(3)}) == 1
    late = page.evaluate(
        "(() => { const [a, b] = shadowtime.viewers.map((one) => one.run.jobs);"
        " for (let j = 0; j < a.n; j++) if (b.start[j] < a.start[j]) return a.job_id[j]; })()"
    )
    page.evaluate(f"document.dispatchEvent(new CustomEvent('shadowtime:select', {{detail: {{job: {late}}}}}))")
    page.locator(".st-lane").nth(1).get_by_role("button", name=f"Why did job {late} start sooner here?").click()
    page.locator("#compare-lives", has_text=f"Job {late} under FCFS and under EASY").wait_for(timeout=PATIENCE)
    assert "EASY started it at" in page.locator("#compare-lives").inner_text()


def test_a_window_of_compared_runs_says_when_they_end(opened):
    page = opened(report("fcfs", "easy", end=600.0))

    assert debug(page)["window"][1] < 610 and 0 < debug(page)["segments"] < 61
    page.locator(".st-railfacts", has_text="ends").first.wait_for(timeout=PATIENCE)
    end = page.evaluate("shadowtime.viewers[0].clock.instant(shadowtime.viewers[0].run.view.end, 'minute')")
    assert f"ends {end}" in page.locator(".st-railfacts").first.inner_text()


@pytest.mark.parametrize("kind", ["fractional", "moldable", "multitask", "classed"])
def test_every_kind_of_jobs_has_a_report(opened, kind):
    workload, algorithm = {
        "fractional": lambda: (convert(RIGID, "fractional", {}, 1), "easy"),
        "moldable": lambda: (generate("moldable", {"jobs": 30, "processors": 16}, 1), "demt"),
        "multitask": lambda: (generate("multitask", {"jobs": 20, "machines": 5}, 1), "psrs"),
        "classed": lambda: (generate("classed", {}, 1), "pjs"),
    }[kind]()
    page = opened(report(algorithm, workload=workload))

    job = page.evaluate("shadowtime.viewers[0].run.jobs.job_id[3]")
    page.evaluate(f"document.dispatchEvent(new CustomEvent('shadowtime:select', {{detail: {{job: {job}}}}}))")
    page.locator("#job-panel >> text=Ended").first.wait_for(timeout=PATIENCE)


def test_a_report_follows_the_theme_and_the_paper(opened):
    two_tiers = convert(RIGID, "two_tier", {}, 1)
    page = opened(report("keasy", workload=two_tiers), color_scheme="dark", viewport={"width": 390, "height": 844})

    scheme = "document.documentElement.dataset.mantineColorScheme"
    assert page.evaluate(scheme) == "dark"
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert len(debug(page)["panes"]) >= 1 and debug(page)["tiers"] == 2
    page.emulate_media(color_scheme="light")
    page.wait_for_function(f"() => {scheme} === 'light' && !shadowtime.viewers[0].theme.dark", timeout=PATIENCE)
    page.emulate_media(color_scheme="dark")
    page.wait_for_function("() => shadowtime.viewers[0].theme.dark", timeout=PATIENCE)
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(f"[{scheme}, shadowtime.viewers[0].theme.dark, shadowtime.viewers[0].width]") == [
        "light", False, page.evaluate("document.querySelector('shadowtime-gantt').clientWidth"),
    ]  # fmt: skip
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    page.wait_for_function("() => shadowtime.viewers[0].theme.dark", timeout=PATIENCE)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.wait_for_function("() => shadowtime.viewers[0].width > 1000", timeout=PATIENCE)
    wide = page.evaluate("shadowtime.viewers[0].width")
    page.evaluate("addEventListener('beforeprint', () => { window.printed = shadowtime.viewers[0].width; })")
    assert page.pdf(prefer_css_page_size=True)[:4] == b"%PDF"
    page.wait_for_function("() => shadowtime.viewers[0].theme.dark", timeout=PATIENCE)
    assert page.evaluate("window.printed") <= 960
    page.wait_for_function("(wide) => shadowtime.viewers[0].width === wide", arg=wide, timeout=PATIENCE)


def test_names_that_are_markup_stay_text(opened):
    page = opened(report("fcfs", "easy", workload=RIGID.with_(name=EVIL, source={"digest": "0" * 64, "case": None})))

    assert "script>alert(1)" in page.locator("h1").inner_text()
    assert page.evaluate("document.querySelectorAll('[onclick]').length") == 0
    # Even a script that somehow got into the page would not run, nor reach anything.
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.hit = 1' }),"
        " Object.assign(new Image(), { src: 'http://evil.invalid/a.png' }))"
    )
    page.wait_for_timeout(200)
    assert page.evaluate("window.hit") is None
    refused = [one for one in opened.faults if "Content Security Policy" in one]
    assert len(refused) == 2
    opened.faults.clear()
