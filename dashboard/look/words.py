"""Numbers, lengths of time, dates and states as people read them: plain, present tense, numbers first.

Three significant digits, a comma per thousand, a true minus, a thin gap before a unit (one that does not break).
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shadowtime.engine.workload.job import Clock

GAP = "\u202f"
MINUTE, HOUR, DAY = 60, 3600, 86400
LONG = 3 * DAY
"""From here on, days and hours; below, hours and minutes."""

EXACT = 1e15
"""From here on a number has no decimals that could be rounded."""

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def signed(text: str) -> str:
    """`text` of a number with a true minus sign."""
    return text.replace("-", "−")


def with_signs(text: str) -> str:
    """A sentence whose negative numbers have a true minus sign; ranges of words and names keep their hyphens."""
    return re.sub(r"(?<![\w)])-(?=\d)", "−", text)


def unbroken(text: str) -> str:
    """A sentence whose percent signs stay on the line of their numbers, behind the gap of a unit: 5 % and 5%."""
    return re.sub(r"(?<=\d) ?%", f"{GAP}%", text)


def fixed(value: float, places: int) -> str:
    """`value` with so many decimals; a half is rounded away from zero, as browsers do it."""
    if abs(value) >= EXACT:
        return f"{value:,.0f}"
    return f"{Decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP):,f}"


def significant(value: float, digits: int) -> str:
    """`value` with so many significant digits, without zeros at its end: `0.047`, `52.3`, `1.2e-7`."""
    if value == 0:
        return "0"
    exponent = Decimal(value).adjusted()
    if Decimal(value).quantize(Decimal(1).scaleb(exponent + 1 - digits), ROUND_HALF_UP).adjusted() > exponent:
        exponent += 1  # 9.96 with two digits is 10
    if exponent < -6:
        mantissa = f"{Decimal(value).scaleb(-exponent).quantize(Decimal(1).scaleb(1 - digits), ROUND_HALF_UP):f}"
        return f"{_trimmed(mantissa)}e{exponent}"
    return _trimmed(fixed(value, max(0, digits - 1 - exponent)))


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def number(value: float | int | None) -> str:
    """Three significant digits, all digits of a whole number: `37.7`, `188`, `4,601`, `0.69`; empty when missing."""
    if value is None or not math.isfinite(value):
        return ""
    if isinstance(value, int):
        return signed(f"{value:,}")
    size, value = abs(value), value + 0.0  # no minus before a zero
    if size >= 99.95:
        return signed(fixed(value, 0))
    if size >= 9.995:
        return signed(fixed(value, 1))
    if size >= 0.0995 or size == 0:
        return signed(fixed(value, 2))
    return signed(significant(value, 2))


def ratio(value: float | None) -> str:
    """How many times the bound: `×1.61`; empty where nothing is proven."""
    return f"×{number(float(value))}" if value is not None and math.isfinite(value) else ""


def at_most(value: float | None) -> str:
    """How far a value is from the optimum at the most: `at most 1.61 × optimal`; empty where nothing is proven."""
    return f"at most {number(float(value))} × optimal" if value is not None and math.isfinite(value) else ""


def percent(share: float | None) -> str:
    """A share of one, as `61.3 %`."""
    return f"{number(float(share) * 100)}{GAP}%" if share is not None and math.isfinite(share) else ""


def duration(seconds: float | None) -> str:
    """A length of time in at most two units: `0.05 s`, `31 min 30 s`, `3 h 11 min`, `7 d 05 h`; empty when missing."""
    if seconds is None or not math.isfinite(seconds):
        return ""
    sign, size = ("−", -seconds) if seconds < 0 else ("", seconds)
    if 0 < size < 0.00995:
        return f"{sign}{significant(1000 * size, 2)}{GAP}ms"
    if size < 59.95:
        digits = 3 if size >= 10 or size == int(size) else 2
        return f"{sign}{significant(size, digits)}{GAP}s"
    for limit, unit, small, names in (
        (HOUR, MINUTE, 1, "min s"),
        (LONG, HOUR, MINUTE, "h min"),
        (None, DAY, HOUR, "d h"),
    ):
        parts = math.floor(size / small + 0.5)
        if limit is None or parts * small < limit:
            whole, rest = divmod(parts, unit // small)
            first, second = names.split()
            if whole >= 100 and unit == DAY:
                return f"{sign}{math.floor(size / DAY + 0.5):,}{GAP}d"
            return f"{sign}{whole:,}{GAP}{first}" + (f" {rest:02d}{GAP}{second}" if rest or unit > MINUTE else "")
    raise AssertionError("the last unit has no limit")


def tick(seconds: float) -> str:
    """A duration on an axis: as `duration`, without a second unit of 0: `15 h`, `7 d`."""
    return duration(seconds).removesuffix(f" 00{GAP}min").removesuffix(f" 00{GAP}h")


def days(seconds: float) -> str:
    """Whole days: `2 d`."""
    return f"{seconds / DAY:,.0f}{GAP}d"


def ticks(times: Sequence[float]) -> list[str]:
    """Durations on one axis, all in days where one of them is: `0`, `2 d`, `4 d`, not `48 h`."""
    said = [tick(t) if t else "0" for t in times]
    is_in_days = any(text.endswith(f"{GAP}d") for text in said) and not any(t % DAY for t in times)
    return [days(t) if t else "0" for t in times] if is_in_days else said


def seconds_about(seconds: float | None) -> str:
    """A guess at a length of time: one digit below ten seconds, then two."""
    if seconds is None or not math.isfinite(seconds):
        return ""
    if seconds < 0.095:
        return f"0.1{GAP}s"
    if seconds < 9.5:
        return f"{seconds:.1g}{GAP}s" if seconds < 1 else f"{seconds:.2g}{GAP}s"
    return duration(float(round(seconds))) if seconds < MINUTE else duration(round(seconds / 5) * 5.0)


def count(n: int, one: str, many: str = "") -> str:
    """`1 job`, `27,992 jobs`."""
    return f"{n:,} {one if n == 1 else many or one + 's'}"


def ordinal(n: int) -> str:
    """`first` ... `tenth`, then `11th`, `22nd`."""
    if 1 <= n <= len(ORDINALS):
        return ORDINALS[n - 1]
    ending = "th" if 10 <= n % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(n % 10, "th")
    return f"{n:,}{ending}"


def size(n_bytes: int) -> str:
    """Bytes as `0.4 MB`, `912 kB`."""
    if n_bytes >= 100_000:
        amount, unit = (n_bytes / 1e6, "MB") if n_bytes < 1e9 else (n_bytes / 1e9, "GB")
        return f"{amount:,.0f}{GAP}{unit}" if amount >= 100 else f"{amount:,.1f}{GAP}{unit}"
    return f"{n_bytes / 1e3:,.0f}{GAP}kB" if n_bytes >= 1000 else f"{n_bytes}{GAP}B"


def fineness(span: float) -> str:
    """How finely times of day are written where all of them lie within `span` seconds: "second" or "minute"."""
    return "second" if span < HOUR else "minute"


def instant(seconds: float, clock: Clock | None, *, year: bool = False, to: str = "second") -> str:
    """A moment of a workload: `Wed 5 Feb 22:48:00`; without a date `50 s`, `2 h 05 min`, `day 3 02:14:07`.

    `to` is how finely: "second", "minute" or "day".
    """
    if not math.isfinite(seconds):
        return ""
    if clock is not None:
        moment = datetime.fromtimestamp(clock.unix_start, UTC) + timedelta(seconds=seconds)
        local = moment.astimezone(clock.time_zone)
        date = f"{local:%a} {local.day} {local:%b}" + (f" {local.year}" if year else "")
        clock_time = {"second": f" {local:%H:%M:%S}", "minute": f" {local:%H:%M}", "day": ""}[to]
        return date + clock_time
    if abs(seconds) < 2 * DAY:
        return duration(seconds)
    day, rest = divmod(math.floor(seconds + 1e-6), DAY)
    second = f":{rest % MINUTE:02d}" if to == "second" else ""
    return f"day {day:,}" + (f" {rest // HOUR:02d}:{rest % HOUR // MINUTE:02d}{second}" if to != "day" else "")


def when(moment: datetime, now: datetime) -> str:
    """A date of our own, seen from `now` (both with a zone): `now`, `2 min ago`, `today 11:02`, `18 Nov`."""
    local, today = moment.astimezone(now.tzinfo), now.date()
    passed = (now - moment).total_seconds()
    if passed < 45:
        return "now"
    if passed < HOUR:
        return f"{max(1, round(passed / MINUTE))} min ago"
    if local.date() == today:
        return f"today {local:%H:%M}"
    if local.date() == today - timedelta(days=1):
        return f"yesterday {local:%H:%M}"
    return day(local, now)


def day(local: datetime, now: datetime) -> str:
    """A date seen from `now`: `18 Nov`, `18 Nov 2024`."""
    return f"{local.day} {local:%b}" + (f" {local.year}" if local.year != now.year else "")


def joined(words: list[str], last: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)
