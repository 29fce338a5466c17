"""`shadowtime links`: the short links of a store, and taking some back."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from shadowtime.dashboard.cli.parser import add_json, add_store
from shadowtime.dashboard.cli.stores import with_settings

if TYPE_CHECKING:
    from shadowtime.workers.records.store import RecordStore
    from shadowtime.workers.settings import Settings

SUMMARY = "list short links, and revoke them"
DESCRIPTION = "List all short links of a store, or revoke some of them."
EPILOG = """\
  shadowtime links list --owner anna
  shadowtime links revoke abcdefgh
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """One command each, all with `--store`."""
    acts = parser.add_subparsers(required=True)
    listing = acts.add_parser("list", help="list all valid links, newest first")
    listing.add_argument(
        "--owner", metavar="NAME", help="only links that this user made; `token`: made with the token of the server"
    )
    add_json(listing)
    listing.set_defaults(act=show)
    revoke = acts.add_parser("revoke", help="revoke links for good")
    revoke.add_argument("codes", metavar="CODE", nargs="+", help="part of a link after /s/")
    revoke.set_defaults(act=take_back)
    for act in (listing, revoke):
        add_store(act)


def run(options: argparse.Namespace) -> int:
    """Do one of the acts on the store."""
    store, settings = with_settings("links", options.store)
    return options.act(store, settings, options)


def show(store: RecordStore, settings: Settings, options: argparse.Namespace) -> int:
    """Print the links, a line or one object for all."""
    import json

    owners = (options.owner, f"user:{options.owner}")
    found = [link for link in store.links.all() if options.owner is None or link.owner in owners]
    found.sort(key=lambda link: (link.made, link.code), reverse=True)
    if options.json:
        listed = [
            {"code": link.code, "target": link.target, "title": link.title, "made": link.made, "owner": link.owner,
             "private": link.is_secret, "damaged": link.is_damaged}
            for link in found
        ]  # fmt: skip
        print(json.dumps({"links": listed}, ensure_ascii=False))
        return 0
    if not found:
        print("no links", file=sys.stderr)
    for link in found:
        owner = (link.owner or "-").removeprefix("user:")
        mark = "damaged" if link.is_damaged else "private" if link.is_secret else "public"
        print("  ".join(filter(None, [link.code, link.made[:10], owner, mark, link.target, link.title])))
    return 0


def take_back(store: RecordStore, settings: Settings, options: argparse.Namespace) -> int:
    """Revoke links, all or none; the audit log records by whom."""
    from shadowtime.workers.audit import Audit, account, without_codes

    who = account()
    codes = [code.rpartition("/")[2] for code in options.codes]
    for code in codes:
        store.links.read(code)
    audit = Audit(settings.audit or store.database)
    for code in codes:
        store.links.revoke(code)
        audit.write(who=who, role="command line", path=without_codes(f"/api/links/{code}"))
    print(f"{len(codes)} revoked", file=sys.stderr)
    return 0
