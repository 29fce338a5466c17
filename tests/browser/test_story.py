"""The first ten minutes of a person, end to end, in a browser against real processes; and what survives."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from shadowtime.engine import generate, simulate
from shadowtime.engine.workload.writers import write_swf
from tests.browser.laboratory import DEADLINE, Laboratory
from tests.workers.lab import wait_for

pytestmark = pytest.mark.browser

JOBS = 2000
PATIENCE = 1000 * DEADLINE
VIEWER = "window.shadowtime?.viewers?.[0]?.debug()"


@pytest.fixture
def laboratory(tmp_path: Path, free_ports):
    port, redis_port = free_ports(2)
    with Laboratory(tmp_path, port, redis_port) as running:
        yield running


@pytest.fixture
def lonely(tmp_path: Path, free_ports):
    """A laboratory with one worker."""
    port, redis_port = free_ports(2)
    with Laboratory(tmp_path, port, redis_port, workers=1) as running:
        yield running


def shown(page: Any, condition: str) -> Any:
    """What the viewer draws, as soon as `condition` holds of it (`d`)."""
    script = f"() => {{ const d = {VIEWER}; return d && ({condition}) ? d : null; }}"
    return page.wait_for_function(script, timeout=PATIENCE).json_value()


def text_of(page: Any, selector: str, pattern: str) -> str:
    """The text there, as soon as it matches."""

    def look() -> str | None:
        found = page.locator(selector)
        text = found.first.inner_text().replace("\u202f", " ") if found.count() else ""
        return text if re.search(pattern, text) else None

    return wait_for(look, f"{selector} with {pattern!r}", DEADLINE)


def places(drawn: Any) -> dict[tuple[Any, ...], float]:
    """Where every rectangle stands, in pixels."""
    return {(one["job"], i, side): one[side] for i, one in enumerate(drawn["drawn"]) for side in "xywh"}


def run_the_example(page: Any, url: str) -> None:
    """Open the first page, which says what this is and plays an example, and run it: its comparison is finished."""
    page.goto(url)
    text_of(page, ".st-empty", "replays the jobs of a cluster under different schedulers")
    page.locator("#run-example").click()
    page.wait_for_url("**/compare?runs=*", timeout=PATIENCE)
    page.locator("#compare-stack shadowtime-gantt[data-state=ready]").nth(1).wait_for(timeout=PATIENCE)
    text_of(page, "#page h1", "FCFS and EASY on eighteen-jobs")
    assert not page.get_by_text("Choose a workload first").count()


def ask_why_later(page: Any, url: str, first: str, second: str) -> None:
    """Compare two finished runs, select a job, and read why it started later in one of them."""
    page.goto(f"{url}/compare?runs={first},{second}")
    page.locator("#compare-stack shadowtime-gantt[data-state=ready]").nth(1).wait_for(timeout=PATIENCE)
    page.locator(".gv-list").first.focus()
    for _ in range(JOBS):
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.wait_for_timeout(50)
        if page.locator(".st-railwhy button").count():
            break
    said = page.locator(".st-railwhy button").first
    assert re.fullmatch(r"Why did job [\d,]+ (start|end) (later|sooner) here\?", said.inner_text())
    said.click()
    assert re.search(
        r"At that instant (FCFS|EASY) had [\d,]+ of [\d,]+ processors free",
        text_of(page, ".st-liveswhy", "At that instant"),
    )


def share(page: Any) -> str:
    """Make a short link to what is on the screen."""
    page.locator("#share").click()
    page.locator(".st-share input[name=title]").fill("Why it waited")
    page.keyboard.press("Enter")
    page.locator(".st-share-made input").wait_for(timeout=PATIENCE)
    link = page.locator(".st-share-made input").input_value()
    assert "/s/" in link
    page.keyboard.press("Escape")
    return link


def test_the_first_ten_minutes(laboratory: Laboratory, page, browser, tmp_path: Path):
    workload = generate("uniform", {"jobs": JOBS}, seed=3)
    trace = tmp_path / "night.swf"
    with trace.open("wb") as stream:
        write_swf(workload, stream)

    page.set_default_timeout(PATIENCE)
    run_the_example(page, laboratory.url)
    examples = {run["id"] for run in laboratory.runs()}

    # Choose the own file: it is read, and the page says what the reader did.
    page.locator("#new-run").click()
    page.locator("#trace-choose").wait_for(timeout=PATIENCE)
    with page.expect_file_chooser() as chooser:
        page.locator("#trace-choose").click()
    chooser.value.set_files(trace)
    text_of(page, "#trace-body", "2,000 records, 2,000 jobs kept")

    # What does not take these jobs stands behind a button. Tick FCFS and EASY, and queue both.
    text_of(page, "#new-fold", "algorithms need a conversion or other jobs")
    assert not page.get_by_role("checkbox", name="DEMT", exact=True).is_visible()
    for name in ("FCFS", "EASY"):
        page.get_by_role("checkbox", name=name, exact=True).check()
    text_of(page, "#queue", "Queue 2 runs")
    page.locator("#queue").click()
    page.wait_for_url("**/runs", timeout=PATIENCE)
    wait_for(
        lambda: page.locator("#runs-grid .ag-center-cols-container .ag-row").count() == 4, "row for each run", DEADLINE
    )
    runs = {run["algorithm"]: run["id"] for run in laboratory.runs() if run["id"] not in examples}

    # The schedule is drawn while the run goes on.
    page.goto(f"{laboratory.url}/runs/{runs['easy']}")
    early = shown(page, "d.status === 'running' && d.segments > 100")
    assert laboratory.run(runs["easy"])["status"] == "running"
    assert early["open"] > 0 and 0 < early["frontier"] < workload.jobs["release"][-1]
    part = text_of(page, "#run-summary", r"[1-9]\d* of 2,000 jobs ended")
    assert "2,000 of" not in part

    # It reaches its end, and the page has all of it without being asked.
    laboratory.open_gate()
    expected = simulate(workload, "easy")
    final = shown(page, "d.status === 'finished' && d.open === 0")
    assert final["segments"] == len(expected.segments["job"])
    text_of(page, "#run-summary", "2,000 jobs, all ended")
    text_of(page, "#run-summary", "× optimal")

    # The histogram counts every job once.
    page.locator("#stretch-table summary").click()
    counts = page.locator("#stretch-table tbody tr").all_inner_texts()
    assert sum(int(row.split("\t")[-1].replace(",", "")) for row in counts) == JOBS

    # A window and a job are chosen; the address says so, and shows the same to another person.
    page.locator(".gv-stage").focus()
    span = final["window"][1] - final["window"][0]
    for part in (2, 4, 8):
        page.keyboard.press("+")
        near = shown(page, f"Math.abs({part} * (d.window[1] - d.window[0]) / {span} - 1) < 1e-9 && d.drawn.length > 0")
    place = next(one for one in near["drawn"] if one["x"] > 40 and one["w"] > 6 and one["h"] > 6)
    stage = page.locator(".gv-stage").bounding_box()
    page.mouse.click(stage["x"] + place["x"] + place["w"] / 2, stage["y"] + place["y"] + place["h"] / 2)
    mine = shown(page, "d.selection !== null")
    page.wait_for_url(re.compile(r"v=1.*from=.*job=\d+"), timeout=PATIENCE)
    link = page.url
    mine = shown(page, "d.selection !== null")

    context = browser.new_context(viewport={"width": 1440, "height": 900})
    other = context.new_page()
    other.goto(link)
    theirs = shown(other, "d.status === 'finished' && d.selection !== null && d.drawn.length > 0")
    context.close()
    for what in ("run", "nodes", "selection", "colour", "segments"):
        assert theirs[what] == mine[what]
    pixel = span / 8 / 1000
    assert theirs["window"] == pytest.approx(mine["window"], abs=pixel)
    assert theirs["at"] == pytest.approx(mine["at"], abs=pixel)
    assert places(theirs) == pytest.approx(places(mine), abs=1.0)

    # FCFS was run beside it: what differs is explained, and a short link shows the same to another person.
    assert laboratory.wait_for_status(runs["fcfs"], "finished")["summary"]["jobs"] == JOBS
    ask_why_later(page, laboratory.url, runs["easy"], runs["fcfs"])
    explained = text_of(page, ".st-liveswhy", "At that instant")
    link = share(page)
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    other = context.new_page()
    other.goto(link)
    assert text_of(other, ".st-liveswhy", "At that instant") == explained
    context.close()

    # A reload shows it again.
    page.reload()
    assert text_of(page, ".st-liveswhy", "At that instant") == explained

    # Back leads through what was seen: the comparison before a job was selected in it, the run, the list, the form.
    page.go_back()
    shown(page, "d.selection === null")
    page.go_back()
    page.wait_for_url(f"{laboratory.url}/runs/{runs['easy']}?**job=*", timeout=PATIENCE)
    text_of(page, "#page h1", "EASY on night")
    page.go_back()
    shown(page, "d.selection === null")
    page.go_back()
    text_of(page, "#page h1", "^Runs$")
    page.go_back()
    text_of(page, "#page h1", "New run")
    for name in ("FCFS", "EASY"):
        expect(page.get_by_role("checkbox", name=name, exact=True)).to_be_checked(timeout=PATIENCE)
    text_of(page, "#trace-body", "2,000 records, 2,000 jobs kept")


def test_runs_outlive_their_worker_and_redis(lonely: Laboratory, page):
    # A run whose worker is killed is finished by the next.
    run = lonely.queue(lonely.draw(JOBS, seed=5), "easy")
    page.goto(f"{lonely.url}/runs/{run}")
    shown(page, "d.status === 'running' && d.segments > 100")
    lonely.kill("worker.1")
    wait_for(lambda: lonely.run(run)["attempt"] == 2, "second attempt", DEADLINE)
    shown(page, "d.status === 'running' && d.segments > 100")
    text_of(page, "#run-banner", "Restarted")
    lonely.open_gate()
    final = shown(page, "d.status === 'finished' && d.open === 0")
    expected = simulate(generate("uniform", {"jobs": JOBS}, seed=5), "easy")
    assert final["segments"] == len(expected.segments["job"])
    assert lonely.run(run)["summary"]["metrics"]["unfinished"] == 0
    text_of(page, "#run-summary", "2,000 jobs, all ended")

    # Without Redis the page says so, and nothing that was accepted is lost.
    lonely.gate.unlink()
    workload = lonely.draw(JOBS, seed=6)
    running, waiting = lonely.queue(workload, "easy"), lonely.queue(workload, "fcfs")
    page.goto(f"{lonely.url}/runs/{running}")
    shown(page, "d.status === 'running' && d.segments > 100")
    lonely.kill("redis", for_good=True)
    text_of(page, "#trouble", "The queue does not answer")
    health = lonely.health()
    assert (health["status"], health["redis"], health["store"]) == ("degraded", False, True)
    later = lonely.queue(lonely.draw(JOBS, seed=7), "easy")
    assert lonely.run(later)["status"] == "queued"
    lonely.open_gate()
    lonely.restore("redis")
    for run in (running, waiting, later):
        assert lonely.wait_for_status(run, "finished")["summary"]["jobs"] == JOBS
    wait_for(lambda: not page.locator("#trouble").inner_text(), "end of the notice", DEADLINE)
    shown(page, "d.status === 'finished' && d.open === 0")
