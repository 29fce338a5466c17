"""What the server writes into a page of runs, so that it is drawn before Dash starts."""

from __future__ import annotations

import gzip
import io
import re
from pathlib import Path

import pytest

from shadowtime.dashboard import app as site
from shadowtime.dashboard.bundles import BOOT, FOREVER, PAGES, VIEWER, Bundles
from shadowtime.dashboard.components.gantt import Gantt
from tests.conftest import FOUR_SWF
from tests.dashboard.inline import inline_scripts


@pytest.fixture
def client(lab):
    return site.create_app(lab.store, lab.queue, lab.settings).server.test_client()


def test_a_page_of_a_run_holds_its_schedule_and_starts_dash_after_it(client, finish, four):
    run = finish(four, "easy").digest[:16]
    page = client.get(f"/runs/{run}").get_data(as_text=True)
    first, waiting = page.index('<div id="first-view"'), page.index('<template id="dash">')

    assert f'<shadowtime-gantt run="{run}"></shadowtime-gantt>' in page[first:waiting]
    assert "<h1>EASY on four</h1>" in page[first:waiting]
    assert VIEWER in page[first:waiting] and "dash_renderer" not in page[:waiting]
    assert page.index("dash_renderer") < page.index(PAGES) < page.index("</template>") and page.rindex(
        BOOT
    ) > page.index("</template>")
    assert inline_scripts(page) == inline_scripts(client.get("/").get_data(as_text=True))


@pytest.mark.parametrize("address", ["/", "/runs", "/runs/0123456789abcdef", "/algorithms", "/compare"])
def test_a_page_without_schedules_is_as_dash_sends_it(client, address):
    page = client.get(address).get_data(as_text=True)

    assert 'id="first-view"' not in page and "<template" not in page
    assert page.index("react@18") < page.index("dash_renderer") < page.index(PAGES) < page.index("new DashRenderer")


def test_bundles_hold_every_file_and_are_asked_for_once(client):
    bundles = Bundles(Path(site.ASSETS))
    scripts = {path.relative_to(bundles.folder).as_posix() for path in bundles.folder.rglob("*.js")}
    joined = {name for name in scripts if f"/* {name} */".encode() in b"".join(bundles.texts.values())}

    assert scripts == joined
    for name in (*bundles.texts, "fonts/Inter.woff2"):
        answer = client.get(bundles.address(name), headers={"Accept-Encoding": "gzip"})
        assert answer.status_code == 200 and answer.headers["Cache-Control"] == FOREVER, name
    packed = client.get(bundles.address(VIEWER), headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(packed.data) == bundles.texts[VIEWER]
    assert "immutable" not in client.get(f"/assets/{'0' * 16}/{VIEWER}").headers.get("Cache-Control", "")


def test_a_changed_file_has_another_address(tmp_path):
    for text in ("a", "b"):
        (tmp_path / "x.js").write_text(text)
        (tmp_path / f"{text}.digest").write_text(Bundles(tmp_path).digest)

    assert (tmp_path / "a.digest").read_text() != (tmp_path / "b.digest").read_text()


def test_a_component_has_the_four_properties_of_a_schedule():
    known = Gantt(id="a", run="1" * 16, group="b", view={"at": 0.0}, selected=4).to_plotly_json()

    assert (known["namespace"], known["type"]) == ("schedule_components", "Gantt")
    assert set(known["props"]) == {"id", "run", "group", "view", "selected"}


def test_a_comparison_holds_its_schedules_under_one_axis(client, finish, four):
    runs = [finish(four, name).digest[:16] for name in ("fcfs", "easy")]
    page = client.get(f"/compare?runs={','.join(runs)}").get_data(as_text=True)
    elements = [dict(re.findall(r'([a-z]+)="([^"]*)"', one)) for one in re.findall(r"<shadowtime-gantt ([^>]*)>", page)]

    assert [one["run"] for one in elements] == runs and {one["group"] for one in elements} == {"compare"}
    assert [one["parts"] for one in elements] == ["bar axis scrub", "none"]
    assert "shadowtime-gantt" not in client.get(f"/compare?runs={','.join(runs)}&show=scatter").get_data(as_text=True)


def test_a_name_is_written_as_text(client, lab, finish):
    text = FOUR_SWF.replace(" 50 ", " 51 ")
    entry, _ = lab.store.workloads.add(io.BytesIO(text.encode()), "<img src=x onerror=alert(1)>.swf")
    page = client.get(f"/runs/{finish(entry.id, 'easy').digest[:16]}").get_data(as_text=True)

    assert "&lt;img src=x" in page and "<img src=x" not in page
