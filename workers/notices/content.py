"""Write what a notice says: how a run or a sweep ended, its link and its figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shadowtime.workers.records.notices import SWEEP, Notice
from shadowtime.workers.store import Store


def content(store: Store, notice: Notice) -> dict[str, Any]:
    """Return the body of a notice: `id`, `kind`, `name`, `state`, `ended`, `link`, `error` and `figures`.

    The figures of a run are its metrics by name, those of a sweep its numbers of runs and points.

    Raises
    ------
    NotFound
        When the run or the sweep was deleted meanwhile.
    """
    if notice.kind == SWEEP:
        sweep = store.sweeps.get(notice.subject)
        known = sweep.status
        said = {"id": sweep.id, "name": known.name or ", ".join(known.workloads), "error": None}
        totals = {"runs_total": known.runs_total, "points_total": known.points_total}
        return _body(notice, said, known, {**totals, **(known.counts or {})})
    run = store.runs.get(notice.subject)
    said = {"id": run.id, "name": run.spec.algorithm, "error": run.status.error}
    summary = run.summary if run.status.is_finished else None
    return _body(notice, said, run.status, dict((summary or {}).get("metrics", {})))


def _body(notice: Notice, said: Mapping[str, Any], status: Any, figures: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": said["id"], "kind": notice.kind, "name": said["name"], "state": status.status, "ended": status.ended,
        "link": notice.link, "error": said["error"], "figures": figures,
    }  # fmt: skip


def subject(body: Mapping[str, Any]) -> str:
    """Return the line under which mail is listed: `Run 13189c2c62a84589 (easy): finished`.

    The name of an experiment is free text of its author, who may send mail to any address by it: it is left out.
    """
    if body["kind"] == SWEEP:
        return f"Experiment {body['id']}: {body['state']}"
    return f"Run {body['id']} ({body['name']}): {body['state']}"


def text(body: Mapping[str, Any]) -> str:
    """Return the same in lines, for mail."""
    lines = [subject(body), *([body["link"]] if body["link"] else []), ""]
    lines += [body["error"], ""] if body["error"] else []
    lines += [f"{name} = {value}" for name, value in body["figures"].items()]
    page = "the page above" if body["link"] else "its page"
    lines += ["", f"You asked for this notice on {page}; each is sent once."]
    return "\n".join(lines)
