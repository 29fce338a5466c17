"""Plug-ins of the registry: when they are loaded, and what a broken one ends with."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

SOURCE = """
import shadowtime as st
from shadowtime.engine import registry
from shadowtime.engine.algorithm import Algorithm
from shadowtime.engine.families.family import Family
from shadowtime.engine.runner.makers import Scripted

assert "easy" in registry.algorithms()


class First(st.Policy):
    def decide(self, desk):
        for job in desk.waiting:
            if desk.size(job) <= len(desk.free_lanes()):
                desk.place(job, desk.free_lanes()[: desk.size(job)])


class MyPolicies(Family):
    name = "{name}"
    title = "My policies"
    summary = "Policies for rigid jobs."
    algorithms = (
        Algorithm(slug="first-fit-own", family="{name}", title="First", summary="The first that fits", source="",
                  kinds=("rigid",), parameters=(), runner=Scripted(First)),
    )


FAMILY = MyPolicies()
"""
USES = """
from shadowtime.engine import generate
from shadowtime.engine.errors import PluginError
for _ in range(3):
    try:
        print(generate("uniform", {"jobs": 5}, seed=1))
    except PluginError as error:
        print(error)
"""


def printed(folder, source: str, code: str, entry: str = "my-policies") -> list[str]:
    """Return the lines that a process prints where the module `my_policies` is an installed plug-in."""
    site = folder / "site"
    (site / "my_policies-1.0.dist-info").mkdir(parents=True)
    (site / "my_policies.py").write_text(source)
    (site / "my_policies-1.0.dist-info" / "METADATA").write_text("Name: my-policies\nVersion: 1.0\n")
    points = f"[shadowtime.families]\n{entry} = my_policies:FAMILY\n"
    (site / "my_policies-1.0.dist-info" / "entry_points.txt").write_text(points)
    path = os.pathsep.join([str(site), *sys.path])
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": path}, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.parametrize("entry", ["my-policies", "rigid"])
def test_the_module_of_a_plugin_is_imported_like_any_other(tmp_path, entry):
    code = "import my_policies\nfrom shadowtime.engine.registry import find, families\n"
    code += "print(find('first-fit-own').family, families()['my-policies'] is my_policies.FAMILY)"

    assert printed(tmp_path, SOURCE.replace("{name}", "my-policies"), code, entry) == ["my-policies True"]


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("\n1 / 0", "ZeroDivisionError: division by zero in {file}, line 2"),
        ("import sys\nsys.exit(3)", "SystemExit: 3 in {file}, line 2"),
        (SOURCE.replace("{name}", "rigid"), "ValueError: there is a family 'rigid' already"),
    ],
)
def test_each_use_names_the_plugin_that_cannot_be_loaded(tmp_path, source, reason):
    lines = printed(tmp_path, source, USES)

    sentence = "the plug-in my_policies:FAMILY (shadowtime.families) cannot be loaded: "
    assert len(lines) == 3 and len(set(lines)) == 1
    assert lines[0].startswith(sentence + reason.format(file=tmp_path / "site" / "my_policies.py"))
