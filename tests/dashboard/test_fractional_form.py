"""Names of the fractional family composed out of choices, and what the form of a new run does with them."""

from __future__ import annotations

import json
from itertools import product

import plotly

from shadowtime.dashboard.components import form_answers, fractional_form, linked_form
from shadowtime.dashboard.components.question import Form
from shadowtime.engine.families.fractional.names import variants
from tests.dashboard.reading import found, said, shown
from tests.dashboard.test_question import command

BEST = "greedypm*/per/opt=min/minvt=600"


def test_every_click_leaves_a_name_and_all_names_can_be_reached():
    reached = set()
    for expected in product(*(values for _, values, _ in fractional_form.CHOICES.values())):
        name, values, offered = fractional_form.narrowed(expected)
        reached.add(name)
        for value, choice in zip(values, offered, strict=True):
            assert {"value": value, "disabled": False}.items() <= next(c for c in choice if c["value"] == value).items()

    assert reached == {variant.name for variant in variants()}


def test_a_choice_rules_out_what_is_in_no_row_of_the_table():
    name, _, (submission, completion, periodic, optimum, limit) = fractional_form.narrowed(
        ("Greedy", "nothing", "nothing", "max", "minvt=600")
    )

    assert name == "Greedy/per/opt=min/minvt=600"  # without a star, it needs a period
    assert not any(one["disabled"] for one in submission)
    assert [one["value"] for one in completion if one["disabled"]] == ["MCB8"]
    assert [one["value"] for one in periodic if one["disabled"]] == ["nothing", "stretch-per"]
    assert [one["value"] for one in optimum if one["disabled"]] == ["max"]
    assert not any(one["disabled"] for one in limit)
    assert fractional_form.narrowed(("GreedyP", "Greedy", "nothing", "avg", "minvt=600"))[0] == "GreedyP*/opt=avg"


def test_a_composed_name_is_added_once_and_ticked():
    lines = json.loads(json.dumps(fractional_form.lines([BEST]), cls=plotly.utils.PlotlyJSONEncoder))
    more, chosen = fractional_form.added("MCB8*/opt=avg", lines, [BEST])
    same, again = fractional_form.added("GreedyPM*/per/opt=min/minvt=600", lines, [])

    assert len(more) == 2 and chosen == [BEST, "mcb8*/opt=avg"]
    assert len(same) == 1 and again == [BEST]


def test_the_command_has_the_papers_name_and_what_was_set_of_the_family():
    form = Form(
        kind="generator",
        generator="fractional",
        chosen=(BEST, "greedy*/opt=min"),
        parameters={"fractional": {"period": 900, "penalty": 300}},
    )

    assert command(form, BEST)[1] == "-a 'GreedyPM*/per/opt=min/minvt=600' -p period=900"
    assert command(form, "greedy*/opt=min")[1] == "-a 'Greedy*/opt=min'"  # it has no period


def test_several_names_are_asked_at_once(lab):
    form = Form(kind="generator", generator="fractional", drawn={"jobs": 20}, chosen=(BEST, "mcb8*/opt=avg"))
    answer = form_answers.answered(lab, form, ["easy"])

    assert "GreedyPM*/per/opt=min/minvt=600" in said(answer["queue"]) and "MCB8*/opt=avg" in said(answer["queue"])
    assert [one["algorithm"] for one in answer["question"]["algorithms"]] == [BEST, "mcb8*/opt=avg"]
    assert answer["no_variants"] is False


def test_jobs_that_are_not_fractional_yet_say_which_conversion_helps(lab, four):
    answer = form_answers.answered(lab, Form(trace={"id": four, "name": "four.swf"}, chosen=()), ["easy"])

    assert answer["no_variants"] is True
    assert said(answer["variants"]) == "Takes fractional workloads. Add the conversion fractional to use it."


def test_the_page_has_a_few_boxes_and_the_papers_values_come_back(lab):
    result, _ = shown(lab, "/")
    boxes = found(result.children, "new-variants").children

    assert len(boxes) == len(fractional_form.READY)
    inputs = [{"of": "fractional", "name": name} for name in ("period", "penalty")]
    assert form_answers.defaults(inputs, {}) == ["600", "300"]


def test_the_question_of_a_run_of_any_variant_fills_the_form(lab):
    entry, _ = lab.store.workloads.generate("fractional", {"jobs": 5, "nodes": 4}, 1)
    from shadowtime.workers.spec import RunSpec

    spec = RunSpec.of(lab.store.workloads.load(entry.id), "mcb8/per/opt=avg/minft=300", {"period": 900.0})
    lab.store.runs.accept(spec, jobs=5)
    form = linked_form.form_of(lab, {"run": spec.id})
    result, _ = shown(lab, f"/?run={spec.id}")

    assert form.chosen == ("mcb8/per/opt=avg/minft=300",) and form.set_of(form.chosen[0]) == {"period": 900}
    assert found(result.children, "new-variants").value == ["mcb8/per/opt=avg/minft=300"]
    assert "MCB8/per/opt=avg/minft=300" in said(result.children)
    assert found(result.children, {"form": "algorithm", "of": "fractional", "name": "period"}).value == "900"


def test_the_page_of_algorithms_has_table_1(lab):
    result, _ = shown(lab, "/algorithms")
    text = said(result.children)

    assert "Greedy*/per Greedy Greedy MCB8 min, avg none, minft, minvt 10" in text
    assert "/stretch-per - - MCB8-stretch max, avg" in text
    assert "Time between two repackings of all jobs." in text
    assert found(result.children, "greedypm*/per")
    assert "GreedyPM*/per/opt=min/minvt=600 On submission" not in text  # no paragraph a name
