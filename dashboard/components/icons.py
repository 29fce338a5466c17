"""Icons: the outlines of `assets/icons.svg` as masks (`.st-icon` in base.css), so that an icon takes its text's colour.

python -m shadowtime.dashboard.components.icons        # writes assets/icons.css
"""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

from dash import html

from shadowtime.dashboard.components.attributes import attributes

ASSETS = Path(__file__).resolve().parents[2] / "assets"
SPRITE, ICONS_CSS = ASSETS / "icons.svg", ASSETS / "icons.css"


def shapes() -> dict[str, str]:
    """Name of each icon and what is inside its symbol."""
    return dict(re.findall(r'<symbol id="([^"]+)">(.*?)</symbol>', SPRITE.read_text(encoding="utf-8")))


def css() -> str:
    """The text of `assets/icons.css`: every outline as a data address, so that none is fetched."""
    head = re.search(r"<svg[^>]*>", SPRITE.read_text(encoding="utf-8"))
    assert head, f"{SPRITE} holds no <svg>"
    lines = ["/* Written by `python -m shadowtime.dashboard.components.icons` from icons.svg (Tabler Icons, MIT). */"]
    for name, shape in shapes().items():
        address = quote(f"{head[0]}{shape}</svg>", safe=" =:/'")
        lines.append(f'.st-icon-{name} {{ --st-shape: url("data:image/svg+xml,{address}"); }}')
    return "\n".join(lines) + "\n"


def icon(name: str, size: int = 16, className: str = "") -> html.Span:
    """One icon; a word beside it, or the label of its button, names its meaning."""
    style = {} if size == 16 else {"width": size, "height": size}
    classes = f"st-icon st-icon-{name} {className}".strip()
    return html.Span(className=classes, style=style, **attributes({"aria-hidden": "true"}))


if __name__ == "__main__":
    ICONS_CSS.write_text(css(), encoding="utf-8")
