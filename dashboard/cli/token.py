"""`shadowtime token`: the tokens of persons, created, listed and revoked."""

from __future__ import annotations

import argparse
import re
import sys
from datetime import timedelta
from typing import TYPE_CHECKING

from shadowtime.dashboard.cli.parser import Refusal, add_json, add_store
from shadowtime.dashboard.cli.stores import with_settings

if TYPE_CHECKING:
    from shadowtime.workers.records.store import RecordStore
    from shadowtime.workers.records.tokens import Token
    from shadowtime.workers.settings import Settings

SUMMARY = "create, list and revoke tokens of persons"
DESCRIPTION = "Create, list and revoke the tokens by which persons and their scripts are known."
EPILOG = """\
  shadowtime token create --person anna --scope read,submit --expires 90d
  shadowtime token list
  shadowtime token revoke 1f0c9a2b7e
"""
UNITS = {"d": timedelta(days=1), "h": timedelta(hours=1)}
LONGEST = timedelta(days=36_500)


def configure(parser: argparse.ArgumentParser) -> None:
    """One command each, all with `--store`."""
    acts = parser.add_subparsers(required=True)
    create = acts.add_parser("create", help="print a new token, once: only its SHA-256 is stored")
    create.add_argument(
        "--person", required=True, metavar="NAME", help="person that it names, owner of its private runs"
    )
    create.add_argument(
        "--scope", type=names, default=["read", "submit"], metavar="SCOPES",
        help="read, submit (send and queue) and manage (cancel, delete, change), with commas between (read,submit)",
    )  # fmt: skip
    create.add_argument("--group", type=names, default=[], metavar="GROUPS", help="groups, with commas between")
    create.add_argument("--expires", type=duration, metavar="TIME", help="such as 90d or 12h; without it, never")
    create.set_defaults(act=make)
    listing = acts.add_parser("list", help="one line for each token, newest first, with its last use")
    listing.set_defaults(act=show)
    revoke = acts.add_parser("revoke", help="end tokens, and the sessions that were opened with them, for good")
    revoke.add_argument("ids", metavar="ID", nargs="+", help="as `shadowtime token list` prints it")
    revoke.set_defaults(act=take_back)
    for act in (create, listing, revoke):
        add_store(act)
    for act in (create, listing):
        add_json(act)


def run(options: argparse.Namespace) -> int:
    """Do one of the acts on the store."""
    store, settings = with_settings("token", options.store, may_create=options.act is make)
    return options.act(store, settings, options)


def make(store: RecordStore, settings: Settings, options: argparse.Namespace) -> int:
    """Create a token and print it."""
    import json

    from shadowtime.workers.audit import account

    who = account()
    secret, token = store.tokens.create(options.person, options.scope, options.group, options.expires)
    record(store, settings, who, "create token", token)
    if options.json:
        print(json.dumps({"token": secret, **described(token)}))
    else:
        print(secret)
        print(f"token {token.id} of {token.person}: it is not shown again", file=sys.stderr)
    return 0


def show(store: RecordStore, settings: Settings, options: argparse.Namespace) -> int:
    """Print the tokens, a line or one object for all."""
    import json

    from shadowtime.workers.utc import utc_now

    found = store.tokens.all()
    if options.json:
        print(json.dumps({"tokens": [described(token) for token in found]}))
        return 0
    now = utc_now()
    for token in found:
        state = "valid" if token.is_valid(now) else "revoked" if token.revoked else "expired"
        used = f"used {token.used[:16]}Z" if token.used else "never used"
        ends = f"until {token.expires[:16]}Z" if token.expires else "never expires"
        groups = [f"groups {','.join(token.groups)}"] if token.groups else []
        print("  ".join([token.id, token.person, ",".join(token.scopes), *groups, state, ends, used]))
    return 0


def take_back(store: RecordStore, settings: Settings, options: argparse.Namespace) -> int:
    """Revoke tokens, all or none."""
    from shadowtime.workers.audit import account
    from shadowtime.workers.errors import NotFound

    who = account()
    known = {token.id: token for token in store.tokens.all()}
    for one in options.ids:
        if one not in known:
            raise NotFound("token", one)
        if known[one].revoked:
            raise Refusal(f"token: {one} of {known[one].person} is revoked already")
    for one in dict.fromkeys(options.ids):
        record(store, settings, who, "revoke token", store.tokens.revoke(one))
    print(f"{len(set(options.ids))} revoked", file=sys.stderr)
    return 0


def described(token: Token) -> dict[str, object]:
    """Return what is known of a token, as JSON values."""
    return {
        "id": token.id, "person": token.person, "scopes": list(token.scopes), "groups": list(token.groups),
        "created": token.created, "expires": token.expires, "revoked": token.revoked, "used": token.used,
    }  # fmt: skip


def record(store: RecordStore, settings: Settings, who: str, action: str, token: Token) -> None:
    """Record in the audit log who changed which token."""
    from shadowtime.workers.audit import Audit

    what = {"action": action, "object": f"token {token.id} of {token.person}"}
    Audit(settings.audit or store.database).write(who=who, role="command line", **what)


def names(text: str) -> list[str]:
    """Return the names in a text with commas between."""
    return [part.strip() for part in text.split(",") if part.strip()]


def duration(text: str) -> timedelta:
    """Return a duration such as 90d or 12h."""
    found = re.fullmatch(r"(\d{1,6})([dh])", text, re.ASCII)
    lasts = int(found[1]) * UNITS[found[2]] if found else timedelta(0)
    if not timedelta(0) < lasts <= LONGEST:
        raise argparse.ArgumentTypeError(
            f"{text[:80]!r}, but it must be a number of days or hours such as 90d or 12h, at most {LONGEST.days:,} days"
        )
    return lasts
