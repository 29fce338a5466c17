"""The verdict on a claim over all workloads that it covers: the worst of its grades."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from shadowtime.workers.papers.report import Grade

HOLDS, DIRECTION, NO, UNJUDGED = Grade.SIZE.value, Grade.DIRECTION.value, Grade.NO.value, "not judged"
ORDER = (HOLDS, DIRECTION, NO, UNJUDGED)
RULES = {
    HOLDS: "the full rule of the claim is met on every workload that it speaks of",
    DIRECTION: "the weaker rule is met on every workload, the full rule is not",
    NO: "on some workload not even the weaker rule is met",
    UNJUDGED: "the paper gives nothing to compare with, or its values are lost; ours are shown",
}


def verdict(claim: Mapping[str, Any]) -> str:
    """Return one of ORDER for a claim as reports store it."""
    judged = [found for found in claim["grades"].values() if found is not None]
    return max(judged, key=ORDER.index, default=UNJUDGED)


def failing(claim: Mapping[str, Any]) -> list[str]:
    """Return the workloads with the verdict of the claim, if others have a better one."""
    word = verdict(claim)
    judged = {name: found for name, found in claim["grades"].items() if found is not None}
    return [name for name, found in judged.items() if found == word] if len(set(judged.values())) > 1 else []


def counts(studies: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Return the number of claims of some reports with each verdict, in ORDER."""
    found = Counter(verdict(claim) for study in studies for claim in study["claims"])
    return {name: found[name] for name in ORDER}
