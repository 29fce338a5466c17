"""How far a plan or a linear program is, and whether it is still wanted."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import SimulationError


class Stopped(SimulationError):
    """Nobody wants the answer any more."""


@dataclass
class Watch:
    """Shared by a long computation and whoever waits for it."""

    stop: bool = False
    share: float = 0.0
    """How far it is, 0 to 1."""

    def look(self) -> None:
        """Raise `Stopped` when the answer is not wanted any more."""
        if self.stop:
            raise Stopped("stopped while the plan was made")
