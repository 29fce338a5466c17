"""Whether a page exists: the status of its document, for programs, to which the words of the page say nothing."""

from __future__ import annotations

from shadowtime.dashboard.components.compare_view import MOST
from shadowtime.dashboard.context import Context
from shadowtime.dashboard.explained.examples import FRACTIONAL
from shadowtime.dashboard.papers import PAGES
from shadowtime.dashboard.sharing import shared, urls
from shadowtime.engine import registry
from shadowtime.engine.errors import UnknownName
from shadowtime.workers.errors import Damaged, NotFound


def exists(context: Context, path: str, query: str) -> bool:
    """Return whether the page at an address exists, and the runs, workload or experiment that its visitor asks for.

    What is damaged exists.
    """
    place = urls.place(path)
    try:
        match place.page:
            case "unknown":
                return False
            case "run" | "compare":
                for run in shared.runs_of(f"{path}?{query}")[:MOST]:
                    context.store.runs.get(run)
            case "workload":
                context.store.workloads.get(place.item)
            case "experiment":
                context.store.sweeps.get(place.item)
            case "paper":
                return place.item in PAGES
            case "algorithm":
                return place.item == FRACTIONAL or registry.find(place.item) is not None
    except Damaged:
        return True
    except (NotFound, UnknownName):
        return False
    return True
