"""The short form: each operation of the API with the values at the edges of what its description allows and forbids.

`make fuzz` sends drawn ones, too.
"""

from __future__ import annotations

import pytest

from tests.fuzz import api


@pytest.mark.integration
def test_the_api_answers_as_it_says_it_does():
    tried = api.run("coverage", examples=1, seed=1)

    assert tried.returncode == 0, tried.stdout + tried.stderr
    assert " passed" in tried.stdout
