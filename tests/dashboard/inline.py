"""The inline scripts of a page that a browser would run."""

from __future__ import annotations

from html.parser import HTMLParser


def inline_scripts(html: str) -> list[str]:
    """Texts of the inline scripts of a page, in order."""
    reader = _Scripts()
    reader.feed(html)
    return reader.texts


class _Scripts(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=False)
        self.texts: list[str] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        runs = (given.get("type") or "text/javascript").lower().endswith(("javascript", "module"))
        self.inside = tag == "script" and "src" not in given and runs
        if self.inside:
            self.texts.append("")

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.texts[-1] += data

    def handle_endtag(self, tag: str) -> None:
        self.inside = False
