"""The form of a new run as a link fills it in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shadowtime.dashboard.components import kept_form
from shadowtime.dashboard.components.question import GENERATOR, TRACE, Form, form_step
from shadowtime.dashboard.context import Context
from shadowtime.dashboard.explained.examples import EXAMPLES
from shadowtime.engine import registry as policies
from shadowtime.engine.registry import find_generator, generators
from shadowtime.engine.workload.generators.generator import SEED
from shadowtime.workers.errors import NotFound
from shadowtime.workers.people import group_of


def form_of(context: Context, query: Mapping[str, str]) -> Form:
    """The form as a link fills it in."""
    try:
        if query.get("form"):
            return kept_form.form_of(query["form"])
        if query.get("run"):
            return form_of_run(context, query["run"])
        if query.get("workload"):
            entry = context.store.workloads.get(query["workload"])
            return Form(trace={"id": entry.id, "name": entry.name, "case": query.get("case")}, chosen=("fcfs", "easy"))
    except NotFound:
        return Form(chosen=("fcfs", "easy"))
    if query.get("algorithm"):
        return form_of_algorithm(query["algorithm"], query.get("example", ""))
    slug = query.get("generator", "")
    known = (*find_generator(slug).parameters, SEED) if slug in generators() else ()
    drawn = {one.name: query[one.name] for one in known if one.name in query}
    return Form(kind=GENERATOR if slug else TRACE, generator=slug, drawn=drawn, chosen=("fcfs", "easy"))


def form_of_algorithm(slug: str, family: str) -> Form:
    """An algorithm, and the twelve jobs of the example of a family."""
    chosen = (slug.lower(),) if slug.lower() in policies.algorithms(variants=True) else ("fcfs", "easy")
    example = EXAMPLES.get(family)
    if example is None:
        return Form(chosen=chosen)
    return Form(
        kind=GENERATOR,
        generator=example.generator,
        drawn={**example.parameters, "seed": example.seed},
        steps=[{"name": name, "parameters": {}} for name in example.conversions],
        chosen=chosen,
    )


def form_of_run(context: Context, run_id: str) -> Form:
    """The question of a run, to be changed."""
    run = context.store.runs.get(run_id)
    spec, said = run.spec, run.spec.workload
    jobs: dict[str, Any] = {"kind": GENERATOR, "generator": said.get("generator", "")}
    if "digest" in said:
        entry = context.store.workloads.get(said["digest"])
        jobs = {"trace": {"id": entry.id, "name": entry.name, "case": said.get("case")}}
    else:
        jobs["drawn"] = {**said["parameters"], "seed": said["seed"]}
    known = spec.algorithm in policies.algorithms(variants=True)
    return Form(
        **jobs,
        steps=[form_step(step) for step in spec.conversions],
        machine=dict(spec.platform),
        estimates=spec.estimates,
        seed=spec.seed,
        chosen=(spec.algorithm,) if known else (),
        parameters={spec.algorithm: dict(spec.parameters)},
        private=run.is_private,
        group=group_of(run.status.owner) or "",
    )
