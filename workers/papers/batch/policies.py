"""The policies of the study by their names in tables: an algorithm with parameters each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LEARNED = ("F1", "F2", "F3", "F4")
RIVALS = ("FCFS", "WFP3", "UNICEF", "SJF")
"""What SC 2017 compares them with; its SPT is SJF here."""
ORDERS = (*RIVALS, *LEARNED)


@dataclass(frozen=True)
class Policy:
    """An algorithm of the registry with parameters."""

    slug: str
    parameters: Mapping[str, Any] = field(default_factory=dict)


def alone(order: str) -> Policy:
    """Return an order without backfilling."""
    return Policy("batch", {"order": order, "backfill": "none"})


POLICIES: dict[str, Policy] = {
    "FCFS": Policy("fcfs"),
    "EASY": Policy("easy"),
    "Conservative": Policy("conservative"),
    "Slack": Policy("slack"),
    "Lookahead": Policy("lookahead"),
    "EASY-SJBF": Policy("easy-sjbf"),
    "EASY++": Policy("easy++"),
    **{name.upper(): Policy(name) for name in ("sjf", "saf", "srf", "lxf", "wfp3", "unicef", "f1", "f2", "f3", "f4")},
    **{f"{name.upper()} alone": alone(name) for name in ("sjf", "f1", "f2", "f3", "f4")},
    "Conservative, user2": Policy("conservative", {"prediction": "user2"}),
    "Conservative, actual": Policy("conservative", {"prediction": "actual"}),
    "EASY-SJBF, actual": Policy("easy-sjbf", {"prediction": "actual"}),
}
"""EASY-SJBF with user2 is EASY++; orders not called alone have EASY backfilling."""
WHOLE = {"quick": ("FCFS", "EASY", "Conservative", "EASY-SJBF", "EASY++"), "full": tuple(POLICIES)}
"""Those that run whole logs."""


@dataclass(frozen=True)
class Setting:
    """One of the three settings of SC 2017."""

    title: str
    backfill: str
    estimates: str


SETTINGS = (
    Setting("actual run times", "none", "actual"),
    Setting("requested times", "none", "requested"),
    Setting("requested times and EASY", "easy", "requested"),
)
