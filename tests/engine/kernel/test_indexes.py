"""Compiled code of the engine counts rows from the front only."""

import os
import subprocess
import sys

import numpy as np

from shadowtime.engine.kernel.cache import allocating

PROGRAM = """
import numpy as np
from shadowtime.engine.kernel.cache import allocating

@allocating
def element(values, at):
    return values[at]

print(element(np.arange(3), 2))
try:
    element(np.arange(3), -1)
except IndexError as error:
    print(error)
"""


@allocating
def swapped(values, at, rows):
    values[at], values[at + 1] = values[at + 1], values[at]
    rows[at].size += values[at]
    return values[at], values[-1], rows[at].size


def test_elements_are_read_and_written_by_any_type_of_index_and_constants_count_from_the_end():
    for kind in (np.int64, np.int32, np.uint8):
        rows = np.zeros(4, [("size", "i8")])
        values = np.array([5, 6, 7, 8])

        assert swapped(values, kind(1), rows) == (7, 8, 7)
        assert values.tolist() == [5, 7, 6, 8]


def test_the_code_has_no_choice_between_the_ends_of_an_array():
    swapped(np.arange(4), 1, np.zeros(4, [("size", "i8")]))

    assert not any("select" in code for code in swapped.inspect_llvm().values())


def test_a_negative_index_is_an_error_where_bounds_are_checked(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(tmp_path)}

    ran = subprocess.run(
        [sys.executable, str(tmp_path / "program.py")], env=environment, capture_output=True, text=True, check=True
    )

    assert ran.stdout.splitlines() == ["2", "index is out of bounds"]
