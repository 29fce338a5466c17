"""Name persons, groups and scopes: the rules are the same for tokens, a proxy and an identity provider."""

from __future__ import annotations

import re
from collections.abc import Iterable

from shadowtime.engine.errors import InvalidParameter

READ, SUBMIT, MANAGE = "read", "submit", "manage"
SCOPES = (READ, SUBMIT, MANAGE)
"""Read what one may see; send workloads and queue work; cancel, delete and change."""
PERSON = re.compile(r"[\w.@+-]{1,64}", re.ASCII)
"""A name; any other text, also two names joined by a comma, is no name."""
GROUP = re.compile(r"[\w.@+:/-]{1,64}", re.ASCII)
MOST_GROUPS = 100
OF_GROUP = "group:"


def owner_of(person: str) -> str | None:
    """Return the key of what a person owns; None without a name."""
    return f"user:{person}" if person else None


def key_of_group(group: str) -> str:
    """Return the key of what belongs to a group: all its members own it."""
    return f"{OF_GROUP}{group}"


def group_of(owner: str | None) -> str | None:
    """Return the group that an owner's key names; None for any other owner."""
    return owner.removeprefix(OF_GROUP) if owner and owner.startswith(OF_GROUP) else None


def check_person(name: str) -> str:
    """Return a name. InvalidParameter for a text that is none."""
    if not PERSON.fullmatch(name):
        raise InvalidParameter(f"person = {name[:80]!r}, but it must have 1 to 64 letters, digits and . _ @ + -")
    return name


def check_groups(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of groups, each once. InvalidParameter for a text that is none, or too many."""
    groups = tuple(dict.fromkeys(names))
    for name in groups:
        if not GROUP.fullmatch(name):
            raise InvalidParameter(f"group = {name[:80]!r}, but it must have 1 to 64 letters, digits and . _ @ + - : /")
    if len(groups) > MOST_GROUPS:
        raise InvalidParameter(f"{len(groups):,} groups, but a person has at most {MOST_GROUPS}")
    return groups


def check_scopes(names: Iterable[str]) -> tuple[str, ...]:
    """Return scopes in their usual order. InvalidParameter for none, and for one that is unknown."""
    given = set(names)
    if not given or given - {*SCOPES}:
        unknown = ", ".join(sorted(given - {*SCOPES})) or "none"
        raise InvalidParameter(f"scope = {unknown[:80]!r}, but it must be some of {', '.join(SCOPES)}")
    return tuple(scope for scope in SCOPES if scope in given)


def groups_in(said: object) -> tuple[str, ...]:
    """Return the groups that a proxy or an identity provider names: a list, or a text with commas between. What is no
    name is left out."""
    parts = said.split(",") if isinstance(said, str) else said if isinstance(said, list | tuple) else ()
    names = (part.strip() for part in parts if isinstance(part, str))
    return tuple(dict.fromkeys(name for name in names if GROUP.fullmatch(name)))[:MOST_GROUPS]
