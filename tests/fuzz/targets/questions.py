"""Questions: what `POST /api/runs` is sent, the canonical text of a run, generators and conversions."""

from __future__ import annotations

import json
from typing import Any

from shadowtime.dashboard.components import naming
from shadowtime.engine.errors import QuestionError
from shadowtime.engine.registry import find_generator
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.workers.exports.command import command
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.submit import question
from tests.fuzz.laboratory import by_kind, store
from tests.fuzz.target import Target, text
from tests.fuzz.targets.traces import shown

FEW = 200
"""Jobs of a generated workload that is drawn here; larger ones are only understood."""


def run(content: bytes) -> None:
    """What is understood is kept, found again, and written as a command."""
    asked = object_of(content)
    spec, jobs = question(store(), asked)
    assert jobs > 0 and RunSpec.from_json(spec.json) == spec
    assert len(command(spec, "four.swf").splitlines()) == 1
    naming.workload_words(store(), spec), naming.said_parameters(spec.algorithm, spec.parameters)


def kept(content: bytes) -> None:
    spec = RunSpec.from_json(text(content))
    assert spec.json == text(content)
    naming.workload_words(store(), spec), naming.said_parameters(spec.algorithm, spec.parameters)
    naming.algorithm_words(spec.algorithm), command(spec, "four.swf")


def generator(content: bytes) -> None:
    asked = object_of(content)
    entry = find_generator(asked.get("generator"))
    values, seed = entry.resolve(asked.get("parameters") if isinstance(asked.get("parameters"), dict) else {}, 0)
    json.dumps(values, allow_nan=False)
    if all(values.get(name, 0) <= FEW for name in ("jobs", "processors", "nodes", "machines", "tasks")):
        shown(generate(entry.slug, values, seed))


def object_of(content: bytes) -> dict[str, Any]:
    """As `dashboard.api.body` takes it, which has tests of its own."""
    try:
        value = json.loads(content)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def runs() -> list[bytes]:
    known = by_kind(store())
    rigid = known["rigid"]
    asked: list[dict[str, Any]] = [
        {"workload": rigid, "algorithm": "easy", "parameters": {"extra": "first"}, "estimates": "actual", "seed": 3},
        {"workload": rigid, "algorithm": "fcfs", "platform": {"nodes": 5, "cores_per_node": 2}, "priority": "low"},
        {"workload": rigid, "algorithm": "measy", "conversions": ["two_tier"], "parameters": {"migration_cost": 2.0}},
        {"workload": rigid, "algorithm": "greedy*/per", "conversions": ["fractional"], "platform": {"nodes": 10}},
        {"workload": rigid, "algorithm": "demt", "conversions": [{"name": "moldable", "parameters": {}}]},
        {"workload": rigid, "algorithm": "psrs", "conversions": ["multitask"]},
        {"workload": rigid, "algorithm": "easy", "conversions": ["load:rho=0.5", "week:0", "estimates"]},
        {"workload": f"{known['two_tier']}#0", "algorithm": "keasy"},
        {"workload": known["fractional"], "algorithm": "/stretch-per", "private": False},
        {"workload": known["moldable"], "algorithm": "list-saf"},
        {"workload": known["multitask"], "algorithm": "tetris"},
        {"workload": known["classed"], "algorithm": "pjs"},
    ]
    return [json.dumps(one).encode() for one in asked]


def specs() -> list[bytes]:
    found = []
    for one in map(json.loads, runs()):
        try:
            found.append(question(store(), one)[0].json.encode())
        except QuestionError:
            continue
    assert len(found) > 5
    return found


def generators() -> list[bytes]:
    from shadowtime.engine.registry import generators as all_of

    made = []
    for slug, entry in all_of().items():
        values = {one.name: one.default for one in entry.parameters if one.default is not None}
        made.append({"generator": slug, "parameters": {**values, "jobs": 12}, "seed": 1})
    return [json.dumps(one).encode() for one in made]


WORDS = ("workload", "algorithm", "conversions", "parameters", "platform", "processors", "nodes", "cores_per_node",
         "estimates", "seed", "load:rho=", "week:", "two_tier:", "fractional:", "moldable:", "multitask:")  # fmt: skip
TARGETS = (
    Target("run-question", "Questions for runs, with conversions and parameters", run, runs, words=WORDS, is_json=True),
    Target("run-kept", "Canonical texts of runs", kept, specs, is_json=True),
    Target("generators", "Generators and their parameters", generator, generators, is_json=True),
)
