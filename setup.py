"""The packages of the one installed name: `shadowtime` is this folder, and its rooms are below it."""

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

ROOMS = find_packages(include=["engine*", "workers*", "dashboard*"])


class Modules(build_py):
    """Leave this file out: it stands in the folder of the package but is no module of it."""

    def find_package_modules(self, package, package_dir):
        """Return (package, module, path) of every module but `setup`."""
        return [found for found in super().find_package_modules(package, package_dir) if found[1] != "setup"]


setup(
    cmdclass={"build_py": Modules},
    package_dir={"shadowtime": "."},
    packages=["shadowtime", *(f"shadowtime.{room}" for room in ROOMS)],
)
