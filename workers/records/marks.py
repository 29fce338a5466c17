"""What people write about a run to find it again, and the experiment that computed it.

A run's row keeps it in `tags` (JSON), `notes` (text) and, for searches, at the end of `label`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from shadowtime.engine.errors import InvalidParameter
from shadowtime.workers.records.printable import printable

LONGEST_TITLE, LONGEST_NOTES, LONGEST_TAG, MOST_TAGS = 120, 4000, 40, 12
"""Limits in characters, and the number of tags."""
MOST_BYTES = 800
"""Of title and tags together as UTF-8, see `run_rows.MOST_LABEL`: more than the limits allow in English."""
BEHIND = " \u00a6 "
"""Between the label of a run and the words that its marks add to it."""


@dataclass(frozen=True)
class Marks:
    """Title, tags, notes and star of a run; `experiment` is the id of the sweep that computed it."""

    title: str = ""
    tags: tuple[str, ...] = ()
    notes: str = ""
    starred: bool = False
    experiment: str = ""

    def as_dict(self) -> dict[str, Any]:
        """Return the marks as JSON values."""
        return {**vars(self), "tags": list(self.tags)}

    def changed(self, given: Mapping[str, Any]) -> Marks:
        """Return the marks with those of `given` (title, tags, notes, starred) in place of theirs.

        Raises
        ------
        InvalidParameter
            For a value of another type, or one that is too long.
        """
        changes: dict[str, Any] = {}
        for name, longest in (("title", LONGEST_TITLE), ("notes", LONGEST_NOTES)):
            if name in given:
                changes[name] = _text(name, given[name], longest)
        if "starred" in given:
            if not isinstance(given["starred"], bool):
                raise InvalidParameter(f"starred = {given['starred']!r}, but it must be true or false")
            changes["starred"] = given["starred"]
        if "tags" in given:
            changes["tags"] = _tags(given["tags"])
        changed = replace(self, **changes)
        size = len(" ".join([changed.title, *changed.tags]).lower().encode())
        if size > MOST_BYTES and ("title" in changes or "tags" in changes):
            raise InvalidParameter(f"title and tags have {size:,} bytes together as UTF-8; at most {MOST_BYTES}")
        return changed


def marks_of(row: Mapping[str, Any]) -> Marks:
    """Return the marks in a row; none where its text is not what was written."""
    if not row["tags"]:
        return Marks(notes=str(row["notes"]))
    try:
        known = json.loads(row["tags"])
        return Marks(
            str(known["title"]), tuple(map(str, known["tags"])), str(row["notes"]), bool(known["starred"]),
            str(known["experiment"]),
        )  # fmt: skip
    except (ValueError, KeyError, TypeError, RecursionError):
        return Marks()


def columns(marks: Marks, label: str) -> dict[str, str]:
    """Return the columns of a row that hold the marks; `label` is the row's present one."""
    known = marks.as_dict()
    notes = known.pop("notes")
    words = [marks.title, *(f"tag:{tag}" for tag in marks.tags), *(["is:starred"] if marks.starred else [])]
    words += [f"experiment:{marks.experiment}"] if marks.experiment else []
    added = " ".join(filter(None, words)).lower()
    base = label.partition(BEHIND)[0]
    text = json.dumps(known, ensure_ascii=False) if marks != Marks(notes=marks.notes) else ""
    return {"tags": text, "notes": notes, "label": f"{base}{BEHIND}{added}" if added else base}


def _text(name: str, given: Any, longest: int) -> str:
    if not isinstance(given, str):
        raise InvalidParameter(f"{name} must be a text")
    if len(given) > longest:
        raise InvalidParameter(f"{name} has {len(given):,} characters; at most {longest:,} are kept")
    return printable(given, "\n\t" if name == "notes" else "").strip()


def _tags(given: Any) -> tuple[str, ...]:
    if not isinstance(given, list) or not all(isinstance(tag, str) for tag in given):
        raise InvalidParameter("tags must be a list of texts")
    tags = tuple(dict.fromkeys("-".join(printable(tag).lower().replace(",", " ").split()) for tag in given))
    tags = tuple(filter(None, tags))
    if len(tags) > MOST_TAGS or any(len(tag) > LONGEST_TAG for tag in tags):
        raise InvalidParameter(f"a run has at most {MOST_TAGS} tags of at most {LONGEST_TAG} characters each")
    return tags
