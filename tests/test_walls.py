"""The walls of the house, kept by reading every file: who may import whom, and what every room owes its reader."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.imports import Graph, names_in, tree

ROOT = Path(__file__).parent.parent
ROOMS = ("engine", "workers", "dashboard", "benchmarks")
HEAVY = ("dash", "dash_mantine_components", "dash_ag_grid", "plotly", "pandas", "scipy", "pyarrow", "rq", "redis")
LONGEST = 400
"""Lines of a file; more is usually two ideas sharing a room."""


def sources(*rooms: str) -> list[Path]:
    return sorted(path for room in rooms for path in (ROOT / room).rglob("*.py"))


@cache
def walked(path: Path) -> tuple[ast.AST, ...]:
    """Return the nodes of a file that a test looks at."""
    return tuple(node for node in ast.walk(tree(path)) if isinstance(node, ast.Call | ast.ExceptHandler))


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def offenders(files: list[Path], forbidden: tuple[str, ...]) -> list[str]:
    """Files that import a forbidden package, anywhere in them."""
    found = []
    for path in files:
        bad = {name for name in names_in(path)[0] if any(f"{name}.".startswith(f"{package}.") for package in forbidden)}
        if bad:
            found.append(f"{named(path)} imports {', '.join(sorted(bad))}")
    return found


ARROWS = {"engine": ("workers", "dashboard"), "workers": ("dashboard",)}
"""The rooms that each room must not reach: imports only look back along engine, workers, dashboard."""
WEB = {"dash", "flask", "plotly", "werkzeug", "gunicorn"}
QUEUE_AND_DISK = {"redis", "rq", "sqlite3", "requests"}
GRAPH = Graph(ROOT, ("engine", "workers", "dashboard"))
LOADED = Graph(ROOT, ("engine", "workers", "dashboard"), loading=True)
"""The imports that run when a module is imported."""


def test_no_modules_import_each_other_in_a_circle():
    assert len(GRAPH.modules) > 300
    assert "\n".join(" <-> ".join(ring) for ring in GRAPH.circles()) == ""


@pytest.mark.parametrize(("room", "later"), [(room, later) for room, some in ARROWS.items() for later in some])
def test_no_room_reaches_a_later_one(room, later):
    assert GRAPH.under(room) and GRAPH.under(later)
    assert not GRAPH.path(GRAPH.under(room), GRAPH.under(later))


def test_the_engine_reaches_no_web_no_queue_and_no_disk():
    loaded = GRAPH.outside(GRAPH.under("engine"))

    assert "numpy" in loaded
    assert not loaded & (WEB | QUEUE_AND_DISK)


def test_workers_reach_no_web():
    loaded = GRAPH.outside(GRAPH.under("workers"))

    assert "rq" in loaded
    assert not loaded & WEB


def test_figures_reach_neither_dash_nor_store():
    figures = GRAPH.under("dashboard.figures")
    loaded = GRAPH.outside(figures)

    assert "plotly" in loaded
    assert not GRAPH.path(figures, GRAPH.under("workers"))
    assert not loaded & (QUEUE_AND_DISK | WEB - {"plotly"})


QUEUES = ("workers/queue.py", "workers/worker.py", "workers/shared_fork.py", "workers/site_queue.py")


def test_only_queues_and_workers_import_rq():
    files = [path for path in sources(*ROOMS) if named(path) not in QUEUES]

    assert not offenders(files, ("rq",))


def test_the_command_line_loads_nothing_heavy_before_a_command_runs():
    commands = LOADED.under("dashboard.cli")

    assert len(commands) > 10
    assert not LOADED.path(commands, LOADED.under("engine", "workers"))
    assert not LOADED.outside(commands) & {*HEAVY, "numpy", "numba"}


def test_the_engine_loads_nothing_heavy_before_it_is_needed():
    """The readers of large tables use pyarrow; they are imported inside a function, when such a file is read."""
    of_slurm = (f"engine.workload.slurm.{name}" for name in ("accounting", "values", "json_jobs", "submitted"))
    tables = (f"engine.workload.sites.tables.{name}" for name in ("jobs", "reader", "values"))
    readers = LOADED.under("engine.workload.sites.csv_table", *of_slurm, *tables)
    others = LOADED.under("engine") - readers

    assert not LOADED.reach(others) & readers
    assert not LOADED.outside(others) & set(HEAVY)
    assert LOADED.outside(readers) & set(HEAVY) == {"pyarrow"}


def test_nothing_reads_pickles_or_runs_text():
    assert not offenders(sources(*ROOMS), ("pickle", "marshal", "shelve", "dill", "jsonpickle"))
    found = []
    for path in sources(*ROOMS):
        for node in walked(path):
            if isinstance(node, ast.Call):
                called = node.func.id if isinstance(node.func, ast.Name) else ""
                switched_on = {word.arg for word in node.keywords if getattr(word.value, "value", True)}
                if called in ("eval", "exec") or switched_on & {"shell", "allow_pickle"}:
                    found.append(f"{named(path)}:{node.lineno}")

    assert not found


def test_no_handler_swallows_every_error():
    found = []
    for path in sources(*ROOMS):
        for node in walked(path):
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
