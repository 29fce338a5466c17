"""The web process refuses a wrong setting in one line, when it is started as the Procfile says."""

from __future__ import annotations

import os
import subprocess

import pytest

from tests.workers.lab import ROOT, WEB


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "99999"),
        ("PORT", "-5"),
        ("REDIS_URL", "nonsense"),
        ("SHADOWTIME_DERIVED", "x"),
        ("SHADOWTIME_DATABASE", "mysql://x"),
        ("SHADOWTIME_BLOBS", "s3://"),
    ],
)
def test_a_wrong_setting_of_the_web_process_is_one_line_and_exit_code_2(tmp_path, name, value):
    environment = {**os.environ, "PORT": "0", "SHADOWTIME_STORE": str(tmp_path), name: value}
    ended = subprocess.run(WEB, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=60)

    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    assert ended.stderr.startswith(f"web: {name}")
