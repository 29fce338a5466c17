"""The illustrations of papers' pages are shipped as they are drawn, and served without the compiler."""

from __future__ import annotations

from shadowtime.dashboard.papers import PAGES
from shadowtime.dashboard.papers.illustrations import FOLDER, drawn
from tests.dashboard.face.test_lazy import loaded

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


def test_serving_them_loads_no_compiler(tmp_path, monkeypatch):
    monkeypatch.setenv("SHADOWTIME_STORE", str(tmp_path))

    assert "numba" not in loaded(ASK)
