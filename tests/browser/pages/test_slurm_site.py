"""A log and the files of its Slurm site, chosen or dropped together on the form of a new run."""

from __future__ import annotations

import pytest

from shadowtime.dashboard.look import theme
from shadowtime.dashboard.sharing import urls
from tests.browser.pages.test_pages import opened
from tests.engine.workload.slurm_sites import FOLDER

pytestmark = pytest.mark.browser

FILES = [FOLDER / name for name in ("slurm.conf", "assoc.psv", "qos.psv", "sshare.psv")]
LOG = FOLDER.parent / "plain.psv.gz"
DROP = """([names, texts]) => {
    const data = new DataTransfer();
    names.forEach((name, at) => data.items.add(new File([texts[at]], name)));
    document.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


@pytest.mark.parametrize("scheme", [theme.LIGHT, theme.DARK])
def test_files_chosen_together_are_one_trace(browser, site, scheme):
    page, said = opened(browser, site, urls.NEW, color_scheme=scheme)
    page.set_input_files("#st-file", [*FILES, LOG])
    card = page.locator("#trace-body")
    card.filter(has_text="plain.psv.tar").wait_for()
    assert "230 jobs" in card.inner_text()
    for width in (400, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        page.wait_for_function("(width) => document.documentElement.scrollWidth <= width", arg=width)

    # What was assumed stands in the report of the workload's page.
    card.get_by_role("link", name="more").click()
    page.get_by_text("No reservations: there is no maintenance.").wait_for()
    assert "The machine is that of slurm.conf: 32 nodes, 128 cores, 2 partitions." in page.locator("#page").inner_text()
    assert said == []
    page.context.close()


def test_files_dropped_together_and_a_site_without_a_log(browser, site):
    page, said = opened(browser, site, urls.NEW)
    log = "submit,runtime,cores,user\n0,5,2,ann\n"
    page.evaluate(DROP, [["slurm.conf", "jobs.csv"], [FILES[0].read_text(), log]])
    page.locator("#trace-body").filter(has_text="jobs.csv.tar").wait_for()
    assert said == []

    page.set_input_files("#st-file", [FILES[0], FILES[1]])
    notice = page.get_by_role("alert").filter(has_text="2 files were not read")
    notice.wait_for()
    assert "None of the 2 files is a log: give one, and files of its site" in notice.inner_text()
    page.set_input_files("#st-file", FILES[0])
    notice = page.get_by_role("alert").filter(has_text="slurm.conf was not read")
    notice.wait_for()
    assert "give it together with the log of its jobs. Nothing was stored." in notice.inner_text()
    page.context.close()
