"""The form of a new run survives as text."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest

from shadowtime.dashboard.app import page
from shadowtime.dashboard.components import kept_form, linked_form
from shadowtime.dashboard.components.question import Form
from tests.dashboard.reading import found, shown

FULL = Form(
    kind="generator",
    trace={"id": "7551e48cece1b8a0", "name": "four.swf", "case": "a"},
    generator="lublin",
    drawn={"jobs": "abc", "load": "0.7"},
    steps=[{"name": "load", "parameters": {"rho": "0.5"}}],
    machine={"processors": "64"},
    estimates="actual",
    seed="7",
    chosen=("fcfs", "mcb8*/opt=min"),
    parameters={"easy": {"extra": "first"}},
    private=True,
)


def text_of(form: Form) -> str:
    """A form as the browser keeps it (`assets/pages/new/kept-form.js`)."""
    said = asdict(form)
    del said["stated"]
    return json.dumps({**said, "steps": list(form.steps)})


def test_what_was_typed_comes_back():
    assert kept_form.form_of(text_of(FULL)) == FULL
    assert kept_form.form_of(text_of(Form())) == Form()


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        "3",
        '{"steps": [3], "chosen": [4], "trace": 5, "seed": []}',
        "[" * 9000,
        '{"steps": [{"name": []}, {"name": {}}]}',
    ],
)
def test_what_cannot_be_read_is_an_empty_form(text):
    assert kept_form.form_of(text) == Form()


def test_the_page_opens_with_the_form_of_its_address(lab):
    result, _ = shown(lab, "/?form=" + text_of(FULL).replace("*", "%2A"))

    assert found(result.children, {"form": "generator", "of": "lublin", "name": "jobs"}).value == "abc"
    assert found(result.children, "new-processors").value == "64"
    assert found(result.children, {"pick": "fcfs"}).checked
    assert linked_form.form_of(lab, {"form": text_of(FULL)}) == FULL


def test_the_page_opens_with_the_form_that_the_tab_kept(lab, four):
    kept = text_of(Form(trace={"id": four, "name": "four.swf"}, chosen=("easy",)))
    result, _ = page(lab, "/", "?generator=lublin", kept)

    assert found(result.children, "new-trace").data == {"id": four, "name": "four.swf"}
    assert not found(result.children, {"pick": "fcfs"}).checked
    assert page(lab, "/runs", "", kept)[1] == "runs"
