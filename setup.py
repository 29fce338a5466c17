"""The packages of the one installed name: `shadowtime` is this folder, and its rooms are below it."""

from setuptools import find_packages, setup

ROOMS = find_packages(include=["engine*", "workers*", "dashboard*"])

setup(
    package_dir={"shadowtime": "."},
    packages=["shadowtime", *(f"shadowtime.{room}" for room in ROOMS)],
)
