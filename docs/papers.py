"""Write docs/explanation/papers from the results that the package holds: `python docs/papers.py`.

With names, compute those first:

    python docs/papers.py --compute measy demt   # full scale, ships the results, then writes all pages
    make papers                                  # all of them; resumes after a stop

`tests/test_docs.py` compares the pages with the shipped results, so docs and web pages show the same numbers.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from shadowtime.dashboard.figures.publication import publish
from shadowtime.dashboard.papers import PAGES
from shadowtime.workers.papers.kept import shipped
from shadowtime.workers.papers.report import study_markdown

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "explanation" / "papers"
SHIPPED = ROOT / "workers" / "papers" / "shipped"
SCALE = "full"


def result_of(name: str) -> dict[str, Any] | None:
    """Return the shipped result of a paper at the largest scale that there is."""
    return shipped(name, SCALE) or shipped(name, "quick")


def names() -> list[str]:
    """Return the papers with a shipped result."""
    return [name for name in PAGES if result_of(name)]


def page(name: str) -> str:
    """Return the document of a paper: illustrations, figures, and its studies as Markdown."""
    result = result_of(name)
    assert result is not None
    made = f"Engine {result['engine_version']}, {result['scale']} scale, {result['made'][:10]}"
    lines = [f"{made}. Written by `docs/papers.py`.", ""]
    for picture in PAGES[name].illustrations:
        lines += [f"![{picture.title}]({name}/{picture.key}.svg)", "", picture.caption, ""]
    for drawing in PAGES[name].drawings(result["studies"]):
        lines += [f"![{drawing.title}]({name}/{drawing.key}.svg)", ""]
    first, *others = (study_markdown(study) for study in result["studies"])
    title, _, rest = first.partition("\n")
    return "\n".join([title, "", *lines]) + rest + "".join(f"\n{other}" for other in others)


def write() -> None:
    """Write the documents and their pictures; pictures without a figure are removed."""
    for name in names():
        result = result_of(name)
        assert result is not None
        (FOLDER / f"{name}.md").write_text(page(name), encoding="utf-8")
        folder = FOLDER / name
        folder.mkdir(exist_ok=True)
        made = {f"{one.key}.svg": one.draw().svg("light").encode() for one in PAGES[name].illustrations}
        made |= {f"{one.key}.svg": publish(one, "svg") for one in PAGES[name].drawings(result["studies"])}
        for old in folder.glob("*.svg"):
            if old.name not in made:
                old.unlink()
        for file, content in made.items():
            (folder / file).write_bytes(content)


def main(arguments: list[str]) -> int:
    """Compute what `--compute` names, or everything after `--compute all`, then write the documents."""
    if arguments[:1] == ["--compute"]:
        for name in list(PAGES) if arguments[1:] == ["all"] else arguments[1:]:
            command = ["shadowtime", "paper", name, "--scale", SCALE, "--ship", str(SHIPPED)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return subprocess.run([sys.executable, __file__], check=True).returncode
    write()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
