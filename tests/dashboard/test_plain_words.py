"""Words of the pages that a stranger would not understand, or that say more than is proven, stay away."""

import ast
from pathlib import Path

import pytest

from shadowtime.dashboard.components import results
from shadowtime.dashboard.look import definitions, words
from shadowtime.engine.metrics.registry import metrics as registered

ROOT = Path(__file__).parents[2]
AVOIDED = (
    "best possible", "The question", "its own\"", "draws of seed", "Leave it", "No worker is there",
    "Known before", "Done later by", "idle although wanted", "idle despite", "Nothing was asked", "figures go",
    "question is kept", "questions are kept", "Cancelled by you", "asks for a run", "opens at once", "Mean flow",
    "Stretched more", "and which other run", "Nothing to set", "Go on", "a similar one",
)  # fmt: skip
PAGES = [
    path
    for room in ("pages", "components", "sharing", "offline")
    for path in sorted((ROOT / "dashboard" / room).glob("*.py"))
]
SCRIPTS = sorted((ROOT / "assets").rglob("*.js"))


def texts(path: Path) -> list[str]:
    """The texts of a Python file without its docstrings."""
    tree = ast.parse(path.read_text("utf-8"))
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    return [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said
    ]


def test_no_page_uses_the_words_that_puzzled_readers():
    found = {
        f"{path.name}: {word}"
        for path in (*PAGES, *SCRIPTS)
        for text in (texts(path) if path.suffix == ".py" else [path.read_text("utf-8")])
        for word in AVOIDED
        if word in text
    }

    assert found == set()


@pytest.mark.parametrize(
    ("ratio", "expected"), [(1.4871, "at most 1.49 × optimal"), (1, "at most 1.00 × optimal"), (None, "")]
)
def test_a_ratio_to_a_bound_is_a_limit(ratio, expected):
    assert words.at_most(ratio) == expected


def test_each_metric_has_one_name_and_a_formula():
    known = definitions.metrics()

    assert list(known) == list(registered())
    assert set(definitions.OF_A_RUN) == set(registered())
    assert all(one.formula for one in definitions.OF_A_RUN.values())
    titles = [metric.title for metric in known.values()]
    assert len(set(titles)) == len(titles)
    assert results.titled("mean_flow") == "Mean turnaround"
    assert results.titled("max_bounded_stretch") == "Largest bounded slowdown"
    assert not any(word in f"{one.title} {one.text}".lower() for one in known.values() for word in ("flow", "stretch"))
