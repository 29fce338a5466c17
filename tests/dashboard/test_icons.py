"""The sheet of icons is made from the sprite, and a page never names an icon that is not in it."""

import ast
import re
from pathlib import Path

from shadowtime.dashboard.components import icons
from shadowtime.dashboard.look import sheets, theme

ROOT = Path(icons.__file__).parents[2]


def named_icons() -> set[str]:
    """First argument of every call of `icon(...)` in the dashboard that is written out."""
    names = set()
    for path in (ROOT / "dashboard").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "icon" and node.args:
                first = node.args[0]
                names |= {first.value} if isinstance(first, ast.Constant) else set()
    return names


def test_the_style_sheet_has_every_icon_and_every_token():
    text = "".join(sheets.sheets(ROOT / "assets").values())

    assert set(re.findall(r"\.st-icon-([a-z0-9-]+) \{ --st-shape:", text)) == set(sheets.shapes())
    assert [name for name in theme.tokens(theme.LIGHT) if text.count(f"  --st-{name}: #") != 2] == []


def test_every_icon_that_a_page_names_is_in_the_sprite():
    assert named_icons() <= set(sheets.shapes())


def test_every_icon_that_browser_code_names_is_in_the_sprite():
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "assets").rglob("*.js"))
    named = set(re.findall(r"st-icon-([a-z0-9-]+)", text))
    made = {
        second or first
        for first, second in re.findall(r'\b(?:icon\("([a-z0-9-]+)"|notice\("\w*", "([a-z0-9-]+)")', text)
    }
    assert {"x", "circle-x", "alert-triangle", "key"} <= made <= set(sheets.shapes())
    begun = {name for name in named if name.endswith("-")}  # the rest of the name is put there by the code

    assert named - begun <= set(sheets.shapes())
    assert all(any(shape.startswith(begin) for shape in sheets.shapes()) for begin in begun)


def test_an_icon_is_hidden_from_readers_of_the_page():
    assert icons.icon("plus").to_plotly_json()["props"]["aria-hidden"] == "true"
