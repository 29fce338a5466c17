"""Work of a test in several processes at once."""

import os
from collections.abc import Callable


def in_four_processes(work: Callable[[int], None]) -> None:
    """Call `work(0)` ... `work(3)`, each in a process of its own, and wait until all have ended without an error."""
    children = []
    for number in range(4):
        child = os.fork()
        if child == 0:
            code = 1
            try:
                work(number)
                code = 0
            finally:
                os._exit(code)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0, 0, 0]
