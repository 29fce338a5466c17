"""Orders by an expression: values, and the sentence that names the place of a mistake."""

from __future__ import annotations

import math

import numpy as np
import pytest

from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.families.rigid.expression import compile_expression
from shadowtime.engine.families.rigid.grammar import canonical
from shadowtime.engine.families.rigid.policies.backfilling.evaluating import evaluate
from shadowtime.engine.kernel.cache import compiled
from shadowtime.engine.kernel.state import new_state
from shadowtime.engine.registry import find


@compiled
def key(q, w, r, n, s):
    return evaluate(q, w, r, n, s)


def value(text, w=30.0, r=10.0, n=4.0, s=100.0):
    found = compile_expression(text)
    return -key(new_state({"code": found.codes, "number": found.numbers, "stack": np.zeros(128)}), w, r, n, s)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(w/r)**3*n", 108.0),
        ("-2**2", -4.0),
        ("2**3**2", 512.0),
        ("2**-1", 0.5),
        ("1-2-3", -4.0),
        ("8/4/2", 1.0),
        ("1e3 + .5", 1000.5),
        ("min(w, r) + max(w, r)", 40.0),
        ("log10(s) * sqrt(n) * log2(8)", 12.0),
        ("--+r", 10.0),
        ("r/0", -math.inf),
        ("log2(r-20)", -math.inf),
        ("(0-8)**(1/3)", -math.inf),
    ],
)
def test_values(text, expected):
    assert value(text) == expected


@pytest.mark.parametrize("text", ["w/log10(n)", "min(100, w/log10(n))", "max(w/log10(n), 100)", "(w/log10(n))**0"])
def test_what_is_made_from_no_number_goes_last_wherever_it_stands(text):
    assert value(text, n=1.0) == -np.inf


def test_deepest_expression_fits_the_stack():
    deep = "1+2*3**" + "(1+2*3**" * 14 + "1" + ")" * 14
    assert value(deep) > 0.0


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "something is missing at its end"),
        ("w +", "something is missing at its end"),
        ("w $ 2", "'$' is not understood at character 3"),
        ("(w", "')' is missing at its end"),
        ("w r", "'r' is not expected at character 3"),
        ("exp(w)", "'exp' is not known at character 1"),
        ("min(w)", "',' is missing at character 6"),
        ("__import__('os')", "'__import__' is not known at character 1"),
        ("-" * 40 + "w", "more than 30 parentheses and signs"),
        ("w+" * 150 + "w", "longer than 200 characters"),
    ],
)
def test_a_mistake_is_named_with_its_place(text, what):
    with pytest.raises(InvalidParameter) as error:
        canonical(text)
    assert what in str(error.value)


def test_canonical_form():
    assert canonical(' "( W / r )**3 * n" ') == "(w/r)**3*n"
    assert find("batch:order=expr:min(w, r),backfill=easy:depth=2").resolve({}, "rigid")["order"] == "expr:min(w,r)"


def test_random_expressions_agree_with_plain_functions():
    rng = np.random.default_rng(0)
    for _ in range(300):
        text, function = _random(rng, 4)
        columns = {name: float(rng.integers(1, 50)) for name in "wrns"}
        try:
            expected = function(columns)
        except ZeroDivisionError:
            expected = -math.inf
        assert value(text, **columns) == expected, text


def _random(rng, depth):
    """Return a text and what it means, as a function of the columns."""
    if depth == 0 or rng.random() < 0.2:
        name = str(rng.choice(["w", "r", "n", "s", "2", "0.5"]))
        return name, lambda columns: columns[name] if name in columns else float(name)
    (a, f), (b, g) = _random(rng, depth - 1), _random(rng, depth - 1)
    forms = [
        (f"({a}+{b})", lambda c: f(c) + g(c)),
        (f"(({a})-({b}))", lambda c: f(c) - g(c)),
        (f"({a})*({b})", lambda c: f(c) * g(c)),
        (f"({a})/({b})", lambda c: f(c) / g(c)),
        (f"-({a})", lambda c: -f(c)),
        (f"min({a},{b})", lambda c: min(f(c), g(c))),
    ]
    return forms[int(rng.integers(len(forms)))]
