"""A sweep's file to its question: what it means, and one sentence for each mistake."""

from __future__ import annotations

import json

import pytest

from shadowtime.engine.errors import InvalidWorkload, QuestionError
from shadowtime.workers.spec import canonical
from shadowtime.workers.sweeps.reading import read, read_toml
from shadowtime.workers.sweeps.spec import SweepSpec
from tests.workers.samples import FOUR_DIGEST

CONTRACT = """
name = "EASY against MEASY over the load"
workloads = ["feitelson:jobs=5000"]          # as WORKLOAD on the command line; files too
seeds = [1, 2, 3]                            # for generators and drawn conversions
convert = ["two_tier"]
loads = [0.5, 0.7, 0.9]                      # the conversion `load`, swept
processors = 320                             # or nodes, cores_per_node; estimates, tau: as on the command line
algorithms = ["easy", "keasy"]               # names, or tables:

[[variants]]
algorithm = "measy"
parameters = { migration_cost = [20.0, 480.0, 900.0] }      # a list is swept
"""


def find(text, digest):
    """Knows one file."""
    if text != "four.swf":
        raise InvalidWorkload(f"there is no file {text!r}")
    return {"digest": FOUR_DIGEST, "case": None}, "rigid"


def asked(**values):
    return read({"workloads": ["uniform:jobs=20"], "algorithms": ["easy"], **values}, "loads.toml", find, 1000)


def test_the_contracts_example_has_45_runs_in_15_points():
    found = read_toml(CONTRACT, "loads.toml", find)

    assert found.name == "EASY against MEASY over the load"
    assert found.workloads == ("feitelson:jobs=5000",)
    assert (len(found.spec), found.spec.points) == (45, 15)
    assert [found.spec.variant_name(n) for n in range(5)] == [
        "easy", "keasy", "measy migration_cost=20", "measy migration_cost=480", "measy migration_cost=900",
    ]  # fmt: skip
    assert found.spec.platform == {"processors": 320}


def test_what_is_asked_with_other_words_is_the_same_sweep():
    one = asked(name="one", convert=["load:0.7"], seeds=[1])
    other = asked(
        name="other", convert=[{"name": "load", "parameters": {"rho": 0.7}}], seeds=[1],
        workloads=["Uniform:jobs=20"], algorithms=[{"algorithm": "EASY"}],
    )  # fmt: skip

    assert one.spec.digest == other.spec.digest
    assert len(one.spec.digest) == 64 and one.spec.id == one.spec.digest[:16]


def test_the_canonical_text_gives_the_sweep_again_and_no_other_text_does():
    spec = asked(loads=[0.5], workloads=["four.swf", "uniform:jobs=20"]).spec

    assert SweepSpec.from_json(spec.json).digest == spec.digest
    for text in (
        "{}",
        "[]",
        "1",
        "x",
        json.dumps(json.loads(spec.json)),
        spec.json.replace('"seeds":[0]', '"seeds":[]'),
    ):
        with pytest.raises(QuestionError, match="not a sweep"):
            SweepSpec.from_json(text)


def test_every_number_is_another_run_and_first_samples_come_first():
    spec = asked(seeds=[1, 2], loads=[0.5, 0.6, 0.7], workloads=["four.swf", "uniform:jobs=20"]).spec
    cells = [spec.cell(index) for index in range(len(spec))]

    assert len({(c.seed, c.workload, c.load, c.variant) for c in cells}) == len(spec) == 12
    assert {cell.seed for cell in cells[: spec.points]} == {0}


def test_a_generators_own_seed_goes_before_those_of_the_sweep():
    spec = asked(workloads=["uniform:jobs=20,seed=7", "uniform:jobs=20"], seeds=[1, 2]).spec

    assert [spec.source(spec.cell(index))["seed"] for index in range(4)] == [7, 1, 7, 2]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("seeds = [" + "9" * 5_000 + "]", "x.toml is not TOML: Exceeds the limit"),
        (".".join("a" * 400_000) + " = 1", "more than 16 names with points between"),
        ("[" + " . ".join(["'a'"] * 20) + "]", "more than 16 names with points between"),
        ("loads = [" + "0.1, " * 1_000 + "]", "x.toml: workloads must be given"),
    ],
)
def test_a_file_that_would_take_the_parser_long_is_refused_soon(text, sentence):
    with pytest.raises(QuestionError, match=sentence):
        read_toml(text, "x.toml", find)


def test_values_of_tables_and_lists_are_multiplied():
    spec = asked(
        algorithms=[], variants=[{"algorithm": "easy", "parameters": {"extra": ["all", "first"], "overrun": "run"}}]
    ).spec

    assert [canonical(one["parameters"]) for one in spec.variants] == [
        '{"extra":"all","overrun":"run"}', '{"extra":"first","overrun":"run"}',
    ]  # fmt: skip


WRONG = [
    ({"algorithm": "easy"}, "unknown key 'algorithm'; known: name, workloads, seeds"),
    ({"workloads": []}, "workloads must be given"),
    ({"workloads": "four.swf"}, 'workloads = "four.swf", but it must be a list'),
    ({"workloads": [3]}, "workloads[0] = 3, but it must be a text"),
    ({"workloads": ["nothing.swf"]}, "workloads[0]: there is no file 'nothing.swf'"),
    ({"workloads": ["uniform:jobs=0"]}, "workloads[0]: uniform: jobs = '0', but it must be a whole number from 1"),
    ({"workloads": ["uniform:jobs=20"] * 2}, "workloads has 'uniform:jobs=20' twice"),
    ({"workloads": ["uniform:jobs=20", "uniform: jobs=20"]}, "workloads has 'uniform: jobs=20' twice"),
    ({"seeds": [1, -1]}, "seeds[1] = '-1', but it must be a whole number, 0 or more"),
    ({"seeds": [1, 1]}, "seeds has '1' twice"),
    ({"seeds": []}, "seeds must have at least one value"),
    ({"loads": [0.5, "high"]}, 'loads[1] = "high", but it must be a number above 0 and at most 100'),
    ({"loads": [0]}, "loads[0] = '0', but it must be a number above 0"),
    ({"loads": [0.5], "convert": ["load:0.7"]}, "loads sweeps the load, which convert sets already"),
    ({"convert": ["slower"]}, "convert[0]: unknown conversion 'slower'; known: estimates"),
    ({"convert": ["week:x"]}, "convert[0]: week: k = 'x', but it must be"),
    ({"convert": ["moldable", "two_tier"]}, "convert has two_tier, which takes rigid workloads, but gets"),
    ({"algorithms": None}, "must have algorithms or variants"),
    ({"algorithms": ["eazy"]}, "algorithms[0]: unknown algorithm 'eazy'; known: "),
    ({"algorithms": ["measy"]}, "MEASY takes two_tier workloads. Add the conversion two_tier."),
    ({"algorithms": ["easy", "EASY"]}, "algorithms and variants has 'easy' twice"),
    ({"variants": ["easy"]}, 'variants[0] = "easy", but it must be a table with algorithm and parameters'),
    ({"algorithms": [3]}, "algorithms[0] = 3, but it must be a name, or a table with algorithm and parameters"),
    (
        {"variants": [{"algorithm": "slack", "parameters": {"factor": []}}]},
        "variants[0].parameters.factor must have at least one value",
    ),
    ({"loads": [float("nan")]}, "loads[0] = 'nan', but it must be a number above 0 and at most 100"),
    ({"variants": [{"parameters": {}}]}, "variants[0].algorithm = null, but it must be given"),
    ({"variants": [{"algorithm": "easy", "speed": 1}]}, "variants[0]: unknown key 'speed'; known: algorithm, "),
    ({"variants": [{"algorithm": "easy", "parameters": {"slow": 1}}]}, "unknown key 'slow'; known: "),
    ({"variants": [{"algorithm": "easy", "parameters": {"extra": ["all", "some"]}}]}, "extra = 'some', but it must be"),
    ({"processors": 0}, "processors = '0', but it must be a whole number from 1"),
    ({"processors": 4, "nodes": 2}, "has processors or nodes, not both"),
    ({"cores_per_node": 2}, "cores_per_node needs nodes beside it"),
    ({"estimates": "guessed"}, 'estimates = "guessed", but it must be one of requested, actual'),
    ({"tau": 0}, "tau = '0', but it must be a number above 0 s"),
    ({"name": 3}, "name = 3, but it must be a line of text"),
    ({"seeds": list(range(1001))}, "has 1,001 runs; 1,000 is the most here (SHADOWTIME_SWEEP_RUNS)"),
    ({"digests": 1}, "digests = 1, but it must be a table"),
]  # fmt: skip


@pytest.mark.parametrize(("values", "sentence"), WRONG, ids=lambda value: str(value)[:50])
def test_a_mistake_is_one_sentence_that_names_the_place(values, sentence):
    with pytest.raises(QuestionError) as refusal:
        asked(**values)

    assert sentence in str(refusal.value)
    assert str(refusal.value).startswith("loads.toml: ") or str(refusal.value).startswith("loads.toml ")
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("text", ["name = ", "a\x00b", "[" * 9999, "seeds = [2020-01-01]"])
def test_what_is_no_sweep_is_refused(text):
    with pytest.raises(QuestionError, match=r"loads\.toml"):
        read_toml(text, "loads.toml", find)
