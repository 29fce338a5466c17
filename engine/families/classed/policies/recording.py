"""Record the calls to a scheduler as lists, and replay them into a new scheduler, possibly in another process.

    ["submit", {"job": 3, "job_class": 1, "priority": 2, "arrival": 6.2, "allowed": null}, true]
    ["completed", 3, 141, 68.3, true]    ["machine_down", 7]    ["machine_up", 7]
    ["tick", 10.0, [["run", 3, 141]]]

The last value of `submit`, `completed` and `tick` is the return value; a replay returns the same values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from shadowtime.engine.families.classed.policies.scheduler import Order, Request, Rules, SiteScheduler
from shadowtime.engine.families.classed.site.json_objects import document, site_of
from shadowtime.engine.families.classed.site.site import Site


class Recorder(SiteScheduler):
    """A scheduler that records its calls and return values."""

    def __init__(self, site: Site, rules: Rules, origin: float = 0.0):
        super().__init__(site, rules, origin)
        self.question: dict[str, Any] = {"site": document(site), "rules": asdict(rules), "origin": origin}
        """Site, rules and origin of the scheduler, as JSON values."""
        self.calls: list[list[Any]] = []

    def submit(self, request: Request) -> bool:
        answer = super().submit(request)
        allowed = None if request.allowed is None else list(request.allowed)
        self.calls.append(["submit", {**asdict(request), "allowed": allowed}, answer])
        return answer

    def completed(self, job: int, resource: int, seconds: float) -> bool:
        answer = super().completed(job, resource, seconds)
        self.calls.append(["completed", job, resource, seconds, answer])
        return answer

    def machine_down(self, machine: int) -> None:
        super().machine_down(machine)
        self.calls.append(["machine_down", machine])

    def machine_up(self, machine: int) -> None:
        super().machine_up(machine)
        self.calls.append(["machine_up", machine])

    def tick(self, now: float) -> list[Order]:
        orders = super().tick(now)
        self.calls.append(["tick", now, [[order.act, order.job, order.resource] for order in orders]])
        return orders


def replay(question: Mapping[str, Any], calls: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """Make the same calls to a new scheduler, and return them with its return values."""
    recorder = Recorder(site_of(question["site"]), Rules(**question["rules"]), question.get("origin", 0.0))
    for name, *arguments in calls:
        match name:
            case "submit":
                fields = arguments[0]
                allowed = None if fields["allowed"] is None else tuple(fields["allowed"])
                recorder.submit(Request(**{**fields, "allowed": allowed}))
            case "completed" | "tick":
                getattr(recorder, name)(*arguments[:-1])
            case "machine_down" | "machine_up":
                getattr(recorder, name)(*arguments)
            case _:
                raise ValueError(f"a scheduler has no call named {name!r}")
    return recorder.calls
