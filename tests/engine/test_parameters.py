"""Values of parameters: defaults, and later parameters that leave the ids of stored runs as they were."""

from __future__ import annotations

import pytest

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.parameters import Choice, Real, Whole, resolve, written

KNOWN = (
    Whole("trials", 10, "Number of trials.", low=1),
    Choice("order", "given", "Their order.", {"given": "As given", "random": "At random"}, is_later=True),
)


def test_a_later_parameter_has_an_entry_only_if_it_differs_from_its_default():
    assert resolve(KNOWN, {}, "it") == resolve(KNOWN, {"order": "given"}, "it") == {"trials": 10}
    assert resolve(KNOWN, {"order": "random"}, "it") == {"order": "random", "trials": 10}


def test_a_later_parameter_is_checked_like_any_other():
    with pytest.raises(InvalidParameter, match="one of given, random"):
        resolve(KNOWN, {"order": "best"}, "it")


@pytest.mark.parametrize("text", ["1_0", "\u0661\u0660", "1\u00a00"])
@pytest.mark.parametrize("kind", [Whole, Real])
def test_a_number_has_plain_digits(kind, text):
    assert kind("n", 1, "A number.").check("10", "it") == 10
    with pytest.raises(InvalidParameter, match="must be a "):
        kind("n", 1, "A number.").check(text, "it")


@pytest.mark.parametrize(
    ("value", "text"),
    [(1e9, "1,000,000,000"), (4294967295.0, "4,294,967,295"), (1e-12, "1e-12"), (0.001, "0.001"), (0.0, "0"),
     (-2.5, "-2.5"), (1234567.25, "1,234,567.25")],
)  # fmt: skip
def test_bounds_are_written_in_digits(value, text):
    assert written(value) == text


def test_a_refusal_gives_the_exact_bounds():
    longest = Real("longest", 60.0, "Longest runtime.", low=0.001, high=1e9, unit="s")
    with pytest.raises(InvalidParameter, match=r"a number at least 0\.001 and at most 1,000,000,000 s$"):
        longest.check(2e9, "it")
