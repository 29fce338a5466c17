"""No answer changes unnoticed: tables, metrics, bounds and links of 200 questions are those recorded earlier."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.identity import adapter, digest
from tests.identity.questions import FAMILIES, LINKED, QUESTIONS
from tests.identity.record import DIGESTS, LINKS

ANSWERS = json.loads(DIGESTS.read_text())
RECORDED_LINKS = json.loads(LINKS.read_text())


def test_each_question_has_a_recorded_answer_and_no_answer_is_without_question():
    assert list(ANSWERS) == list(QUESTIONS)
    assert list(RECORDED_LINKS) == LINKED


def test_question_names_are_unique():
    names = [question.name for family in FAMILIES.values() for question in family()]

    assert len(names) == len(set(names)) >= 200


@pytest.mark.parametrize("name", QUESTIONS)
def test_answer_is_the_recorded_one(name):
    found, recorded = digest.of_question(QUESTIONS[name]), ANSWERS[name]

    differing = [part for part in sorted(found.keys() | recorded) if found.get(part) != recorded.get(part)]
    assert not differing, f"{name}: {', '.join(differing)} differ from the recorded answer"


@pytest.mark.parametrize("name", LINKED)
def test_link_is_the_recorded_one(name):
    recorded = RECORDED_LINKS[name]

    assert digest.of_link(QUESTIONS[name]) == recorded, f"{name}: its canonical spec or its id changed"
    assert adapter.id_of_text(recorded["spec"]) == recorded["id"], f"{name}: its recorded spec is read differently"


@pytest.mark.parametrize(
    "other",
    [
        {"a": np.array([1.0, np.nextafter(2.0, 3.0)])},
        {"a": np.array([1.0, 2.0], dtype="f4")},
        {"b": np.array([1.0, 2.0])},
        {"a": np.array([2.0, 1.0])},
        {"a": np.array([1.0, 2.0]), "b": np.zeros(0)},
    ],
    ids=["value", "dtype", "name", "order", "column"],
)
def test_digest_of_a_table_notices_a_change_of(other):
    assert digest.of_table(other) != digest.of_table({"a": np.array([1.0, 2.0])})


def test_digest_of_values_notices_the_last_bit_and_the_type():
    digests = {digest.of_values({"makespan": value}) for value in (1.0, np.nextafter(1.0, 2.0), 1, np.float64(1.0))}

    assert len(digests) == 3
