"""Writes the tables in README.md and docs/ that the registries know better: `python docs/tables.py`.

A table stands between `<!-- NAME -->` and `<!-- end -->`; tests/test_docs.py compares.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from shadowtime.engine.metrics.registry import metrics
from shadowtime.engine.parameters import Parameter
from shadowtime.engine.registry import algorithms, conversions, generators

ROOT = Path(__file__).resolve().parent.parent
FILES = ("README.md", "docs/reference/metrics.md", "docs/reference/workloads.md", "docs/reference/algorithms.md")
BLOCK = re.compile(r"(<!-- (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


FRACTIONAL = "greedyp*/per/opt=min/minvt=600"
"""Stands for its family, whose names are built of parts."""
SHARES = "Nodes are shared in fractions, jobs paused, moved and packed again; names say when and how"


def algorithm_table() -> str:
    """Name, idea, what it takes, paper; one row for all that share nodes."""
    rows = []
    for a in algorithms().values():
        if a.kinds == ("fractional",):
            if a.slug == FRACTIONAL:
                name = f"`{a.slug}` and 115 others"
                rows.append((f"{name}: [their names](docs/explanation/fractional.md)", SHARES, "fractional", a.source))
            continue
        rows.append((f"`{a.slug}`", a.summary, ", ".join(a.kinds), a.source))
    return table(("algorithm", "what it does", "takes", "after"), rows)


def algorithm_pages() -> str:
    """Each algorithm with its guarantee and parameters."""
    parts = []
    for entry in algorithms().values():
        guarantee = entry.guarantee({})
        proven = f"\n\nProven: {guarantee}" if guarantee else ""
        note = " It knows true runtimes." if entry.clairvoyant else ""
        parts.append(
            f"## {entry.title} (`{entry.slug}`)\n\n{entry.summary}.{note} Source: {sentence(entry.source)}{proven}\n\n"
        )
        parts.append(parameter_table(entry.parameters) + "\n")
    return "".join(parts).rstrip("\n") + "\n"


def metric_table() -> str:
    """Name, unit, meaning."""
    rows = (
        (f"`{m.name}`", m.title, m.unit or "1", m.better, m.text + (f" Only {', '.join(m.kinds)}." if m.kinds else ""))
        for m in metrics().values()
    )
    return table(("name", "title", "unit", "better", "what it is"), rows)


def generator_pages() -> str:
    """Each generator with its parameters."""
    return "".join(
        f"### {entry.title} (`{entry.slug}`)\n\n{sentence(entry.summary)} Source: {sentence(entry.source)}\n\n"
        f"{parameter_table(entry.parameters)}\n"
        for entry in generators().values()
    )


def conversion_pages() -> str:
    """Each conversion with its parameters."""
    return "".join(
        f"### {entry.title} (`{entry.slug}`)\n\n{sentence(entry.summary)}\n\n{parameter_table(entry.parameters)}\n"
        for entry in conversions().values()
    )


def parameter_table(parameters: Iterable[Parameter]) -> str:
    """Name, default, rule, meaning."""
    rows = [
        (f"`{p.name}`", "must be given" if p.default is None else f"`{p.default}`", p.rule(), p.text)
        for p in parameters
    ]
    return table(("parameter", "default", "may be", "what it does"), rows) if rows else "It has no parameters.\n"


TABLES: dict[str, Callable[[], str]] = {
    "algorithms": algorithm_table,
    "algorithm_pages": algorithm_pages,
    "metrics": metric_table,
    "generators": generator_pages,
    "conversions": conversion_pages,
}


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    lines = [tuple(head), *(tuple(row) for row in rows)]
    lines.insert(1, ("---",) * len(lines[0]))
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def sentence(text: str) -> str:
    """`text` with its full stop."""
    return text if text.endswith(".") else text + "."


def filled(text: str) -> str:
    """`text` with all its tables as the registries have them now."""
    return BLOCK.sub(lambda block: block[1] + TABLES[block[2]]() + block[3], text)


if __name__ == "__main__":
    for name in FILES:
        path = ROOT / name
        path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
