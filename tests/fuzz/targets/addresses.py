"""Addresses: pages and views, short links, ids of messages, lists of runs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import mkdtemp

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api.hub import order
from shadowtime.dashboard.api.live import run_ids
from shadowtime.dashboard.components import search
from shadowtime.dashboard.sharing import shared, urls
from shadowtime.engine.errors import QuestionError
from shadowtime.workers.records import schema
from shadowtime.workers.records.store import RecordStore
from tests.fuzz.target import Target, text

CODE, ID = "abcdefgh", "13189c2c62a84589"


LOOKED_UP = ("unknown", "shared", "paper", "algorithm")
"""Pages whose item is shown, or looked up in a table by its text."""


def address(content: bytes) -> None:
    """A view that was read is written as one that is read the same, and no page is a path of the disk."""
    path, _, query = text(content).partition("?")
    view = urls.View.parse(query)
    assert urls.View.parse(view.query()) == view
    compared = urls.Comparison.parse(query)
    assert urls.Comparison.parse(compared.query()) == compared
    place = urls.place(path)
    assert place.page in LOOKED_UP or ".." not in place.item
    urls.query(query), shared.runs_of(text(content)), search.jobs(query.lower())


def lists(content: bytes) -> None:
    time, serial = order(text(content))
    assert time >= 0 and serial >= 0
    assert all(urls.ID.fullmatch(one) for one in run_ids(text(content)))


@cache
def store() -> RecordStore:
    return RecordStore(Path(mkdtemp(prefix="shadowtime-fuzz-")))


def link(content: bytes) -> None:
    """A link leads to this site, and comes back as it was made."""
    target, _, title = text(content).partition("\n")
    if title.startswith("code="):
        store().links.read(title[5:])
    made, _ = shared.make(store(), target, title)
    assert made.target.startswith("/") and not made.target.startswith(("//", "/\\"))
    assert store().links.read(made.code) == made and shared.opened(made).startswith("/")
    with store().database.write() as connection:
        connection.execute(schema.links.delete())


PARTS = ("from=", "to=", "nodes=", "job=", "colour=", "at=", "find=", "panels=", "rows=", "v=1", "runs=", "baseline=",
         "of=", "show=", "align=", "columns=", "spread=", "why=", "%2e%2e%2f", "%00", "\\", "//", "/s/", ID, "\u0661",
         "\u00b2", "1e999", "-0")  # fmt: skip
ADDRESSES = (
    f"/runs/{ID}?v=1&from=0&to=1110&nodes=0-9&job=2&colour=stretch&at=53&find=user+15&rows=wait&panels=now",
    f"/compare?runs={ID},6f0d2a91c7be4410&baseline={ID}&show=scatter&spread=wait-count&columns=a,b&why={ID}",
    "/workloads/7551e48cece1b8a0",
    "/papers/measy?scale=full",
    "/s/abcdefgh",
    "/runs/..%2f..%2fetc",
)
LISTS = (f"{ID},6f0d2a91c7be4410", "1700000000000-3", "0", ID * 4)
LINKS = (
    "/runs?status=finished\nA title", "/compare?runs=a\n", "//evil.example", "/\\evil", "/algorithms\ncode=abcdefgh",
    "/?workload=7551e48cece1b8a0\n<b>",
)  # fmt: skip


def encoded(texts: tuple[str, ...]) -> Callable[[], list[bytes]]:
    return lambda: [one.encode() for one in texts]


TARGETS = (
    Target("addresses", "Addresses of pages and what they show", address, encoded(ADDRESSES), words=PARTS),
    Target("lists", "Lists of runs and ids of messages", lists, encoded(LISTS), (QuestionError, Refusal)),
    Target("links", "Targets, titles and codes of short links", link, encoded(LINKS), words=PARTS),
)
