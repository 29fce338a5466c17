"""The gated worker on a machine whose clock is wrong by $SHADOWTIME_TEST_CLOCK seconds, or with the engine version
$SHADOWTIME_TEST_ENGINE."""

from __future__ import annotations

import datetime as clocks
import os
import runpy
import time

WRONG = float(os.environ.get("SHADOWTIME_TEST_CLOCK", "0"))
ENGINE = os.environ.get("SHADOWTIME_TEST_ENGINE")
REAL = clocks.datetime


class _AnyDate(type(REAL)):
    """Dates that compiled code makes are instances, too."""

    def __instancecheck__(cls, one: object) -> bool:
        return isinstance(one, REAL)


class WrongDate(REAL, metaclass=_AnyDate):
    """A date whose `now` is that of this machine."""

    @classmethod
    def now(cls, tz: clocks.tzinfo | None = None) -> clocks.datetime:
        return REAL.now(tz) + clocks.timedelta(seconds=WRONG)


def make_wrong() -> None:
    """Change the clock for every module that is imported from here on."""
    seconds, nanoseconds = time.time, time.time_ns
    time.time = lambda: seconds() + WRONG
    time.time_ns = lambda: nanoseconds() + int(WRONG * 1e9)
    clocks.datetime = WrongDate  # type: ignore[misc]


if __name__ == "__main__":
    if WRONG:
        make_wrong()
    if ENGINE:
        from shadowtime.workers import version

        version.engine_version = lambda: ENGINE  # type: ignore[assignment]
    runpy.run_module("tests.workers.gated_worker", run_name="__main__")
