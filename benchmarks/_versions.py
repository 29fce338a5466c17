"""Run a program in the present tree and in a checkout of another commit, in turns."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RELEASE = "e5d00eb"
"""The last release."""
ROUNDS = 3
Figures = dict[str, float]


def in_turns(
    program: str, commit: str, folder: Path, arguments: Sequence[str] = (), rounds: int = ROUNDS
) -> tuple[Figures, Figures, Figures]:
    """Return the least figures of this tree, those of the other commit, and the ratios of ours to the other's.

    program: file beside this one that prints a JSON object of figures; its last argument is an empty folder of its own.
    A figure that one of the two lacks has no ratio.
    """
    pythons = {"ours": scratch(folder / "ours", ROOT), "other": scratch(folder / "other", checkout(folder, commit))}
    measured: dict[str, list[Figures]] = {who: [] for who in pythons}
    for number in range(rounds):
        for who, python in pythons.items():
            own = folder / f"{who}-{number}"
            own.mkdir()
            command = [str(python), "-P", str(Path(__file__).parent / program), *arguments, str(own)]
            environment = {**os.environ, "SHADOWTIME_CACHE": str(folder / "compiled")}
            done = subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=True)
            measured[who].append(json.loads(done.stdout))
    ours, other = ({name: min(one[name] for one in some) for name in some[0]} for some in measured.values())
    return ours, other, {name: ours[name] / other[name] for name in ours if name in other}


def checkout(folder: Path, commit: str) -> Path:
    """Return a checkout of the commit in `folder`."""
    tree = folder / "tree"
    subprocess.run(["git", "clone", "-q", "--shared", "--no-checkout", str(ROOT), str(tree)], check=True)
    subprocess.run(["git", "-C", str(tree), "checkout", "-q", commit], check=True)
    return tree


def scratch(folder: Path, tree: Path) -> Path:
    """Return the Python of a new environment with the code of `tree` and the libraries of this process.

    Lines of a .pth file are paths; .pth files in those paths are not read, so the installed Shadowtime stays out.
    """
    venv.create(folder, with_pip=False, symlinks=True)
    code = tree
    if (tree / "__init__.py").exists():  # the package `shadowtime` is the tree itself; of old, its rooms were packages
        code = folder / "code"
        code.mkdir()
        (code / "shadowtime").symlink_to(tree)
    libraries = [path for path in sys.path if path.endswith("site-packages")]
    site = next(folder.glob("lib/python*/site-packages"))
    (site / "versions.pth").write_text("\n".join([str(code), *libraries]) + "\n")
    return folder / "bin" / "python"
