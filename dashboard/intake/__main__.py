"""The child: a JSON line in, a JSON line out, until the input ends."""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import traceback
from typing import Any, BinaryIO

NICE = 5
"""The web process and the simulations go first."""


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the web process, and its end is ours
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # a stray print must not look like a reply
    os.nice(NICE)

    from shadowtime.dashboard.intake.fidelity import fidelity
    from shadowtime.dashboard.intake.preview import preview
    from shadowtime.dashboard.intake.priority import priority
    from shadowtime.dashboard.intake.questions import Desk, add, ask, columns, draw
    from shadowtime.dashboard.intake.sites import site
    from shadowtime.dashboard.intake.slurm_sites import slurm_site
    from shadowtime.dashboard.intake.sweeps import sweep
    from shadowtime.workers.settings import Settings

    settings = Settings.from_environment()
    if settings.run_memory:
        resource.setrlimit(resource.RLIMIT_AS, (settings.run_memory, settings.run_memory))
    desk = Desk(settings)
    questions = {
        "add": add, "ask": ask, "columns": columns, "draw": draw, "fidelity": fidelity, "preview": preview,
        "priority": priority, "site": site, "slurm_site": slurm_site, "sweep": sweep,
    }  # fmt: skip
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        _reply(replies, _answer(questions[asked["question"]], desk, asked["values"]))


def _answer(question: Any, desk: Any, values: dict[str, Any]) -> dict[str, Any]:
    from shadowtime.dashboard.access.refusal import Refusal, no_room, status_of
    from shadowtime.workers.failures import plugin_of

    try:
        return {"answer": question(desk, **values)}
    except Refusal as refusal:
        return {"status": refusal.status, "error": refusal.sentence}
    except MemoryError:
        return {"status": 400, "error": "It needs more memory than one request may use here. Nothing was stored."}
    except Exception as error:
        status = status_of(error)
        if status is None and (full := no_room(error)):
            return {"status": full.status, "error": full.sentence}
        if status is None:
            traceback.print_exc()
            if plugin := plugin_of(error):
                sentence = f"The plug-in {plugin} raised {type(error).__name__} over this; the log says where."
                return {"status": 400, "error": sentence}
            return {"status": 500, "error": "Something went wrong here; the log of the web process says what."}
        return {"status": status, "error": str(error)}


def _reply(replies: BinaryIO, reply: dict[str, Any]) -> None:
    replies.write(json.dumps(reply).encode() + b"\n")
    replies.flush()


if __name__ == "__main__":
    main()
