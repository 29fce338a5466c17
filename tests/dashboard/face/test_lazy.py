"""`import shadowtime` is quick: names are imported at their first use."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
import subprocess
import sys
from importlib import metadata

import pytest

import shadowtime as st
from shadowtime.dashboard import face
from shadowtime.engine import errors

HEAVY = ("numpy", "numba", "pandas", "scipy", "matplotlib", "pyarrow", "dash", "flask", "plotly", "rq", "redis")


def loaded(statements: str) -> set[str]:
    """Modules of HEAVY that a fresh Python holds after these statements."""
    code = f"{statements}\nimport sys\nprint(*(name for name in {HEAVY!r} if name in sys.modules))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(answer.stdout.splitlines()[-1].split())


@pytest.mark.parametrize(
    "statements",
    [
        "import shadowtime",
        "import shadowtime; shadowtime.__version__; dir(shadowtime)",
        "from shadowtime.dashboard.cli import main\ntry: main(['--help'])\nexcept SystemExit: pass",
    ],
)
def test_neither_the_import_nor_the_help_loads_anything_heavy(statements):
    assert loaded(statements) == set()


def test_a_simulation_loads_no_web_no_queue_and_no_pandas():
    run = "import shadowtime as st\nst.simulate(st.generate('uniform', {'jobs': 5}), 'easy').metrics()"

    assert loaded(run).isdisjoint({"pandas", "dash", "flask", "plotly", "rq", "redis"})


def test_a_web_process_at_rest_loads_no_compiler_and_nothing_that_draws_or_reads_files(tmp_path, monkeypatch):
    monkeypatch.setenv("SHADOWTIME_STORE", str(tmp_path))

    assert loaded("from shadowtime.dashboard.app import server; server()").isdisjoint(
        {"numba", "scipy", "matplotlib", "pandas", "pyarrow"}
    )


def test_the_parent_process_of_the_web_server_loads_no_page():
    """Its worker does, after the fork: with dash the parent takes 0.5 s to end."""
    assert loaded("import shadowtime.dashboard.serving.worker").isdisjoint({"dash", "plotly", "rq", "redis"})


def test_every_public_name_is_there():
    assert [name for name in st.__all__ if getattr(st, name, None) is None] == []
    assert set(st.__all__) <= set(dir(st))
    assert st.__version__ == metadata.version("shadowtime")
    with pytest.raises(AttributeError, match="has no attribute 'simulat'"):
        st.simulat  # noqa: B018


def test_errors_are_caught_by_public_names():
    with pytest.raises(st.QuestionError) as refused:
        st.generate("lublin", {"jobs": 0})
    with pytest.raises(st.SimulationError) as failed:
        st.simulate(st.generate("uniform", {"jobs": 5}, seed=1), Idle())

    assert isinstance(refused.value, st.EngineError) and isinstance(refused.value, ValueError)
    assert isinstance(failed.value, st.EngineError) and isinstance(failed.value, st.Stalled)


class Idle(st.Policy):
    """Start no job."""

    def decide(self, desk):
        pass


MODULES = [f"{face.__name__}.{module.name}" for module in pkgutil.iter_modules(face.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings_come_out_as_written(name):
    failed, _ = doctest.testmod(importlib.import_module(name))

    assert failed == 0


def test_every_public_name_has_an_example():
    finder = doctest.DocTestFinder(exclude_empty=True)
    without = []
    classes = set(vars(errors))
    for name in set(st.__all__) - {"Desk", "Platform"} - classes:
        tests = [test for test in finder.find(getattr(st, name), name) if test.name == name]
        if not any(test.examples for test in tests):
            without.append(name)

    assert without == []
