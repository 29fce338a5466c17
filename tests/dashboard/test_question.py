"""From the form to questions: the API, the command line and the form say the same."""

import shlex
from dataclasses import replace

import pytest

from shadowtime.dashboard.components import question
from shadowtime.dashboard.components.question import Form
from shadowtime.workers.conversions import convert_all
from shadowtime.workers.spec import RunSpec

TRACE = {"id": "7551e48cece1b8a0", "name": "four.swf"}


def command(form, slug):
    """The parts of the command of one algorithm."""
    asked = replace(form, chosen=(slug,)).question()
    return asked.command(*asked.asked)


def test_a_trace_with_a_case_is_named_as_the_api_names_it():
    assert Form(trace=TRACE).base() == {"workload": "7551e48cece1b8a0", "conversions": []}
    assert Form(trace={**TRACE, "case": "b"}).base()["workload"] == "7551e48cece1b8a0#b"


def test_only_what_was_set_is_asked():
    form = Form(
        trace=TRACE,
        steps=[{"name": "week", "parameters": {"k": 21, "weeks": 1}}],
        machine={"processors": 8},
        estimates="actual",
        seed=3,
        chosen=("fcfs", "easy"),
        parameters={"easy": {"extra": "first", "overrun": "run", "event_order": "instant"}},
    )

    assert form.base() == {
        "workload": "7551e48cece1b8a0",
        "conversions": [{"name": "week", "parameters": {"k": 20}}],
        "platform": {"processors": 8},
        "estimates": "actual",
        "seed": 3,
    }
    assert form.asked() == [
        {"algorithm": "fcfs", "parameters": {}},
        {"algorithm": "easy", "parameters": {"extra": "first"}},
    ]


def test_a_generator_is_asked_with_its_seed():
    form = Form(kind="generator", generator="lublin", drawn={"jobs": 500, "load": 0, "seed": 7})

    assert form.base() == {"generator": "lublin", "parameters": {"jobs": 500, "seed": 7}, "conversions": []}


def test_the_form_has_a_workload_when_its_card_has_one():
    assert not Form().has_workload
    assert Form(trace=TRACE).has_workload
    assert not Form(kind="generator", trace=TRACE).has_workload
    assert Form(kind="generator", generator="lublin").has_workload


def test_the_command_says_it_all():
    form = Form(
        trace={**TRACE, "name": "my log.swf"},
        steps=[{"name": "week", "parameters": {"k": "3", "weeks": 3}}],
        machine={"nodes": 120, "cores_per_node": 2},
        estimates="actual",
        seed=3,
        parameters={"easy": {"extra": "first"}},
    )

    assert command(form, "easy") == [
        "shadowtime simulate 'my log.swf'",
        "-a easy -p extra=first",
        "--convert week:k=2,weeks=3",
        "--nodes 120 --cores-per-node 2",
        "--estimates actual",
        "--seed 3",
    ]


def test_the_command_of_a_generator_is_one_word():
    form = Form(kind="generator", generator="lublin", drawn={"jobs": 500, "load": 0.8, "seed": 7})

    assert shlex.split(command(form, "fcfs")[0])[2] == "lublin:jobs=500,load=0.8,seed=7"


@pytest.mark.parametrize(
    ("fields", "machine"),
    [
        (("processors", 100, "", ""), {"processors": 100}),
        (("processors", "", 50, 2), {}),
        (("nodes", 100, 50, 2), {"nodes": 50, "cores_per_node": 2}),
        (("nodes", 100, 50, ""), {"nodes": 50}),
        (("nodes", "", "", 2), {}),
    ],
)
def test_the_machine_is_what_the_chosen_fields_say(fields, machine):
    assert question.machine(*fields) == machine


def test_a_step_that_is_added_can_be_asked_at_once():
    assert question.initial("week", (0, 47)) == {"k": 1, "weeks": 1}
    assert question.initial("week", (12, 47))["k"] == 13
    assert question.initial("load", None)["rho"] == 0.9


def test_form_and_engine_find_the_same_run(lab, four):
    form = Form(
        trace={"id": four, "name": "four.swf"},
        steps=[{"name": "load", "parameters": {"rho": 0.5, "processors": 0}}],
        machine={"processors": 10},
        parameters={"easy": {"extra": "first"}},
    )
    base, (asked,) = form.base(), Form(chosen=("easy",), parameters=form.parameters).asked()
    workload = convert_all(lab.store.workloads.load(four), base["conversions"], 0)
    spec = RunSpec.of(workload, asked["algorithm"], asked["parameters"], base["platform"])

    known = lab.intake.ask("preview", question={**base, "algorithms": [asked]})
    assert [run["id"] for run in known["runs"]] == [spec.id]
