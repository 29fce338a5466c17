"""What is broken around a command: a plug-in that cannot be imported, a store that cannot be made."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PLUGIN = Path(__file__).parents[2] / "plugin"


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        ("def x(", "SyntaxError: '(' was never closed in {file}, line 1"),
        ("\nimport missing_thing", "ModuleNotFoundError: No module named 'missing_thing' in {file}, line 2"),
        ("x = 1", "AttributeError: module 'licensed_jobs' has no attribute 'FAMILY'"),
        ("FAMILY = 1", "licensed_jobs:FAMILY (shadowtime.families) is no Family, but int"),
    ],
)
def test_a_plug_in_that_cannot_be_loaded_is_one_sentence(tmp_path, source, reason):
    shutil.copytree(PLUGIN, tmp_path / "site")
    file = tmp_path / "site" / "licensed_jobs" / "__init__.py"
    file.write_text(source)

    path = os.pathsep.join([str(tmp_path / "site"), *sys.path])
    command = [sys.executable, "-m", "shadowtime.dashboard.cli", "list", "generators"]
    answer = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": path})

    assert (answer.returncode, answer.stdout) == (1, "")
    assert answer.stderr.count("\n") == 1 and reason.format(file=file) in answer.stderr


def test_a_store_that_cannot_be_made_is_one_sentence(shadowtime, monkeypatch):
    monkeypatch.setenv("SHADOWTIME_STORE", "/proc/x")

    answer = shadowtime("paper", "measy", "--keep")

    assert answer.code == 2
    assert answer.err.startswith("the folder of the store, /proc/x, cannot be made (no such file or directory)")
