"""Sites: two pasted tables, and JSON."""

from __future__ import annotations

import copy
import json
from typing import Any

from shadowtime.dashboard.intake.sites import site
from shadowtime.engine.families.classed.site.csv_tables import sheets
from shadowtime.engine.workload.samples import find_sample
from tests.engine.workload.test_classed import SITE
from tests.fuzz.target import Target, text

BETWEEN = "\n---\n"


def tables(content: bytes) -> None:
    machines, _, experience = text(content).partition(BETWEEN)
    check(site(None, machines=machines, experience=experience))


def object_(content: bytes) -> None:
    check(site(None, text=text(content)))


def check(answer: dict[str, Any]) -> None:
    """It can be sent, and is the same site in both of its forms."""
    json.dumps(answer, allow_nan=False, ensure_ascii=False).encode()
    again = site(None, text=json.dumps(answer["site"]))
    assert again["site"] == answer["site"]


def small() -> dict[str, Any]:
    outages = [*SITE["outages"], {"machine": "a2", "down": 5}]
    return {**copy.deepcopy(SITE), "outages": outages}


def pasted() -> list[bytes]:
    known = sheets(find_sample("site142").read().site)
    few = [
        BETWEEN.join("\n".join(known[name].splitlines()[:lines]) for name in ("machines", "experience"))
        for lines in (20, 143)
    ]
    return [one.encode()[:4000] for one in (*few, few[0].replace(",", ";"), few[0].replace(",", "\t"))]


def objects() -> list[bytes]:
    least = {"machines": [{"name": "m"}], "job_classes": ["c"],
             "experience": [{"job_class": "c", "resource": "m", "mean": 1}]}  # fmt: skip
    samples = [find_sample("bench3").content(), find_sample("site142").content()]
    return [*(json.dumps(value).encode() for value in (small(), {"site": small()}, least)), *samples]


TARGETS = (
    Target("site-tables", "Sites as two pasted tables", tables, pasted,
           words=("machine,class,cluster", "job_class,resource,mean,sd,count", BETWEEN, '"', "1e999", "-1", ";", "\t")),
    Target("site-json", "Sites as JSON", object_, objects, is_json=True,
           words=("machines", "clusters", "experience", "job_class", "resource", "outages", "pjs_site")),
)  # fmt: skip
