"""Draws the illustrations of papers' pages: `python docs/illustrations.py`.

It is run when an illustration or a schedule in one changes; tests/dashboard/test_illustrations.py compares.
"""

from shadowtime.dashboard.papers import PAGES
from shadowtime.dashboard.papers.illustrations import FOLDER, drawn


def main() -> None:
    """Write all pictures, and remove others."""
    FOLDER.mkdir(exist_ok=True)
    pictures = dict(drawn(PAGES))
    for path in set(FOLDER.iterdir()) - pictures.keys():
        path.unlink()
    for path, content in pictures.items():
        path.write_text(content, encoding="utf-8")


if __name__ == "__main__":
    main()
