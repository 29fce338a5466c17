"""The short form: every example of every target, then a thousand inputs made of them, each time the same.

Where atheris has no wheel, Hypothesis changes the same examples, blindly, and a warning says so.
"""

from __future__ import annotations

import subprocess
import sys
import time
import warnings
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz import counting, mutation
from tests.fuzz.target import SLOWEST, attempt
from tests.fuzz.targets import TARGETS

RUNS, SECONDS = 1_000, 5
"""Inputs of a target, and seconds if that is sooner."""
BLINDLY = {} if counting.is_possible() else TARGETS
DRAWN = 200
BLIND = "no atheris for this Python: the parsers are tried by Hypothesis alone, which does not follow their branches"


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_examples_are_taken_or_refused_and_one_at_least_is_taken(target):
    assert any([attempt(target, example) for example in target.seeds()])


@pytest.mark.skipif(not counting.is_possible(), reason=BLIND)
def test_no_input_that_follows_the_branches_makes_a_parser_fail(tmp_path):
    asked = ["--seconds", f"{SECONDS}", "--runs", f"{RUNS}", "--seed", "1", "--kept", str(tmp_path)]
    tried = subprocess.run(
        [sys.executable, "-m", "tests.fuzz", *asked], cwd=counting.ROOT, capture_output=True, text=True
    )

    assert tried.returncode == 0, tried.stdout + tried.stderr
    assert f"{len(TARGETS)} targets" in tried.stdout


@pytest.mark.parametrize("target", BLINDLY.values(), ids=BLINDLY)
def test_no_drawn_input_makes_a_parser_fail(target):
    warnings.warn(BLIND, stacklevel=1)
    examples, words = list(target.seeds()), tuple(word.encode() for word in target.words)

    @settings(max_examples=DRAWN)
    @given(example=st.sampled_from(examples), seed=st.integers(0, 2**32))
    def tried(example, seed):
        random = Random(seed)
        content = mutation.as_json(example, random) if target.is_json and seed % 4 else None
        begin = time.monotonic()
        attempt(target, content or mutation.as_bytes(example, random, words))
        assert time.monotonic() - begin < SLOWEST

    tried()


FAILING = """
import sys
from pathlib import Path
import atheris
from tests.fuzz import running
from tests.fuzz.target import Target

@atheris.instrument_func
def read(content):
    if content[:2] == b"no":
        raise KeyError("unexpected")

targets = [Target("failing", "", read, lambda: [b"nu"]), Target("whole", "", len, lambda: [b"x"])]
for tried in running.run(targets, running.Effort(20, 20_000), Path(sys.argv[1])):
    running.report(tried)
"""


@pytest.mark.skipif(not counting.is_possible(), reason=BLIND)
def test_a_fault_is_found_and_shown(tmp_path):
    asked = [sys.executable, "-c", FAILING, str(tmp_path)]
    found = subprocess.run(asked, cwd=counting.ROOT, capture_output=True, text=True, check=True)

    assert "failing: KeyError: 'unexpected'" in found.stderr and "input: b'no" in found.stderr
    assert "whole: " not in found.stderr and "20,000 inputs" in found.stdout
