"""Whether a claim agrees, over all workloads that it speaks of: yes, in part, no; or not judged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

YES, IN_PART, NO, UNJUDGED = "yes", "in part", "no", "not judged"
ORDER = (YES, IN_PART, NO, UNJUDGED)
RULES = {
    YES: "the rule of the claim holds on every workload that it speaks of",
    IN_PART: "it holds on some of them",
    NO: "it holds on none",
    UNJUDGED: "the paper gives nothing to hold it against; shown all the same",
}


def verdict(claim: Mapping[str, Any]) -> str:
    """One of ORDER, of a claim as reports have it."""
    judged = [agrees for agrees in claim["agrees"].values() if agrees is not None]
    if not judged:
        return UNJUDGED
    return YES if all(judged) else IN_PART if any(judged) else NO


def failing(claim: Mapping[str, Any]) -> list[str]:
    """The workloads on which it does not agree, where it does on others."""
    return [name for name, agrees in claim["agrees"].items() if agrees is False] if verdict(claim) == IN_PART else []


def counts(studies: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """How many claims of some reports have each verdict, in ORDER."""
    found = Counter(verdict(claim) for study in studies for claim in study["claims"])
    return {name: found[name] for name in ORDER}
