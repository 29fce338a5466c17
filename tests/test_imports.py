"""The graph of imports sees what it is made to see, on a small tree of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.imports import Graph


@pytest.fixture
def toy(tmp_path: Path):
    """A function that writes modules and returns their graph."""

    def write(**files: str) -> Graph:
        for name, text in files.items():
            path = tmp_path / f"{name.replace('__', '/')}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            (path.parent / "__init__.py").touch()
        return Graph(tmp_path, ("a", "b"), "toy")

    return write


def test_a_circle_through_a_function_is_found(toy):
    late = "def late():\n    from toy.a import three"
    graph = toy(a__one="import toy.a.two", a__two=late, a__three="import toy.a.one")

    assert graph.circles() == [["toy.a.one", "toy.a.three", "toy.a.two"]]
    assert Graph(graph.root, graph.folders, "toy", loading=True).circles() == []


def test_what_only_types_need_makes_no_circle(toy):
    guard = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import toy.a.one"

    assert toy(a__one="import toy.a.two", a__two=guard).circles() == []


def test_a_module_that_imports_itself_through_its_package_is_found(toy):
    graph = toy(a__one="from toy.b import thing", b__two="from toy.a.one import other")
    (graph.root / "b" / "__init__.py").write_text("from toy.b.two import thing")

    assert graph.circles() == [["toy.a.one", "toy.b", "toy.b.two"]]


def test_modules_of_others_are_found_behind_several_imports_and_packages(toy):
    graph = toy(a__one="from toy.b.two import thing", b__two="", b__three="import dash.html")
    (graph.root / "b" / "__init__.py").write_text("def late():\n    from toy.b import three")

    assert graph.outside(["toy.a.one"]) == {"dash"}
    assert graph.path(["toy.a.one"], ["toy.b.three"]) == ["toy.a.one", "toy.b.two", "toy.b", "toy.b.three"]
    assert graph.path(["toy.b.three"], ["toy.a.one"]) == []
    assert graph.under("b") == {"toy.b", "toy.b.two", "toy.b.three"}
