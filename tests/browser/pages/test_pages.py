"""Pages as a person meets them: both themes, narrow windows, the keyboard, and words where something is wrong."""

from __future__ import annotations

import io
import re

import pytest

from shadowtime.dashboard.look import theme
from shadowtime.dashboard.sharing import urls
from tests.conftest import FOUR_SWF
from tests.workers.lab import wait_for

pytestmark = pytest.mark.browser

PATIENCE = 30_000


def opened(browser, site, address: str, **context):
    """A page of a fresh profile, and what its console complains of."""
    page = browser.new_context(**{"viewport": {"width": 1440, "height": 900}, **context}).new_page()
    page.set_default_timeout(PATIENCE)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(site.url + address)
    page.wait_for_selector("#page h1")
    return page, said


def visited(page, site, four):
    """One page of each sort after the other, without loading the site anew."""
    titles = {
        urls.RUNS: "Runs",
        urls.run(site.runs["easy"]): "EASY on four",
        urls.ALGORITHMS: "Algorithms",
        urls.workload(four): "four",
        "/nowhere": "Page not found",
        urls.NEW: "New run",
    }
    for address, title in titles.items():
        page.evaluate("(address) => shadowtime.go(address)", address)
        page.locator("#page h1").filter(has_text=title).wait_for()
        page.wait_for_timeout(400)  # for what comes later, and may complain
        yield address


def test_every_page_in_both_themes_and_at_all_widths(browser, site, four):
    # Both themes keep to the content policy.
    for scheme, width in ((theme.LIGHT, 900), (theme.DARK, 1440)):
        viewport = {"width": width, "height": 800}
        page, said = opened(browser, site, urls.NEW, color_scheme=scheme, viewport=viewport)
        ground = f"rgb{theme.rgb(theme.tokens(scheme)['bg'])}"
        for address in visited(page, site, four):
            assert page.evaluate("document.documentElement.dataset.mantineColorScheme") == scheme
            assert page.evaluate("getComputedStyle(document.body).backgroundColor") == ground, (scheme, address)

            # Each has one primary button at most.
            assert page.evaluate(PRIMARY) <= 1, address

            # No page is wider than its window.
            for narrow in (900, 560, 400) if width == 900 and address != urls.workload(four) else ():
                page.set_viewport_size({"width": narrow, "height": 800})
                assert page.evaluate("document.documentElement.scrollWidth") <= narrow, address
        assert said == [], scheme
        page.context.close()


PRIMARY = """() => [...document.querySelectorAll(".st-primary")].filter((one) =>
    one.offsetParent && !/, 0\\)$/.test(getComputedStyle(one).backgroundColor)).length"""
BEYOND = """() => [...document.querySelectorAll('.st-card :is(input, button)')].filter((one) => {
    const card = one.closest('.st-card').getBoundingClientRect(), box = one.getBoundingClientRect();
    return box.width && (box.right > card.right || box.left < card.left);
}).map((one) => one.value || one.textContent)"""
DANGLING = """() => [...document.querySelectorAll('.st-factline > *')].map((one) => {
    const line = one.parentElement.getBoundingClientRect(), dot = getComputedStyle(one, '::before');
    const isFirst = one.getBoundingClientRect().left - line.left < 1;
    return [isFirst, dot.content !== 'none' && one.getBoundingClientRect().left + parseFloat(dot.left) >= line.left];
})"""
CUT = "(all) => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"
HEIGHTS = "(all) => all.map((one) => one.getBoundingClientRect().height)"


def test_boxes_facts_notes_and_names_of_columns_have_their_room(browser, site):
    page, said = opened(browser, site, urls.ALGORITHMS)
    runs = tuple(site.runs.values())

    # Boxes stay in their card.
    for width in (768, 390):
        page.set_viewport_size({"width": width, "height": 1024})
        page.goto(site.url + f"{urls.NEW}?generator=lublin")
        page.get_by_label("Classes", exact=True).first.wait_for()
        named = page.locator(".st-samples button").first
        named.evaluate("(one) => (one.textContent = 'a_long_name_'.repeat(13))")
        assert page.evaluate(BEYOND) == [], width
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert named.evaluate("(one) => getComputedStyle(one).textAlign") in ("start", "left")

        # A fact that begins a line shows no dot; every other one does.
        page.goto(site.url + urls.run(site.runs["easy"]))
        page.locator("#page .st-factline .st-mono").wait_for()
        facts = page.evaluate(DANGLING)
        assert len(facts) == 4 and all(is_first != has_dot for is_first, has_dot in facts), (width, facts)
    assert said == []

    # No column of jobs has a cut name, nor a title a squeezed note.
    for address in (urls.run(runs[0]), urls.compare(urls.Comparison(runs=runs, show="difference"))):
        page.set_viewport_size({"width": 2600, "height": 900})
        page.goto(site.url + address)
        page.locator(".ag-header-cell-text", has_text="Bounded slowdown").first.wait_for()
        assert page.locator(".ag-header-cell-text").evaluate_all(CUT) == []
        page.set_viewport_size({"width": 390, "height": 844})
        notes = page.locator(".st-section-title:has(> .st-define) > .st-note").filter(visible=True)
        heights = notes.evaluate_all(HEIGHTS)
        assert heights and max(heights) < 40, "at most two lines"
    page.context.close()


def test_the_page_of_a_run(browser, site):
    page, said = opened(browser, site, urls.ALGORITHMS, color_scheme="light")

    # The keyboard finds it.
    page.keyboard.press("/")
    page.keyboard.type("easy four")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{urls.run(site.runs['easy'])}")
    page.wait_for_function("() => document.title === 'EASY on four · Shadowtime'")
    page.go_back()
    page.wait_for_selector("h1:has-text('Algorithms')")

    # The story of a short run leads through its schedule.
    page.goto(site.url + urls.run(site.runs["easy"]))
    page.wait_for_selector("#page h1")
    line = page.locator(".st-story button").filter(has_text="backfilled: ends 47 s before")
    line.click()
    page.locator("#job-panel").filter(has_text="Job 4").wait_for()
    page.locator(".st-story button[aria-current]").filter(has_text="backfilled: ends 47 s before").wait_for()
    page.locator(".st-story button").filter(has_text="10 of 10 processors were free when it was submitted").wait_for()
    times = page.locator(".st-storytime").all_inner_texts()
    assert times[0] == "0\u202fs" and len(set(filter(None, times))) == len(list(filter(None, times)))

    # A job of the table is shown in the schedule.
    page.locator("#jobs-grid .ag-center-cols-container .ag-row").nth(1).click()
    page.wait_for_url("**job=2**")
    page.locator("#job-panel").filter(has_text="Job 2").wait_for()

    # The theme changes at once, and figures with it.
    bar = page.locator(".st-spread .bars path").first
    bar.wait_for(state="attached")
    assert bar.evaluate("bar => getComputedStyle(bar).fill") == f"rgb{theme.rgb(theme.tokens(theme.LIGHT)['bar'])}"
    page.get_by_role("button", name="Toggle color scheme").click()
    page.wait_for_function("() => document.documentElement.dataset.mantineColorScheme === 'dark'")
    page.wait_for_function(
        "(fill) => getComputedStyle(document.querySelector('.st-spread .bars path')).fill === fill",
        arg=f"rgb{theme.rgb(theme.tokens(theme.DARK)['bar'])}",
    )

    # A figure that is not drawn anew yet makes the page no wider.
    page.set_viewport_size({"width": 560, "height": 800})
    page.locator(".st-spread svg.main-svg").first.wait_for()
    page.wait_for_timeout(400)
    page.set_viewport_size({"width": 400, "height": 800})
    # As wide as a busy machine leaves it for a while after the window has become narrower.
    page.evaluate("document.querySelectorAll('.st-spread svg').forEach((svg) => (svg.style.width = '440px'))")
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    assert said == []
    page.context.close()


def test_the_list_of_runs(browser, site, lab, four, ask):
    page, said = opened(browser, site, urls.RUNS)
    rows = page.locator(".ag-center-cols-container .ag-row")
    rows.nth(1).wait_for()

    # What has the focus is seen.
    seen = []
    for _ in range(6):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("getComputedStyle(document.activeElement).outlineStyle"))
    assert set(seen) == {"solid"}

    # Runs are filtered, chosen and deleted.
    page.get_by_label("Filter the runs").fill("fcfs")
    page.wait_for_function("() => document.querySelectorAll('.ag-center-cols-container .ag-row').length === 1")
    page.wait_for_url("**/runs?q=fcfs")

    # A star and a name are kept, and found.
    page.get_by_role("button", name="Star FCFS").click()
    page.locator("[data-star][aria-pressed=true]").wait_for()
    page.locator(".ag-row .ag-selection-checkbox input").first.click()
    page.get_by_role("toolbar").get_by_role("button", name="Edit").click()
    page.get_by_label("Name", exact=True).fill("The rival")
    page.get_by_role("button", name="Save").click()
    rows.filter(has_text="The rival").wait_for()
    page.get_by_label("Filter the runs").fill("is:starred rival")
    page.wait_for_url("**/runs?q=is%3Astarred%20rival")
    rows.filter(has_text="The rival").wait_for()

    # Deleting is undone; left alone, it is done at the latest when the page is left.
    for undone in (True, False):
        page.get_by_role("toolbar").get_by_role("button", name="Delete").click()
        page.get_by_role("button", name="Delete 1 run").click()
        page.locator(".ag-overlay").filter(has_text="No run matches").wait_for()
        assert len(lab.store.runs.list().rows) == 2
        if undone:
            page.get_by_role("button", name="Undo").click()
            rows.filter(has_text="The rival").wait_for()
            page.locator(".ag-row .ag-selection-checkbox input").first.click()
    page.goto("about:blank")
    wait_for(lambda: len(lab.store.runs.list().rows) == 1, "run deleted when the page was left")
    assert [run.spec.algorithm for run in lab.store.runs.list().rows] == ["easy"]

    # A run that fails while it is listed says so.
    asked = ask(four, "easy", seed=5)
    page.goto(site.url + urls.RUNS)
    row = page.locator(f".ag-row[row-id='{asked.id}']")
    row.filter(has_text="first in the queue").wait_for()
    lab.store.runs.begin(asked.digest)
    lab.store.runs.fail(asked.digest, "t=311.0: 'easy' placed job 12 on node 3, which job 4 holds")
    row.filter(has_text="on node 3, which job 4 holds.").wait_for()
    assert "in the queue" not in row.inner_text()
    assert row.get_by_role("button", name="Run again").is_visible()

    # Shift takes all rows between, in the order that is shown: with a click, with Space and with the arrows.
    for seed in range(6, 9):
        ask(four, "easy", seed=seed)
    page.goto(f"{site.url}{urls.RUNS}?sort=jobs")
    row_at = "#runs-grid .ag-row[row-index='{}']".format
    page.locator(row_at(3)).wait_for()
    chosen = page.locator(".ag-center-cols-container .ag-row-selected")
    counted = page.locator("#runs-dock .st-dock-text")
    page.locator(f"{row_at(0)} .ag-selection-checkbox input").click()
    page.locator(f"{row_at(3)} [col-id=jobs]").click(modifiers=["Shift"])
    counted.filter(has_text="4 runs on the same jobs").wait_for()
    assert sorted(chosen.evaluate_all("rows => rows.map((one) => one.getAttribute('row-index'))")) == [*"0123"]
    page.reload()
    page.locator(f"{row_at(1)} [col-id=jobs]").focus()
    for keys in ("Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowUp"):
        page.keyboard.press(keys)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+Space")
    counted.filter(has_text="3 runs").wait_for()
    assert said == []
    page.context.close()


def test_the_form_of_a_new_run(browser, site, four, tmp_path):
    bad = tmp_path / "night.swf"
    bad.write_text("; MaxProcs: 10\n1 0 -1 100 6\n")
    page, said = opened(browser, site, urls.NEW)

    # A file that cannot be read is refused in a sentence.
    page.set_input_files("#st-file", bad)
    notice = page.get_by_role("alert").filter(has_text="night.swf was not read")
    notice.wait_for()
    assert "ine 2 has 5 columns; SWF needs 18." in notice.inner_text()
    assert "Nothing was stored." in notice.inner_text()

    # A click in a card that is chosen redraws nothing, and folds stay open while columns are chosen.
    table = tmp_path / "table.csv"
    table.write_text("when,took,wide,who\n0,60,1,ann\n9,60,2,bob\n")
    page.set_input_files("#st-file", table)
    more = page.locator("#trace-body .st-morefields")
    more.locator("summary").click()
    page.wait_for_timeout(1500)
    more.get_by_label("Column of the wait").click()
    page.get_by_role("option", name="took").click()
    page.locator("#trace-body summary", has_text="9 more fields").wait_for()
    page.wait_for_timeout(300)
    assert more.get_by_label("Column of the user").is_visible()

    # A question is put together from a stored trace.
    page.goto(site.url + urls.new(four))
    page.wait_for_selector("#page h1")
    said.clear()
    page.get_by_role("button", name="Add").click()
    page.get_by_role("menuitem", name=re.compile("Another load")).click()
    page.get_by_label(re.compile("^Offered load")).get_by_role("textbox").fill("0.5")
    page.get_by_role("button", name="Parameters of EASY", exact=True).click()
    page.get_by_label(re.compile("^Overrun")).get_by_role("textbox").click()
    page.get_by_role("option", name="Ended at the request").click()
    command = page.locator("#new-command")
    command.filter(has_text="-p overrun=kill").filter(has_text="--convert load:rho=0.5").wait_for()
    page.get_by_role("button", name="Reset to the paper's values").locator("visible=true").click()
    page.wait_for_function("() => !document.querySelector('#new-command').textContent.includes('overrun')")
    page.get_by_role("button", name="Remove load").click()
    page.wait_for_function("() => !document.querySelector('#new-command').textContent.includes('--convert')")
    page.locator("#new-queue").filter(has_text="already computed").wait_for()
    assert page.locator("#queue").inner_text() == "Open 2 runs"

    # A backfilling policy is put together from words; a mistake in an expression is named where it is typed.
    page.get_by_role("button", name="Parameters of Batch", exact=True).click()
    page.get_by_role("checkbox", name="Batch", exact=True).check()
    page.get_by_label(re.compile("^Order: ")).get_by_role("textbox").locator("visible=true").click()
    page.get_by_role("option", name="An expression of your own").locator("visible=true").click()
    expression = page.get_by_role("textbox", name="Expression").locator("visible=true")
    expression.fill("w/x")
    mistake = page.locator(".st-mistake", has_text="'x' is not known at character 3.")
    mistake.wait_for()
    expression.fill("w/n")
    mistake.wait_for(state="detached")
    command.filter(has_text="-a batch:order=expr:w/n").wait_for()
    page.locator("#new-queue").filter(has_text="Batch: w/n").wait_for()

    # The name of a fractional variant is composed, added and asked for.
    page.goto(site.url + f"{urls.NEW}?generator=fractional")
    page.wait_for_selector("#page h1")
    name = page.locator("#variant-name")
    page.get_by_role("button", name="Compose another").click()
    page.locator("#variant-submission").click()
    page.get_by_role("option", name="MCB8", exact=True).locator("visible=true").click()
    name.filter(has_text="MCB8*/per/opt=min/minvt=600").wait_for()
    page.locator("#variant-periodic").click()
    page.get_by_role("option", name="nothing", exact=True).locator("visible=true").click()
    name.filter(has_text=re.compile(r"^MCB8\*/opt=min/minvt=600$")).wait_for()
    page.locator("#variant-optimum").click()
    page.get_by_role("option", name="opt=avg").locator("visible=true").click()
    name.filter(has_text="MCB8*/opt=avg/minvt=600").wait_for()
    page.locator("#variant-add").click()
    page.locator("#new-command").filter(has_text="-a 'MCB8*/opt=avg/minvt=600'").wait_for()
    assert page.get_by_role("checkbox", name="MCB8*/opt=avg/minvt=600").is_checked()
    assert said == []
    page.context.close()


def test_a_phone_shows_who_runs_beside_or_above_the_date_of_the_cursor(browser, site, lab, finish):
    jobs = [f"{number} {submit} -1 60 2 -1 -1 2 60 -1 1 1 1 1 1 1 -1 -1" for number, submit in ((1, 0), (2, 10**8))]
    log = "\n".join(["; UnixStartTime: 854000000", "; TimeZoneString: UTC", "; MaxProcs: 4", *jobs, ""])
    workload, _ = lab.store.workloads.add(io.BytesIO(log.encode()), "years.swf")
    run = finish(workload.id, "easy").id
    for width in (390, 360):
        page, _ = opened(browser, site, urls.run(run), viewport={"width": width, "height": 844})
        page.locator(".gv-pair-cursor dd", has_text="1997").wait_for()
        cut, apart = page.evaluate(
            """() => {
              const who = document.querySelector(".gv-who"), text = document.createRange();
              text.selectNodeContents(who);
              const said = text.getBoundingClientRect();
              const date = document.querySelector(".gv-readout").getBoundingClientRect();
              const isApart = said.right < date.left || said.bottom <= date.top;
              return [said.right > who.getBoundingClientRect().right, isApart];
            }"""
        )
        assert apart and not cut, width
        page.context.close()


def test_a_picture_says_the_year_and_what_its_lanes_are(page, site, lab, finish):
    """It stands alone, where no page around it says so."""
    log = f"; UnixStartTime: 854000000\n; TimeZoneString: UTC\n{FOUR_SWF}"
    workload, _ = lab.store.workloads.add(io.BytesIO(log.encode()), "dated.swf")
    runs = tuple(finish(workload.id, name).id for name in ("fcfs", "easy"))
    page.goto(site.url + urls.compare(urls.Comparison(runs=runs)))
    page.wait_for_function("() => shadowtime.viewers.length === 2 && shadowtime.viewers.every((one) => one.compared)")
    texts = page.evaluate(
        """async () => {
          const text = await (await shadowtime.exporting.view("svg")).text();
          const drawn = new DOMParser().parseFromString(text, "image/svg+xml");
          return [...drawn.querySelectorAll("text")].map((one) => one.textContent);
        }"""
    )

    assert "Thu 23 Jan 1997 06:13:20 – 06:31:50 · 18.5 min" in [one.replace("\u202f", " ") for one in texts]
    assert texts.count("processors") == 2
