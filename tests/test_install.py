"""`make install` where it cannot work: it says so, is not taken for done, and heals what it left half made."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PIP = '#!/bin/sh\necho "pip 24.0 from {folder}/.venv/lib/python3.11/site-packages/pip (python 3.11)"\n'
UV = '#!/bin/sh\nprintf "%s\\n" "$UV_BUILD_CONSTRAINT" >> "{folder}/said"\nexit 1\n'
PYTHON = "#!/bin/sh\nexit 1\n"


def program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


@pytest.fixture
def checkout(tmp_path):
    """What `make install` reads, in a folder with a blank in its name; Python and uv there install nothing."""
    folder = tmp_path / "a laboratory"
    shutil.copytree(ROOT / ".ci", folder / ".ci")
    for name in ("Makefile", "pyproject.toml", "setup.py", "constraints.txt"):
        shutil.copy2(ROOT / name, folder / name)
    for name in ("python", "shadowtime"):
        program(folder / ".venv" / "bin" / name, PYTHON)
    program(folder / ".venv" / "bin" / "pip", PIP.format(folder=folder))
    program(folder / ".venv" / "bin" / "uv", UV.format(folder=folder))  # `make` puts this folder first on PATH
    return folder


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["make", *arguments], cwd=folder, capture_output=True, text=True)


def test_an_installation_that_fails_says_so_and_is_tried_again(checkout):
    for _ in range(2):
        answer = make(checkout, "install")

        assert answer.returncode != 0
        assert "Shadowtime is not installed: see the lines above; make install tries again" in answer.stderr
        assert not (checkout / ".venv" / ".installed").exists()
    assert (checkout / "said").read_text().split() == ["constraints.txt"] * 2, "a list of files with blanks between"


def test_what_is_installed_here_is_not_installed_again(checkout):
    (checkout / ".venv" / ".installed").write_text(f"{checkout}\n")

    assert make(checkout, "--question", "install").returncode == 0
    moved = checkout.with_name("moved")
    checkout.rename(moved)
    assert make(moved, "--question", "install").returncode == 1


@pytest.mark.parametrize("trouble", ["moved", "without pip", "without python"])
def test_an_environment_that_cannot_work_is_made_again(checkout, trouble):
    there = checkout / ".venv" / "bin"
    if trouble == "moved":
        program(there / "pip", PIP.format(folder="/somewhere/else"))
    elif trouble == "without pip":
        (there / "pip").unlink()
    else:
        (there / "python").unlink()
        (there / "pip").unlink()
    python = checkout.with_name("python3.11")
    program(python, '#!/bin/sh\n[ "$1" = -c ] && exit 0\necho "$@" > made\nmkdir -p .venv/bin\nexit 1\n')

    answer = make(checkout, "install", f"PYTHON={python}")

    assert answer.returncode != 0
    assert (checkout / "made").read_text() == "-m venv --clear .venv\n"
