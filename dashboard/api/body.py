"""What a client sent, checked for shape before anybody looks inside."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable
from typing import Any, NoReturn

from flask import request

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.api.body_limit import too_long

JOB = re.compile(r"-?\d{1,17}", re.ASCII)
LONGEST = 1_000_000
"""Bytes of a question; a file has its own limit."""
MOST_SECONDS = 1e15
"""Largest instant that may be asked for: beyond it a double does not resolve a second."""
NARROWEST = 1e-9
"""Seconds of a window."""


def content() -> bytes:
    """The bytes of this request's body.

    Raises Refusal: 413 for a body of more than LONGEST bytes.
    """
    if (request.content_length or 0) > LONGEST:
        raise too_long(LONGEST)
    sent: bytes = request.get_data(cache=False)
    if len(sent) > LONGEST:
        raise too_long(LONGEST)
    return sent


def json_object(known: Iterable[str], needed: Iterable[str] = ()) -> dict[str, Any]:
    """The JSON object of this request's body, with no keys but `known` and all those `needed`.

    Raises Refusal: 400 in one sentence, 413 for a body that is too long.
    """
    sent = content()
    try:
        value = json.loads(sent.decode("utf-8-sig"), parse_constant=_no_number, object_pairs_hook=_object)
        # JSON can hold half of a surrogate pair and numbers beyond all bounds, but neither can be stored.
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except RecursionError:
        raise Refusal(400, "The body is nested too deeply.") from None
    except ValueError as error:
        raise Refusal(400, f"The body is not JSON: {str(error)[:200]}.") from None
    if not isinstance(value, dict):
        raise Refusal(400, f"The body must be a JSON object, but it is {_kind(value)}.")
    names = list(known)
    for key in value:
        if key not in names:
            raise Refusal(400, f"unknown key {key[:80]!r}; known: {', '.join(names)}")
    for key in needed:
        if value.get(key) is None:
            raise Refusal(400, f"{key} must be given.")
    return value


def text(value: dict[str, Any], key: str) -> str | None:
    """The text under `key`, or None where there is none."""
    return _typed(value, key, str, "a text")


def mapping(value: dict[str, Any], key: str) -> dict[str, Any] | None:
    return _typed(value, key, dict, "an object")


def sequence(value: dict[str, Any], key: str) -> list[Any] | None:
    return _typed(value, key, list, "a list")


def whole(value: dict[str, Any], key: str) -> int | None:
    """The whole number under `key`; JSON's true is none."""
    number = value.get(key)
    if isinstance(number, float):
        raise Refusal(400, f"{key} must be a whole number, but it is {number!r}.")
    if isinstance(number, bool):
        raise Refusal(400, f"{key} must be a whole number, but it is true or false.")
    return _typed(value, key, int, "a whole number")


def yes_no(value: dict[str, Any], key: str) -> bool:
    """Whether `key` is true; false where it is not given."""
    return bool(_typed(value, key, bool, "true or false"))


def parameter(name: str, default: int, low: int, high: int) -> int:
    """A whole number of the query string."""
    given = request.args.get(name)
    if given is None:
        return default
    if not (given.isascii() and given.isdigit() and len(given) < 10 and low <= int(given) <= high):
        raise Refusal(400, f"{name} = {given[:40]!r}, but it must be a whole number from {low} to {high}.")
    return int(given)


def seconds(name: str) -> float | None:
    """An instant [s] of the query string; None where it is not given."""
    given = request.args.get(name)
    if given is None:
        return None
    try:
        value = float(given) if given.isascii() else math.nan
    except ValueError:
        value = math.nan
    if not abs(value) <= MOST_SECONDS:
        rule = f"a number of seconds from {-MOST_SECONDS:,.0f} to {MOST_SECONDS:,.0f}"
        raise Refusal(400, f"{name} = {given[:40]!r}, but it must be {rule}.")
    return value


def check_window(start: float, end: float) -> None:
    """Refuse a window that has no width, or one that no number of columns can be drawn in."""
    if not end - start >= NARROWEST:
        rule = f"a window begins before it ends, by {NARROWEST:g} s or more"
        raise Refusal(400, f"from = {start:g} and to = {end:g}, but {rule}.")


def switch(name: str, default: bool = False) -> bool:
    """1 or 0 in the query string."""
    return bool(parameter(name, default, 0, 1))


def id_of_job(name: str) -> int:
    """The number of a job, which may be below 0, in the query string."""
    given = request.args.get(name, "")
    if not JOB.fullmatch(given):
        raise Refusal(400, f"{name} = {given[:40]!r}, but it must be a whole number.")
    return int(given)


def _typed(value: dict[str, Any], key: str, kind: type, words: str) -> Any:
    found = value.get(key)
    if found is not None and not isinstance(found, kind):
        raise Refusal(400, f"{key} must be {words}, but it is {_kind(found)}.")
    return found


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a text", type(None): "null", bool: "true or false"}
    return names.get(type(value), "a number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; one key with two values is refused, since it does not say which of them is meant."""
    made: dict[str, Any] = {}
    for name, value in pairs:
        if name in made:
            raise Refusal(400, f"The body has the key {name[:80]!r} twice in one object.")
        made[name] = value
    return made


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number there")
