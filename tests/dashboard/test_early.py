"""What the server writes into a page of runs, so that it is drawn before Dash starts."""

from __future__ import annotations

import gzip
from pathlib import Path

import dash_mantine_components as dmc
import pytest
from dash import dcc, html

from shadowtime.dashboard import app as site
from shadowtime.dashboard.bundles import BOOT, FOREVER, PAGES, VIEWER, Bundles
from shadowtime.dashboard.early import html_of
from tests.dashboard.inline import inline_scripts


@pytest.fixture
def client(lab):
    return site.create_app(lab.store, lab.queue, lab.settings).server.test_client()


def test_components_are_written_as_the_browser_would_show_them():
    tree = html.Div(
        [
            html.Span("a < b", className="x", hidden=True, style={"width": 12, "flexGrow": 2, "--st-x": 3}),
            dcc.Link(["to ", html.B("it")], href="/runs"),
            dcc.Store(id="kept", data={"a": 1}),
            dmc.Menu([dmc.MenuTarget(html.Button("More")), dmc.MenuDropdown([dmc.MenuItem("Delete")])]),
            html.Br(id="left-out"),
            None,
            3.5,
        ],
        id="viewer",
        **{"data-run": 'a"b', "aria-label": "All"},
    )

    assert html_of(tree) == (
        '<div aria-label="All" data-run="a&quot;b" id="viewer">'
        '<span class="x" hidden style="width:12px;flex-grow:2;--st-x:3">a &lt; b</span>'
        '<a href="/runs">to <b>it</b></a><button>More</button><br>3.5</div>'
    )


def test_an_address_that_is_a_script_is_not_written():
    assert html_of(html.A("x", href="javascript:alert(1)")) == "<a>x</a>"


def test_a_page_of_a_run_holds_its_schedule_and_starts_dash_after_it(client, finish, four):
    run = finish(four, "easy").digest[:16]
    page = client.get(f"/runs/{run}").get_data(as_text=True)
    early, waiting = page.index('<div id="early">'), page.index('<template id="dash">')

    assert f'data-run="{run}"' in page[early:waiting]
    assert VIEWER in page[early:waiting] and "dash_renderer" not in page[:waiting]
    assert "dash_renderer" in page[waiting:] and page.rindex(BOOT) > page.index("</template>")
    assert '<body data-page="run">' in page
    assert inline_scripts(page) == inline_scripts(client.get("/").get_data(as_text=True))


@pytest.mark.parametrize("address", ["/", "/runs", "/runs/0123456789abcdef", "/algorithms", "/compare"])
def test_a_page_without_schedules_is_as_dash_sends_it(client, address):
    page = client.get(address).get_data(as_text=True)

    assert 'id="early"' not in page and "<template" not in page
    assert page.index("react@18") < page.index(PAGES) < page.index("dash_renderer")


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
