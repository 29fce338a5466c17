"""Calls to a scheduler as plain lists: written down in one process, replayed into a fresh scheduler in another.

    ["submit", {"job": 3, "job_class": 1, "priority": 2, "arrival": 6.2, "allowed": null}, true]
    ["completed", 3, 141, 68.3, true]    ["machine_down", 7]    ["machine_up", 7]
    ["tick", 10.0, [["run", 3, 141]]]

The last value of `submit`, `completed` and `tick` is what the scheduler answered; replaying gives the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from shadowtime.engine.families.classed.policies.scheduler import Order, Request, Rules, SiteScheduler
from shadowtime.engine.families.classed.site.json_objects import document, site_of
from shadowtime.engine.families.classed.site.site import Site


class Recorder:
    """A scheduler that remembers what it was told and what it answered."""

    def __init__(self, scheduler: SiteScheduler):
        self.scheduler = scheduler
        self.question: dict[str, Any] = {
            "site": document(scheduler.site), "rules": asdict(scheduler.rules), "origin": scheduler.origin,
        }  # fmt: skip
        """What a fresh scheduler is made of, fit for JSON."""
        self.calls: list[list[Any]] = []

    @property
    def site(self) -> Site:
        return self.scheduler.site

    @property
    def counters(self) -> Mapping[str, int]:
        return self.scheduler.counters

    def submit(self, request: Request) -> bool:
        """See SiteScheduler."""
        answer = self.scheduler.submit(request)
        allowed = None if request.allowed is None else list(request.allowed)
        self.calls.append(["submit", {**asdict(request), "allowed": allowed}, answer])
        return answer

    def completed(self, job: int, resource: int, seconds: float) -> bool:
        """See SiteScheduler."""
        answer = self.scheduler.completed(job, resource, seconds)
        self.calls.append(["completed", job, resource, seconds, answer])
        return answer

    def machine_down(self, machine: int) -> None:
        """See SiteScheduler."""
        self.scheduler.machine_down(machine)
        self.calls.append(["machine_down", machine])

    def machine_up(self, machine: int) -> None:
        """See SiteScheduler."""
        self.scheduler.machine_up(machine)
        self.calls.append(["machine_up", machine])

    def tick(self, now: float) -> list[Order]:
        """See SiteScheduler."""
        orders = self.scheduler.tick(now)
        self.calls.append(["tick", now, [[order.act, order.job, order.resource] for order in orders]])
        return orders

    def next_tick(self) -> float | None:
        """See SiteScheduler; a question, not a call."""
        return self.scheduler.next_tick()


def replay(question: Mapping[str, Any], calls: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """The same calls to a fresh scheduler, with what it answers now."""
    recorder = Recorder(
        SiteScheduler(site_of(question["site"]), Rules(**question["rules"]), question.get("origin", 0.0))
    )
    for name, *arguments in calls:
        match name:
            case "submit":
                told = arguments[0]
                allowed = None if told["allowed"] is None else tuple(told["allowed"])
                recorder.submit(Request(**{**told, "allowed": allowed}))
            case "completed":
                recorder.completed(*arguments[:3])
            case "tick":
                recorder.tick(arguments[0])
            case "machine_down":
                recorder.machine_down(arguments[0])
            case "machine_up":
                recorder.machine_up(arguments[0])
            case _:
                raise ValueError(f"no call of a scheduler is named {name!r}")
    return recorder.calls
