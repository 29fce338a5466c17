"""Parameters of a new run beside the values that the log of a Slurm site states for them."""

from __future__ import annotations

import io
import json
from datetime import UTC, datetime

from dash import no_update

from shadowtime.dashboard.components import (
    algorithm_callbacks,
    compare_view,
    form_answers,
    linked_form,
    naming,
    run_list,
)
from shadowtime.dashboard.components.question import Form
from shadowtime.dashboard.components.stated import stated_by
from shadowtime.dashboard.look.words import GAP
from shadowtime.dashboard.pages import new
from tests.dashboard import slurm_log
from tests.dashboard.reading import found, said

JOB = {"submit": 0, "processes": 1, "runtime": 9, "usage": [0.5], "phi": [0.5], "loss": 0.1}
CASES = json.dumps(
    {
        "kind": "two_tier",
        "cases": [
            {"name": name, "processors": 5, "migration_cost": cost, "jobs": [JOB]}
            for name, cost in (("a", 20), ("b", 7))
        ],
    }
).encode()
OPENED = {"part": "collapse", "of": "slurm"}


def inputs(*names: str) -> list[dict[str, str]]:
    return [{"form": "algorithm", "of": "slurm", "name": name} for name in names]


def site_log(lab) -> dict[str, str]:
    entry, _ = lab.store.workloads.add(slurm_log.stream(), "site.tar")
    return {"id": entry.id, "name": entry.name}


def asked(form: Form, lab) -> dict:
    """What is set of the site under Slurm by a form, as its page reads it."""
    values = dict.fromkeys(new.INPUTS) | {"trace": form.trace, "unit": "processors", "drawn": []}
    given = form.parameters.get("slurm", {})
    ids = {"drawn": [], "picked": [{"pick": "slurm"}], "parameters": inputs(*given)}
    answer = new.answer(lab, values | {"picked": [True], "parameters": list(given.values())}, ids)
    (one,) = answer["question"]["algorithms"]
    return one["parameters"]


def test_the_form_holds_what_the_site_states_and_a_default_may_be_asked_for(lab):
    trace = site_log(lab)
    made = algorithm_callbacks.opened(lab, True, OPENED, [], stated_by(lab, "trace", trace))

    (weight,) = inputs("weight_age")
    assert found(made, weight).value == "1,000" and found(made, inputs("kill_wait")[0]).value == "30"
    assert asked(Form(trace=trace, parameters={"slurm": {"weight_age": "1,000"}}), lab) == {}
    assert asked(Form(trace=trace, parameters={"slurm": {"weight_age": "0"}}), lab) == {"weight_age": 0.0}
    assert algorithm_callbacks.reset(lab, 1, [weight], stated_by(lab, "trace", trace)) == ["1,000"]


def test_edit_and_run_asks_for_the_same_run(lab, finish):
    trace = site_log(lab)
    spec = finish(trace["id"], "slurm", parameters={"weight_age": 0})
    form = linked_form.form_of(lab, {"run": spec.id})

    assert asked(form, lab) == {"weight_age": 0.0}
    page = new.layout(lab, "", {"run": spec.id}).children
    assert found(page, inputs("weight_age")[0]).value == "0"


def test_other_jobs_bring_their_own_values_and_keep_what_was_typed(lab, four):
    trace, ids = site_log(lab), inputs("weight_age", "weight_job_size", "kill_wait")
    chosen = algorithm_callbacks.restate(lab, trace, "trace", {}, ["0", "7", "30"], ids)

    assert chosen["values"] == ["1,000", "7", "30"] and chosen["stated"]["weight_age"] == 1000.0
    other = algorithm_callbacks.restate(lab, {"id": four}, "trace", chosen["stated"], chosen["values"], ids)
    assert other["values"] == ["0", "7", "30"]
    same = algorithm_callbacks.restate(lab, trace, "trace", chosen["stated"], chosen["values"], ids)
    assert same == {"stated": no_update, "values": [no_update] * 3}
    assert stated_by(lab, "generator", trace) == stated_by(lab, "trace", {"id": "0" * 16}) == {}


def test_what_a_file_states_is_known_of_its_first_case_only(lab):
    entry, _ = lab.store.workloads.add(io.BytesIO(CASES), "two.json")

    assert naming.stated_of(lab.store, entry.id, "a")["migration_cost"] == 20
    assert naming.stated_of(lab.store, entry.id, "b") == naming.stated_of(lab.store, None, None) == {}


def test_a_kept_no_stays_no(lab):
    form = '{"generator":"feitelson","kind":"generator","drawn":{"repeats":"false"},"chosen":["easy"],"parameters":{}}'
    page = new.layout(lab, "", {"form": form}).children

    assert found(page, {"form": "generator", "of": "feitelson", "name": "repeats"}).value == "false"
    kept = linked_form.form_of(lab, {"form": '{"chosen":["slurm"],"parameters":{"slurm":{"defer":"false"}}}'})
    assert kept.set_of("slurm") == {}
    assert form_answers.defaults(inputs("defer"), {}) == ["false"]


def test_runs_of_one_site_are_told_apart_by_what_differs(lab, finish):
    trace = site_log(lab)
    specs = [
        finish(trace["id"], "slurm", parameters=values)
        for values in ({}, {"weight_age": 0}, {"weight_age": 0, "kill_wait": 60})
    ]
    runs = [lab.store.runs.get(spec.id) for spec in specs]

    assert list(compare_view.distinct({spec.id: spec for spec in specs}, lab.store).values()) == [
        f"Slurm site, kill wait 30{GAP}s, weight age 1,000",
        f"Slurm site, kill wait 30{GAP}s, weight age 0",
        f"Slurm site, kill wait 60{GAP}s, weight age 0",
    ]
    listed = [run_list.row(lab, run, 0, datetime.now(UTC))["said"] for run in runs]
    assert listed == ["", "weight age 0", f"kill wait 60{GAP}s, weight age 0"]


def test_the_form_of_a_site_has_nothing_behind_a_button(lab):
    made = said(algorithm_callbacks.opened(lab, True, OPENED, [], {}))

    assert "Requeue" in made and made.endswith("What they mean Reset to the paper's values")
