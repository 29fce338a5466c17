"""Any registered parameter has an input, and what a person sets comes back as a value."""

import re
from pathlib import Path

import pytest

from shadowtime.dashboard.components import parameter_form as form
from shadowtime.dashboard.components import phrase_field
from shadowtime.engine import registry as policies
from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.parameters import Choice, Flag, Real, Whole, resolve
from shadowtime.engine.registry import conversions, generators
from tests.dashboard.reading import said

COST = Real("migration_cost", 20.0, "What a move costs.", low=0.0, unit="s")
BUSY = Real("busy", 0.96, "From where on a node is busy.", low=0.0, high=1.0)
JOBS = Whole("jobs", 1000, "How many.", low=1, high=2_000_000)
EXTRA = Choice("extra", "all", "Which ends count.", {"all": "All", "first": "first"})
KNOWN = Flag("usages_known", True, "Whether CPU usages are known.")
WEEK = Whole("k", None, "Which week.")

ALL = (COST, BUSY, JOBS, EXTRA, KNOWN, WEEK)


def control(parameter, value=None):
    """The input in the field of a parameter."""
    return form.field("algorithm", "measy", parameter, parameter.default if value is None else value).children[1]


@pytest.mark.parametrize(
    "owner",
    [*policies.algorithms().values(), *generators().values(), *conversions().values()],
    ids=lambda owner: owner.slug,
)
def test_every_registered_parameter_has_an_input_that_gives_its_default_back(owner):
    fields = form.parameter_form("any", owner.slug, owner.parameters).children
    inputs = {field.children[1].id["name"]: field.children[1].value for field in fields}

    assert list(inputs) == [parameter.name for parameter in owner.parameters]
    assert form.read(owner.parameters, inputs) == {}


def test_a_number_has_its_unit_and_bounds():
    number = control(COST)
    field = form.field("algorithm", "measy", COST, 20.0)

    assert said(field) == "Migration cost (s) What a move costs. A number at least 0 s."
    assert number.value == "20" and number.placeholder == "20"
    assert number.id == {"form": "algorithm", "of": "measy", "name": "migration_cost"}


@pytest.mark.parametrize("text", ["abc", "99999999999", "-3", "2.5"])
def test_a_number_that_is_none_is_named_and_not_replaced(text):
    field = form.field("generator", "lublin", JOBS, text)

    assert field.children[1].value == text
    assert f"{text!r} is not a whole number from 1 to 2,000,000." in said(field)
    with pytest.raises(InvalidParameter, match=f"Jobs: {text!r} is not a whole number from 1 to 2,000,000"):
        form.read(ALL, {"jobs": text})


def test_an_empty_input_is_the_default_and_thousands_may_have_commas():
    assert form.mistake(JOBS, "") == form.mistake(JOBS, "2,000") == ""
    assert form.read(ALL, {"jobs": " "}) == {}
    assert form.read(ALL, {"jobs": "2,000", "busy": "0.9"}) == {"jobs": 2000, "busy": 0.9}


def test_a_load_of_0_is_an_empty_input_that_says_so():
    load = next(one for one in generators()["lublin"].parameters if one.name == "load")

    assert (control(load).value, control(load).placeholder) == ("", "as generated")
    assert form.mistake(load, "-3") == "'-3' is not a number at least 0 and at most 100."


def test_few_short_words_make_a_switch_and_many_a_list():
    many = Choice("order", "a", "Which order.", dict(zip("abcd", "abcd", strict=True)))

    assert type(control(EXTRA)).__name__ == "SegmentedControl"
    assert type(control(many)).__name__ == "Select"


def test_lists_fit_into_their_fields():
    sheet = (Path(form.__file__).parents[2] / "assets" / "pages.css").read_text()
    room = {
        name.replace(".", " "): int(width)
        for name, width in re.findall(r"^\.(st-field[\w.-]*) \{ max-width: min\((\d+)px", sheet, re.MULTILINE)
    }
    known = [*policies.algorithms().values(), *generators().values(), *conversions().values()]
    fields = [field for owner in known for field in form.parameter_form("any", owner.slug, owner.parameters).children]
    lists = [one for one in fields if type(one.children[1]).__name__ == "Select" and one.className in room]

    assert set(room) == {one.className for one in lists}
    assert all(one.children[1].w <= room[one.className] for one in lists)


def test_only_what_differs_from_the_default_is_said():
    inputs = {"migration_cost": 20, "busy": 0.9, "jobs": 500.0, "extra": "first", "usages_known": "false", "k": ""}

    assert form.read(ALL, inputs) == {"busy": 0.9, "jobs": 500, "extra": "first", "usages_known": False}


def test_what_is_read_is_what_the_engine_takes():
    inputs = {"migration_cost": 30, "jobs": 500.0, "usages_known": "false", "k": 20}
    values = resolve(ALL, form.read(ALL, inputs), "test")

    assert (values["migration_cost"], values["jobs"], values["usages_known"], values["k"]) == (30.0, 500, False, 20)


def test_a_parameter_without_default_says_where_its_value_comes_from():
    assert control(WEEK, "").placeholder == "from the workload"


def test_inputs_are_grouped_by_what_they_belong_to():
    ids = [{"form": "algorithm", "of": "easy", "name": "extra"}, {"form": "algorithm", "of": "fcfs", "name": "overrun"}]

    assert form.by_owner(ids, ["first", "run"]) == {"easy": {"extra": "first"}, "fcfs": {"overrun": "run"}}


def test_a_field_tells_its_rule_to_readers_of_the_page():
    props = form.field("algorithm", "measy", BUSY, 0.96).to_plotly_json()["props"]

    assert props["aria-label"].startswith("Busy: From where on a node is busy. (a number at least 0 and at most 1)")


BATCH = policies.find("batch").parameters
ORDER = next(parameter for parameter in BATCH if parameter.name == "order")


def boxes(value):
    """The words whose argument is shown in the field of the order, and the inputs of all arguments by name."""
    _, select, *arguments, _meaning = form.field("algorithm", "batch", ORDER, value).children
    return select.value, [box.id["word"] for box in arguments if "st-hidden" not in box.className], arguments


def test_a_phrase_shows_the_argument_of_its_word():
    assert boxes("fcfs")[:2] == ("fcfs", [])
    word, shown, [expression] = boxes("expr:r*n")

    assert (word, shown) == ("expr", ["expr"])
    assert expression.children[1].value == "r*n"
    assert expression.children[1].id == {"form": "algorithm", "of": "batch", "name": "order:expr"}


@pytest.mark.parametrize(
    ("inputs", "values"),
    [
        ({"order": "wfp3", "order:expr": "w"}, {"order": "wfp3"}),
        ({"order": "expr", "order:expr": " W / r"}, {"order": "expr:w/r"}),
        ({"order": "expr", "order:expr": "w/"}, {"order": "expr:w/"}),
        ({"backfill": "easy", "backfill:easy": 1}, {}),
        ({"backfill": "easy", "backfill:easy": 3.0}, {"backfill": "easy:depth=3"}),
        ({"backfill": "easy", "backfill:easy": " 1,000 "}, {"backfill": "easy:depth=1000"}),
        ({"prediction": "mean", "prediction:mean": ""}, {"prediction": "mean:5"}),
        ({"prediction": "percentile", "prediction:percentile": 99.5}, {"prediction": "percentile:99.5"}),
        ({"backfill": "slack:factor=2", "prediction": "user2"}, {"backfill": "slack:factor=2", "prediction": "user2"}),
    ],
)
def test_word_and_argument_make_one_value(inputs, values):
    assert form.read(BATCH, inputs) == values


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("(w/r)**3*n", ""),
        ("(w/r)**3*x", "'x' is not known at character 10."),
        ("w+", "Something is missing at its end."),
        (" ", "An expression is missing."),
    ],
)
def test_a_mistake_in_an_expression_is_a_sentence_with_its_place(typed, said):
    assert phrase_field.mistake(ORDER, "expr", typed) == said


def test_inputs_of_arguments_have_a_default():
    assert form.default_input(BATCH, "prediction:mean") == "5"
    assert form.default_input(BATCH, "order:expr") == "(w/r)**3*n"
    assert form.default_input(BATCH, "order") == "fcfs"


@pytest.mark.parametrize(
    ("word", "typed"), [("easy", "abc"), ("easy", "0"), ("slack", "-1"), ("lookahead", "99999999999")]
)
def test_a_number_of_a_word_is_named_and_not_replaced(word, typed):
    backfill = next(parameter for parameter in BATCH if parameter.name == "backfill")
    rule = backfill.arguments[word].rule()
    field = form.field("algorithm", "batch", backfill, f"{word}:{typed}")

    assert f"{typed!r} is not {rule}." in said(field)
    assert typed in [box.children[1].value for box in field.children[2:-1]]
    with pytest.raises(InvalidParameter, match=re.escape(f"Backfill {word}: {typed!r} is not {rule}")):
        form.read(BATCH, {"backfill": word, f"backfill:{word}": typed})
    assert form.read(BATCH, {"backfill": "conservative", f"backfill:{word}": typed}) == {"backfill": "conservative"}
