"""Whether a page exists: the status of its document, for programs, to which the words of the page say nothing."""

from __future__ import annotations

from shadowtime.dashboard.components.compare_view import MOST
from shadowtime.dashboard.context import Context
from shadowtime.dashboard.explained.examples import FRACTIONAL
from shadowtime.dashboard.papers import PAGES
from shadowtime.dashboard.sharing import urls
from shadowtime.engine import registry
from shadowtime.engine.errors import UnknownName
from shadowtime.workers.errors import Damaged, NotFound


def exists(context: Context, path: str, query: str) -> bool:
    """Return whether the page at an address exists, with the runs, workload or experiment that the address names.

    What is damaged exists, and so does an address that names too few or too many runs.
    """
    place, asked = urls.place(path), urls.query(query)
    try:
        match place.page:
            case "unknown":
                return False
            case "run":
                context.store.runs.get(place.item)
            case "compare" | "waits":
                for run in urls.Comparison.parse(asked).runs[:MOST]:
                    context.store.runs.get(run)
            case "workload":
                context.store.workloads.get(place.item)
            case "fidelity":
                if workload := asked.get("workload"):
                    context.store.workloads.get(workload)
            case "experiment":
                context.store.sweeps.get(place.item)
            case "paper":
                return place.item in PAGES
            case "algorithm" if place.item != FRACTIONAL:
                registry.find(place.item)
    except Damaged:
        return True
    except (NotFound, UnknownName):
        return False
    return True
