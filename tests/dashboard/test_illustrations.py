"""The illustrations of papers' pages are shipped as they are drawn, and served without the compiler."""

from __future__ import annotations

import re

from dash import html

from shadowtime.dashboard.pages import paper
from shadowtime.dashboard.papers import PAGES
from shadowtime.dashboard.papers.illustrations import FOLDER, drawn, svg
from tests.dashboard.face.test_lazy import loaded
from tests.dashboard.reading import parts

ASK = """
from shadowtime.dashboard.app import server
from shadowtime.dashboard.papers import PAGES
client = server().test_client()
for page in PAGES.values():
    for one in page.illustrations:
        for theme in ("light", "dark"):
            answer = client.get(f"/api/papers/{page.name}/files/{one.key}.svg?theme={theme}")
            assert answer.status_code == 200 and answer.data.startswith(b"<svg"), one.key
"""


def test_what_is_shipped_is_what_is_drawn():
    pictures = dict(drawn(PAGES))

    assert {path: path.read_text(encoding="utf-8") for path in FOLDER.iterdir()} == pictures, "docs/illustrations.py"


def test_a_page_keeps_the_room_of_its_pictures():
    for page in PAGES.values():
        images = [one for one in parts(paper.illustrated(page)) if isinstance(one, html.Img)]
        assert len(images) == 2 * len(page.illustrations)
        for image in images:
            key, theme = re.search(r"/files/(.+)\.svg\?theme=(\w+)", image.src).groups()
            drawn_size = re.search(r'viewBox="0 0 (\S+) (\S+)"', svg(page.name, key, theme).decode()).groups()
            assert (f"{image.width}", f"{image.height}") == drawn_size


def test_serving_them_loads_no_compiler(tmp_path, monkeypatch):
    monkeypatch.setenv("SHADOWTIME_STORE", str(tmp_path))

    assert "numba" not in loaded(ASK)
