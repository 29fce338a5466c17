"""The orders of a queue: their names, what they mean, and expressions of one's own."""

from __future__ import annotations

from typing import NamedTuple

from shadowtime.engine.families.rigid.expression import Expression, compile_expression

TANG = "Tang et al., Fault-aware, utility-based job scheduling on Blue Gene/P systems, CLUSTER 2009"
SC17 = "D. Carastan-Santos and R. Y. de Camargo, Obtaining dynamic scheduling policies, SC 2017"


class Order(NamedTuple):
    """An order; the job with the smallest key goes first, equal keys in submission order."""

    title: str
    key: str
    """The key in words of a formula: w wait, r request, n processors, s' seconds since the first submission + 1."""
    changes: bool = False
    """Whether the key changes while a job waits."""
    source: str = ""


ORDERS: dict[str, Order] = {
    "fcfs": Order("First come, first served", "submission"),
    "sjf": Order("Shortest job first", "r"),
    "ljf": Order("Longest job first", "-r"),
    "saf": Order("Smallest area first", "r n"),
    "srf": Order("Smallest ratio of request to processors first", "r / n"),
    "lxf": Order("Largest expansion factor first", "-(w + r) / r", True, "Srinivasan et al., JSSPP 2002"),
    "wfp3": Order("WFP3", "-(w / r)^3 n", True, TANG),
    "unicef": Order("UNICEF", "-w / (log2(max(n, 2)) r)", True, TANG),
    "f1": Order("F1", "log10(r) n + 870 log10(s')", source=SC17),
    "f2": Order("F2", "sqrt(r) n + 25600 log10(s')", source=SC17),
    "f3": Order("F3", "r n + 6.86e6 log10(s')", source=SC17),
    "f4": Order("F4", "r sqrt(n) + 5.3e5 log10(s')", source=SC17),
}
"""By name; the positions are the codes of the compiled policies."""

EXPRESSION = len(ORDERS)
"""Code of an order by an expression."""
PREFIX = "expr:"


def expression_of(order: str) -> Expression | None:
    """Return the compiled expression of the order `expr:...`; None for an order by name."""
    return compile_expression(order.removeprefix(PREFIX)) if order.startswith(PREFIX) else None
