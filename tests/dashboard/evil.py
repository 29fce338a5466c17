"""A laboratory in which everything has a name that would do harm where it is taken for more than a text."""

from __future__ import annotations

import io
import json

from tests.conftest import FOUR_SWF
from tests.dashboard.api.conftest import Site

MARK = "data-evil"
EVIL = f'=1+1";filename=x; <b {MARK}="1">&amp;{{%scripts%}}\u00e9'
SITE = {
    "machines": [{"name": f"{EVIL}1", "class": EVIL}, {"name": f"{EVIL}2"}],
    "clusters": [{"name": f"{EVIL}3", "machines": [f"{EVIL}1", f"{EVIL}2"]}],
    "job_classes": [EVIL],
    "experience": [{"job_class": EVIL, "resource": f"{EVIL}{n}", "mean": 10 - n} for n in (1, 2, 3)],
}


def filled(site: Site) -> dict[str, str]:
    """What stands in addresses, of things whose names are all evil."""
    rigid = added(site, FOUR_SWF)
    cases = {
        "kind": "two_tier",
        "cases": [{"name": EVIL, "processors": 4, "jobs": [job(1)]}, {"name": "b", "jobs": [job(2)]}],
    }
    tiers = added(site, json.dumps(cases))
    machines = added(site, json.dumps({"kind": "classed", "site": SITE, "jobs": [{"job_class": EVIL}]}))
    first = finished(site, workload=rigid, algorithm="easy")
    second = finished(site, workload=rigid, algorithm="fcfs")
    finished(site, workload=f"{tiers}#0", algorithm="keasy")
    on_site = finished(site, workload=machines, algorithm="pjs")
    question = {"name": EVIL, "workloads": [rigid], "seeds": [1], "algorithms": ["easy"]}
    sweep = site.client.post("/api/sweeps", json=question).json["id"]
    shown = f"/compare?runs={first},{second}"
    link = site.client.post("/api/links", json={"target": shown, "title": EVIL}).json["code"]
    known = {"run_id": first, "workload_id": rigid, "sweep_id": sweep, "code": link, "name": "measy", "second": second}
    return {**known, "tiers": tiers, "machines": machines, "on_site": on_site}


def added(site, text):
    """A file of that name: how it came through the form of a browser is not asked here."""
    return site.store.workloads.add(io.BytesIO(text.encode()), EVIL)[0].id


def job(runtime):
    return {"processes": 1, "runtime": runtime, "usage": [0.5], "phi": [1.0]}


def finished(site, **question):
    asked = site.client.post("/api/runs", json=question)
    assert asked.status_code == 202, asked.json
    site.finish(asked.json["id"])
    return asked.json["id"]
