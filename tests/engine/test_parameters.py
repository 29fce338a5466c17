"""Values of parameters: defaults, and later parameters that leave the ids of stored runs as they were."""

from __future__ import annotations

import pytest

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.parameters import Choice, Real, Whole, resolve

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
