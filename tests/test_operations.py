"""What `docs/how-to/operations.md` gives to those who run a laboratory fits the laboratory of today."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from shadowtime.workers.settings import Settings

ROOT = Path(__file__).parent.parent
HERE = ROOT / "docs" / "operations"
UNITS = sorted(HERE.glob("*.service"))
DOCUMENTS = [ROOT / "README.md", ROOT / "Makefile", *(ROOT / "docs").rglob("*.md"), *HERE.iterdir()]


def settings_table() -> dict[str, str]:
    """The default that `docs/reference/settings.md` gives each variable."""
    text = (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| `(\w+)` \| (.*?) \|", text, re.MULTILINE))


def test_numbers_of_the_table_of_settings_are_the_defaults():
    source = (ROOT / "workers" / "settings.py").read_text(encoding="utf-8")
    fields = dict(re.findall(r'^    (\w+): .*\n    """(\w+):', source, re.MULTILINE))
    numbers = {
        name: getattr(Settings, field)
        for field, name in fields.items()
        if isinstance(getattr(Settings, field, None), int | float)
    }

    assert len(numbers) >= 15
    assert {name: float(settings_table()[name]) for name in numbers} == numbers


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_setting_that_is_named_is_one(path):
    named = set(re.findall(r"\bSHADOWTIME_[A-Z_]+", path.read_text(encoding="utf-8")))

    assert named <= settings_table().keys()


def test_the_environment_of_the_services_is_understood():
    lines = [line.removeprefix("# ") for line in (HERE / "shadowtime.env").read_text().splitlines()]
    given = dict(line.split("=", 1) for line in lines if re.match(r"[A-Z_]+=", line))
    settings = Settings.from_environment(given)

    assert settings.log == "json" and settings.access == "proxy"
    assert given.keys() - {"REDIS_URL", "HOST", "PORT"} <= settings_table().keys()


def test_services_start_what_the_procfile_starts():
    lines = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines())
    started = {
        re.search(r"^ExecStart=/opt/shadowtime/\.venv/bin/(.*)$", unit.read_text(), re.MULTILINE)[1] for unit in UNITS
    }

    assert started == {lines["web"], lines["worker"]}


def test_the_container_holds_every_package():
    text = (HERE / "Containerfile").read_text(encoding="utf-8")
    copied = {name for line in re.findall(r"^COPY (.*) \S+$", text, re.MULTILINE) for name in line.split()}

    assert {"engine", "workers", "dashboard", "assets", "Procfile", "setup.py", "__init__.py", "py.typed"} <= copied
    assert {"docs", "mkdocs.yml", "CHANGELOG.md", "CONTRIBUTING.md"} <= copied, "the documentation is built there, too"
    assert all((ROOT / name).exists() for name in copied)


def test_systemd_has_nothing_against_the_services(tmp_path):
    if not shutil.which("systemd-analyze"):
        pytest.skip("no systemd-analyze on this machine")
    for unit in UNITS:
        started = unit.read_text().replace("/opt/shadowtime/.venv/bin/", f"{Path(sys.executable).parent}/")
        (tmp_path / unit.name.replace("@", "@1")).write_text(started)
    verdict = subprocess.run(
        ["systemd-analyze", "verify", *sorted(tmp_path.iterdir())], capture_output=True, text=True, check=False
    )

    assert [line for line in verdict.stderr.splitlines() if "shadowtime" in line] == []
