"""The form of a new run: what it says of a question before anything is queued."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

from dash import no_update

from shadowtime.dashboard.components import (
    algorithm_callbacks,
    form_answers,
    linked_form,
    question_rows,
    to_be_queued,
    workload_cards,
)
from shadowtime.dashboard.components.question import Form
from shadowtime.dashboard.pages import algorithms, new
from shadowtime.engine import registry
from tests.dashboard.reading import said, shown


def test_the_form_for_a_new_run_shows_every_algorithm_and_generator(lab):
    result, _ = shown(lab, "/")
    text = said(result.children)

    assert "FCFS" in text and "EASY" in text
    assert "Drop a trace anywhere on this page" in text


def test_the_form_of_an_algorithm_is_made_when_it_is_opened_or_holds_other_values(lab):
    def texts(form: Form) -> dict[str, str]:
        return {slug: said(question_rows.algorithm_line(registry.find(slug), form)) for slug in ("easy", "batch")}

    def opened(of: str, *, is_opened: bool = True, inputs: list | None = None) -> Any:
        return algorithm_callbacks.opened(lab, is_opened, {"part": "collapse", "of": of}, inputs or [], {})

    changed = texts(Form(chosen=("easy",), parameters={"batch": {"order": "sjf"}, "easy": {}}))

    assert "Reset" in changed["batch"] and "Reset" not in changed["easy"]
    assert "Reset" in said(opened("easy"))
    assert opened("easy", is_opened=False) is no_update
    assert opened("easy", inputs=[{"form": "algorithm", "of": "easy", "name": "extra"}]) is no_update
    assert opened("compose") is no_update


def test_algorithms_stand_under_the_names_of_their_families(lab):
    for page in (new, algorithms):
        text = said(page.layout(lab, "", {}).children)

        assert "Two tiers" in text and "Other" not in text


def test_a_link_may_bring_a_workload_or_a_runs_question(lab, four, finish):
    spec = finish(four, "easy", parameters={"extra": "first"}, estimates="actual")
    form = linked_form.form_of(lab, {"run": spec.id})

    assert form.trace == {"id": four, "name": "four.swf", "case": None}
    assert form.chosen == ("easy",) and form.set_of("easy") == {"extra": "first"}
    assert linked_form.form_of(lab, {"workload": four}).trace["id"] == four
    assert linked_form.form_of(lab, {"generator": "lublin"}).kind == "generator"
    assert linked_form.form_of(lab, {"run": "0123456789abcdef"}).trace is None


def test_a_trace_shows_its_reading_report(lab, four):
    body, word = form_answers.trace_card(lab, {"id": four, "size": 300})

    assert "4 records, 4 jobs kept." in said(body) and "300 B" in said(body)
    assert word == "Replace or drop another"


def test_older_files_are_folded_below_the_latest(lab, four):
    entry = lab.store.workloads.get(four)
    shown = said(workload_cards.no_trace([replace(entry, name=f"log{n}.swf") for n in range(6)], 1000))

    assert shown.index("log3") < shown.index("A week") < shown.index("2 older files") < shown.index("log4")
    assert "older" not in said(workload_cards.no_trace([entry] * 4, 1000))


def test_what_is_asked_is_answered_before_it_is_queued(lab, four, finish):
    finish(four, "fcfs")
    form = Form(trace={"id": four, "name": "four.swf"}, chosen=("fcfs", "easy"))
    answer = form_answers.answered(lab, form, ["fcfs", "easy"])
    text = said(answer["queue"])

    assert "already computed" in text
    assert "Queue 2 runs · about" in text
    assert answer["question"]["workload"] == four
    assert answer["copy"].splitlines() == [
        "shadowtime simulate four.swf -a fcfs",
        "shadowtime simulate four.swf -a easy",
    ]
    assert answer["disabled"] == [False, False]


def test_a_combination_is_queued_under_its_name_and_as_a_command(lab, four):
    inputs = {"order": "expr", "order:expr": "w*n", "backfill": "conservative", "overrun": "kill"}
    form = Form(trace={"id": four, "name": "four.swf"}, chosen=("batch",), parameters={"batch": inputs})
    answer = form_answers.answered(lab, form, ["batch"])

    assert "Batch: w*n, conservative" in said(answer["queue"])
    assert answer["copy"] == (
        "shadowtime simulate four.swf -a 'batch:order=expr:w*n,backfill=conservative,overrun=kill'"
    )
    assert form_answers.mistake({"of": "batch", "name": "order:expr"}, "w*") == "Something is missing at its end."


def test_many_combinations_are_folded_until_one_is_chosen(lab):
    from shadowtime.dashboard.components.question_rows import lines
    from shadowtime.engine import registry

    rigid = [one for one in registry.algorithms().values() if one.family == "rigid"]

    for chosen, opened in (("easy",), False), (("wfp3",), True):
        *few, _, more = lines(rigid, Form(chosen=chosen))
        assert (len(few), len(more.children.children), more.opened) == (11, 13, opened)


def test_known_runs_are_opened_rather_than_queued(lab, four, finish):
    finish(four, "easy")
    answer = form_answers.answered(
        lab, Form(trace={"id": four, "name": "four.swf"}, chosen=("easy",)), ["fcfs", "easy"]
    )

    assert "Open the run" in said(answer["queue"])


def test_without_a_workload_nothing_is_asked(lab):
    answer = form_answers.answered(lab, Form(chosen=("easy",)), ["easy"])

    assert answer["question"] is None and not lab.intake.asked
    assert "Upload a trace" in said(answer["queue"])


def test_a_refusal_is_one_sentence_where_the_queue_would_be(lab, four):
    form = Form(
        trace={"id": four, "name": "four.swf"}, steps=[{"name": "week", "parameters": {"k": 8}}], chosen=("easy",)
    )
    answer = form_answers.answered(lab, form, ["easy"])

    assert answer["queue"] is None and answer["question"] is None
    assert "no job of four.swf is submitted in week 8 (k=7)" in said(answer["refusal"])


def test_a_workload_that_vanished_is_a_sentence(lab):
    body, _ = form_answers.trace_card(lab, {"id": "0123456789abcdef"})

    assert "no workload '0123456789abcdef' is known here" in said(body).lower()


def test_bounds_are_known_before_any_run(lab, four):
    text = said(form_answers.known_bounds(lab, {"workload": four, "conversions": []}))

    assert "Makespan ≥ 16 min 42 s" in text
    assert "No scheduler can do better" in text


def test_bounds_are_shown_once_the_machine_is_known(lab):
    log = b"submit,start,end,cores\n0,0,10,1\n1,1,5,1\n"
    stored = lab.store.workloads.add(io.BytesIO(log), "no-machine.csv")[0].id
    asked = {"workload": stored, "conversions": []}

    assert said(form_answers.known_bounds(lab, asked)) == "They are shown when the configuration is complete."
    assert "Makespan ≥" in said(form_answers.known_bounds(lab, {**asked, "platform": {"processors": 2}}))


def test_a_generator_is_previewed(lab):
    figure, _, text = form_answers.generator_card(lab, "uniform", {"jobs": 50, "seed": 3})

    assert sum(figure["data"][0]["y"]) == 50
    assert figure["data"][0]["marker"]["color"] == "var(--st-accent)"
    assert text.startswith("Preview of what this seed makes")


def test_choosing_a_card_redraws_neither_and_folds_stay_open(lab):
    functions = {function.__name__: (given, named) for function, given, named in new.callbacks._of_server}
    for name in ("trace", "drawn"):
        assert "new-kind" not in str(functions[name]), name

    folds = {"ids": [{"fold": "generator-shape"}, {"fold": "fields"}], "opened": [True, None]}
    ids = [{"form": "generator", "of": "uniform", "name": "jobs"}]

    assert new.open_folds(folds) == {"generator-shape": True}
    assert new.drawn(lab, "uniform", [50], ids, folds)[1].open is True
    assert new.drawn(lab, "uniform", [50], ids, {"ids": [], "opened": []})[1].open is False


def test_a_generator_that_cannot_be_says_why(lab):
    figure, _, text = form_answers.generator_card(lab, "uniform", {"jobs": 50, "min_processors": 99})

    assert figure is None and "min_processors" in said(text)


LOOKS = {"facts": {"first_submit": 1_300_000.0, "last_submit": 29_000_000.0}}


def test_a_step_begins_with_values_that_fit_the_jobs():
    assert form_answers.first_values(LOOKS)["week"] == {"k": 3, "weeks": 1}
    assert form_answers.first_values(None)["load"]["rho"] == 0.9


def test_the_papers_values_come_back():
    inputs = [{"form": "algorithm", "of": "easy", "name": name} for name in ("event_order", "extra", "overrun")]

    assert form_answers.defaults(inputs, {}) == ["instant", "all", "run"]


def test_schedulers_that_do_not_take_the_jobs_are_set_aside_and_others_offered(lab):
    jobs = {"kind": "generator", "generator": "moldable", "drawn": {"jobs": 12}}
    slugs = ["fcfs", "easy", "demt"]
    answer = form_answers.answered(lab, Form(**jobs, chosen=("fcfs", "easy")), slugs)
    text = said(answer["queue"])

    assert text.startswith("FCFS and EASY do not take moldable jobs. Try DEMT")
    assert answer["question"]["algorithms"] == [] and answer["copy"] == ""
    assert answer["chosen"] == "0 chosen, 2 not applicable to these jobs"
    assert answer["disabled"] == [True, True, False]
    assert answer["notes"][0] == "Takes rigid, fractional or two-tier workloads."

    some = form_answers.answered(lab, Form(**jobs, chosen=("easy", "demt")), slugs)
    assert said(some["queue"]).startswith("EASY does not take moldable jobs.") and "Try" not in said(some["queue"])
    assert [one["algorithm"] for one in some["question"]["algorithms"]] == ["demt"]
    assert some["copy"] == "shadowtime simulate moldable:jobs=12 -a demt"


def test_schedulers_that_want_one_machine_a_task_say_so(lab):
    jobs = {"kind": "generator", "generator": "multitask", "drawn": {"jobs": 5, "local": 2}}
    answer = form_answers.answered(lab, Form(**jobs, chosen=("synchpack-3",)), ["synchpack-3", "synchpack-2"])

    assert answer["disabled"] == [True, False]
    assert said(answer["notes"][0]).startswith("Takes multitask workloads in which each task has one machine.")


def test_a_log_of_an_unknown_machine_offers_what_was_in_use(lab):
    line = "{} {} 0 100 3 -1 -1 3 200 -1 1 1 1 1 1 1 -1 -1\n"
    entry, _ = lab.store.workloads.add(io.BytesIO((line.format(1, 0) + line.format(2, 50)).encode()), "own.swf")
    form = Form(trace={"id": entry.digest, "name": "own.swf"}, chosen=("easy", "recorded"))
    answer = form_answers.answered(lab, form, ["easy", "recorded"])

    assert said(answer["platform"]) == (
        "The log does not say how large its machine is; at most 6 processors were in use. Use 6"
    )
    queued = said(answer["queue"])
    assert queued.count("Enter the number of processors of the machine under Platform.") == 1
    assert "--processors" not in queued and "Queue 2 runs" in queued


def test_recorded_is_offered_for_logs_alone(lab, four):
    jobs = {"kind": "generator", "generator": "uniform", "drawn": {"jobs": 5}}
    answer = form_answers.answered(lab, Form(**jobs, chosen=("recorded",)), ["recorded"])

    assert answer["disabled"] == [True]
    assert said(answer["notes"][0]) == "Takes logs that say when their jobs started; another load has no record."
    assert "Recorded does not take jobs without recorded starts." in said(answer["queue"])


def test_a_number_that_is_none_is_refused_before_anything_is_asked(lab):
    for more, sentence in (
        ({"drawn": {"jobs": "abc"}}, "Jobs: 'abc' is not a whole number from 1 to 2,000,000"),
        ({"machine": {"processors": "99999999999"}}, "'99999999999' is not a whole number from 1 to 1,000,000"),
        ({"seed": "-3"}, "'-3' is not a whole number, 0 or more"),
    ):
        answer = form_answers.answered(lab, Form(kind="generator", generator="lublin", chosen=("easy",), **more), [])

        assert answer["question"] is None and not lab.intake.asked
        assert sentence in said(answer["refusal"])


def test_each_mistake_is_named_at_its_field():
    place = {"mistake": "generator", "of": "lublin", "name": "jobs"}
    identity = {"form": "generator", "of": "lublin", "name": "jobs"}

    assert form_answers.mistakes("generator", (), [identity], ["abc"], [place]) == [
        "'abc' is not a whole number from 1 to 2,000,000."
    ]
    assert new.wrong_sizes(None, "12", "", "x", 0) == ("", "", "'x' is not a whole number from 1 to 1,000,000.", "")


def test_a_mistake_in_the_number_of_a_word_is_named_at_its_field_and_nothing_is_queued(lab, four):
    identity = {"form": "algorithm", "of": "batch", "name": "prediction:mean"}
    place = {"mistake": "algorithm", "of": "batch", "name": "prediction:mean"}
    inputs = {"batch": {"prediction": "mean", "prediction:mean": "5000"}}
    answer = form_answers.answered(
        lab, Form(trace={"id": four, "name": "four.swf"}, chosen=("batch",), parameters=inputs), ["batch"]
    )

    assert form_answers.mistakes("algorithm", (), [identity], ["5000"], [place]) == [
        "'5000' is not a whole number from 1 to 1,000."
    ]
    assert answer["question"] is None and answer["queue"] is None and not lab.intake.asked
    assert "Prediction mean: '5000' is not a whole number from 1 to 1,000." in said(answer["refusal"])


def folded_away(answer: dict, slugs: list[str]) -> set[str]:
    return {slug for slug, shown in zip(slugs, answer["lines"], strict=True) if "st-unusable" in shown}


def test_algorithms_that_need_a_conversion_fold_behind_those_that_take_the_jobs(lab, four):
    slugs = [slug for slug, one in registry.algorithms().items() if one.family != "fractional"]
    answer = form_answers.answered(lab, Form(trace={"id": four, "name": "four.swf"}, chosen=("easy",)), slugs)
    away = folded_away(answer, slugs)

    assert away == {slug for slug in slugs if "rigid" not in registry.algorithms()[slug].kinds} | {"recorded"}
    groups = dict(zip(question_rows.families(), answer["groups"], strict=True))
    assert "st-unusable" not in groups["rigid"] and "st-unusable" in groups["moldable"]
    assert answer["fold"] == "st-fold" and "need a conversion or other jobs" in answer["fold_words"]
    assert "Convert: " in said(answer["fold_adds"]) and "Moldable jobs" in said(answer["fold_adds"])


def test_nothing_is_folded_before_a_workload_is_chosen(lab):
    answer = form_answers.answered(lab, Form(chosen=("easy",)), ["easy", "demt"])

    assert not folded_away(answer, ["easy", "demt"]) and answer["fold"] == "st-hidden"


def test_a_refusal_begins_with_a_capital_but_a_file_keeps_its_name():
    assert to_be_queued.sentence("lublin: jobs = 0") == "Lublin: jobs = 0."
    assert to_be_queued.sentence("f.csv has no jobs") == "f.csv has no jobs."
