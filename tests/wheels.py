"""Pythons of this machine, and environments that hold nothing but a wheel of ours with what it needs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from email import message_from_bytes
from pathlib import Path

ROOT = Path(__file__).parent.parent
LEAST = (3, 11)
NAMES = tuple(f"python3.{minor}" for minor in range(LEAST[1], 20))
ASKED = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2], sys.implementation.name)"


def ours() -> dict[str, Path]:
    """Return the Python of these tests, by its version."""
    return {".".join(map(str, sys.version_info[:2])): Path(sys.executable)}


def pythons() -> dict[str, Path]:
    """Every CPython from 3.11 on that is there, by its version: ours, on PATH, and those of pyenv and uv."""
    folders = [Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"]
    folders.append(Path(os.environ.get("UV_PYTHON_INSTALL_DIR") or Path.home() / ".local/share/uv/python"))
    places = [path for folder in folders for path in sorted(folder.glob("*/bin/python3"))]
    places += [Path(found) for name in NAMES if (found := shutil.which(name))]
    known = ours()
    for place in places:
        answer = subprocess.run([place, "-c", ASKED], capture_output=True, text=True, check=False)
        version, _, kind = answer.stdout.strip().partition(" ")
        if kind == "cpython" and tuple(map(int, version.split("."))) >= LEAST:
            known.setdefault(version, place)
    return known


def uv() -> str | None:
    """The program uv, where it is: ten times as fast as pip."""
    beside = Path(sys.executable).with_name("uv")
    return str(beside) if beside.exists() else shutil.which("uv")


def build(folder: Path) -> tuple[Path, Path]:
    """Build the sdist, and the wheel from the sdist; give wheel and sdist."""
    installer = ["--installer", "uv"] if uv() else []
    environment = {**os.environ, "PATH": os.pathsep.join([str(Path(uv() or ".").parent), os.environ["PATH"]])}
    subprocess.run(
        [sys.executable, "-m", "build", *installer, "--outdir", str(folder), str(ROOT)],
        check=True, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    return next(folder.glob("*.whl")), next(folder.glob("*.tar.gz"))


def requirements(wheel: Path) -> list[str]:
    """Return what a wheel requires, but for its extras."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        found = message_from_bytes(archive.read(name)).get_all("Requires-Dist", [])
    return [one for one in found if "extra ==" not in one]


def install(python: Path, folder: Path, *what: str | Path) -> Path:
    """Make an empty environment of this Python in `folder` and install into it; give the environment's Python."""
    inside = folder / "bin" / "python"
    program = uv()
    if program:
        run([program, "venv", "-q", "--python", python, folder])
        run([program, "pip", "install", "-q", "--python", inside, *what])
    else:
        run([python, "-m", "venv", folder])
        run([inside, "-m", "pip", "install", "-q", "--disable-pip-version-check", *what])
    return inside


def run(command: list, **options) -> str:
    """Standard output of a command; where it fails, an error that says what it said."""
    answer = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **options)
    assert answer.returncode == 0, f"{command}\n{answer.stdout}\n{answer.stderr}"
    return answer.stdout
