"""The style sheets: those of `assets/`, and two made of tables, tokens.css (`theme`) and icons.css (icons.svg)."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

from shadowtime.dashboard.look import theme

SPRITE = Path(__file__).resolve().parents[2] / "assets" / "icons.svg"


def sheets(folder: Path) -> dict[str, str]:
    """Return all style sheets by name."""
    found = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.css")}
    return dict(sorted({**found, "tokens.css": theme.css(), "icons.css": icons()}.items()))


def shapes() -> dict[str, str]:
    """Name of each icon and what is inside its symbol."""
    return dict(re.findall(r'<symbol id="([^"]+)">(.*?)</symbol>', SPRITE.read_text(encoding="utf-8")))


def icons() -> str:
    """Return every outline as a mask, whose data address spares a request."""
    head = re.search(r"<svg[^>]*>", SPRITE.read_text(encoding="utf-8"))
    assert head, f"{SPRITE} holds no <svg>"
    rules = ["/* The outlines of icons.svg (Tabler Icons, MIT). */"]
    for name, shape in shapes().items():
        address = quote(f"{head[0]}{shape}</svg>", safe=" =:/'")
        rules.append(f'.st-icon-{name} {{ --st-shape: url("data:image/svg+xml,{address}"); }}')
    return "\n".join(rules) + "\n"
