"""The packages of the one installed name: `shadowtime` is this folder, and its rooms are below it."""

import os
import subprocess
import sys
from pathlib import Path

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
ROOMS = find_packages(include=["engine*", "workers*", "dashboard*"])
MANUAL_SOURCES = ("docs", "dashboard/face", "mkdocs.yml", "CHANGELOG.md", "CONTRIBUTING.md")
"""Files and folders that the documentation is made of."""


class Modules(build_py):
    """Leave this file out, which is no module of the package, and add the documentation as pages."""

    def find_package_modules(self, package, package_dir):
        """Return (package, module, path) of every module but `setup`."""
        return [found for found in super().find_package_modules(package, package_dir) if found[1] != "setup"]

    def run(self):
        """Build; the pages go into the wheel, or beside the sources that an editable installation serves."""
        super().run()
        if not self.editable_mode:
            manual(Path(self.build_lib).resolve() / "shadowtime" / "manual")
        elif is_older(ROOT / "manual" / "index.html"):
            manual(ROOT / "manual")


def manual(folder):
    """Build the documentation; without it the product works all the same, and says under /docs what is missing."""
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--no-strict", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    if subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode:
        print("the documentation was not built: make docs says why", file=sys.stderr)


def is_older(page):
    """Whether a built page is missing, or older than a source of the documentation."""
    found = [path for name in MANUAL_SOURCES for path in (ROOT / name, *(ROOT / name).rglob("*.*"))]
    sources = [path for path in found if path.is_file() and path.suffix != ".pyc"]
    return not page.exists() or any(page.stat().st_mtime < path.stat().st_mtime for path in sources)


setup(
    cmdclass={"build_py": Modules},
    package_dir={"shadowtime": "."},
    packages=["shadowtime", *(f"shadowtime.{room}" for room in ROOMS)],
)
