"""The walls of the house, kept by reading every file: who may import whom, and what every room owes its reader."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
ROOMS = ("engine", "workers", "dashboard", "benchmarks")
HEAVY = ("dash", "dash_mantine_components", "dash_ag_grid", "plotly", "pandas", "scipy", "pyarrow", "rq", "redis")
LONGEST = 400
"""Lines of a file; more is usually two ideas sharing a room."""


def sources(*rooms: str) -> list[Path]:
    return sorted(path for room in rooms for path in (ROOT / room).rglob("*.py"))


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imports(nodes: Iterator[ast.AST]) -> set[str]:
    """Dotted names of all modules that `nodes` import."""
    names = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: a relative import hides where it looks"
            names.add(node.module or "")
    return names


def at_import(module: ast.Module) -> Iterator[ast.AST]:
    """Nodes that run when the module is imported: all but the bodies of functions and `if TYPE_CHECKING`."""
    stack: list[ast.AST] = [module]
    while stack:
        node = stack.pop()
        yield node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            continue
        stack.extend(ast.iter_child_nodes(node))


def offenders(files: list[Path], forbidden: tuple[str, ...], *, loading: bool = False) -> list[str]:
    """Files that import a forbidden package (anywhere in them, or only while they are loaded)."""
    found = []
    for path in files:
        module = tree(path)
        names = imports(at_import(module) if loading else ast.walk(module))
        bad = {name for name in names if any(f"{name}.".startswith(f"{package}.") for package in forbidden)}
        if bad:
            found.append(f"{named(path)} imports {', '.join(sorted(bad))}")
    return found


def test_engine_imports_nothing_of_workers_or_dashboard():
    assert not offenders(sources("engine"), ("shadowtime.workers", "shadowtime.dashboard"))


def test_engine_knows_no_web_and_no_queue():
    assert not offenders(sources("engine"), ("dash", "flask", "plotly", "redis", "rq", "sqlite3", "requests"))


def test_workers_import_nothing_of_the_dashboard():
    assert not offenders(sources("shadowtime.workers"), ("shadowtime.dashboard", "dash", "flask", "plotly"))


def test_figures_import_neither_dash_nor_store():
    assert not offenders(sources("dashboard/figures"), ("dash", "flask", "shadowtime.workers"))


QUEUES = ("workers/queue.py", "workers/worker.py", "workers/site_queue.py")


def test_only_queues_and_workers_import_rq():
    files = [path for path in sources(*ROOMS) if named(path) not in QUEUES]

    assert not offenders(files, ("rq",))


def test_the_command_line_loads_nothing_heavy_before_it_is_asked():
    assert not offenders(
        sources("dashboard/cli"), (*HEAVY, "numpy", "numba", "shadowtime.engine", "shadowtime.workers"), loading=True
    )
    assert not offenders([ROOT / "dashboard/__init__.py", *sources("engine")], HEAVY, loading=True)


def test_nothing_reads_pickles_or_runs_text():
    assert not offenders(sources(*ROOMS), ("pickle", "marshal", "shelve", "dill", "jsonpickle"))
    found = []
    for path in sources(*ROOMS):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call):
                called = node.func.id if isinstance(node.func, ast.Name) else ""
                switched_on = {word.arg for word in node.keywords if getattr(word.value, "value", True)}
                if called in ("eval", "exec") or switched_on & {"shell", "allow_pickle"}:
                    found.append(f"{named(path)}:{node.lineno}")

    assert not found


def test_no_handler_swallows_every_error():
    found = []
    for path in sources(*ROOMS):
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.ExceptHandler):
                caught = getattr(node.type, "id", None) if node.type else "BaseException"
                silent = all(isinstance(line, ast.Pass) for line in node.body)
                if caught in ("Exception", "BaseException") and silent:
                    found.append(f"{named(path)}:{node.lineno}")

    assert not found


def public(module: ast.Module) -> Iterator[ast.FunctionDef | ast.ClassDef]:
    """Functions and classes of a module, and methods of its public classes, that a reader may use."""
    for node in module.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node


@pytest.mark.parametrize("path", sources("engine", "workers"), ids=named)
def test_every_public_name_says_what_it_is(path):
    module = tree(path)
    if not module.body:
        return

    assert ast.get_docstring(module), f"{named(path)} does not say what it is"
    assert not [f"line {node.lineno}: {node.name}" for node in public(module) if not ast.get_docstring(node)]


@pytest.mark.parametrize("path", sources(*ROOMS, "tests"), ids=named)
def test_files_hold_one_idea(path):
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST
