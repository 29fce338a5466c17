"""Pages of algorithms: what they step through is the schedule that the algorithm makes."""

from __future__ import annotations

import json
import re

import pytest

from shadowtime.dashboard.components.linked_form import form_of
from shadowtime.dashboard.explained.examples import EXPLANATIONS, FRACTIONAL, example, held, names, simulated
from shadowtime.dashboard.pages.algorithm import VERBS
from shadowtime.dashboard.sharing import urls
from shadowtime.engine import registry
from shadowtime.engine.tables import EVENT_KINDS
from tests.dashboard.reading import parts, said, shown


@pytest.mark.parametrize("name", EXPLANATIONS)
def test_the_example_is_the_schedule_that_the_algorithm_makes(name):
    made = json.loads(json.dumps(example(simulated(name))))

    assert made == held()[name], "python docs/examples.py writes the file again"


@pytest.mark.parametrize("name", EXPLANATIONS)
def test_each_event_of_the_example_has_its_line(name):
    explanation = EXPLANATIONS[name]
    causes = [cause for line in explanation.lines for cause in line.causes]
    steps = held()[name]["steps"]

    assert {step[1] for step in steps} <= set(causes)
    assert len(causes) == len(set(causes)), "two lines claim the same events"
    assert set(causes) <= {*EVENT_KINDS, "background"}
    assert len({step[2] for step in steps}) == 12
    assert [step[0] for step in steps] == sorted(step[0] for step in steps)
    assert explanation.idea.count(". ") == 2, "three sentences"


UNSEEN = {
    "batch": [{"unreserve"}],  # by default its queue is in the order of submission
    "plan": [{"correct"}],  # by default its predictions are requests
    "synchpack-1": [{"migrate"}],  # each task has one machine, so that SynchPack-3 takes the example, too
}


@pytest.mark.parametrize("name", EXPLANATIONS)
def test_the_example_lights_every_line_that_causes_events(name):
    lines = [set(line.causes) for line in EXPLANATIONS[name].lines if line.causes]
    seen = {step[1] for step in held()[name]["steps"]}

    assert [causes for causes in lines if not causes & seen] == UNSEEN.get(name, [])


def test_every_algorithm_of_the_registry_is_explained():
    assert set(names()) == set(EXPLANATIONS) == set(held())
    assert set(VERBS) == {*EVENT_KINDS, "background"}


@pytest.mark.parametrize("name", ["easy", "easy++", "measy", FRACTIONAL])
def test_the_page_of_an_algorithm_says_what_is_known_of_it(lab, name):
    result, page = shown(lab, urls.algorithm(name))
    text = said(result.children)

    assert page == "algorithms"
    assert EXPLANATIONS[name].idea in text and EXPLANATIONS[name].cost in text
    assert all(line.text in text for line in EXPLANATIONS[name].lines)
    if name != FRACTIONAL:
        assert registry.find(name).source in text
        assert "Rivals on the same twelve jobs" in text


def test_a_page_of_no_algorithm_is_refused(lab):
    assert shown(lab, f"{urls.ALGORITHMS}/eazy")[1] == "unknown"


def test_try_it_fills_the_form_with_the_jobs_of_the_example(lab):
    form = form_of(lab, urls.query(urls.try_out("keasy", "two_tier").partition("?")[2]))

    assert form.chosen == ("keasy",) and form.generator == "uniform"
    assert form.drawn["jobs"] == 12 and form.drawn["seed"] == 0
    assert [step["name"] for step in form.steps] == ["two_tier"]


def test_rivals_have_the_units_of_results(lab):
    table = re.sub(r"\s+", " ", said(shown(lab, urls.algorithm("easy"))[0].children))

    assert re.search(r"[\d,]+ weighted s", table) and "Weighted completion" in table


def test_the_room_of_the_schedule_is_kept_before_it_is_drawn(lab):
    page, _ = shown(lab, urls.algorithm("easy"))
    place = next(one for one in parts(page.children) if getattr(one, "className", "") == "st-lessonsvg")
    (given,) = [json.loads(data) for one in parts(page.children) if (data := getattr(one, "data-example", None))]

    assert place.style["minHeight"] == given["height"] > 20 * given["lanes"]
