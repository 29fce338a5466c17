"""Tables come back from disk as they were, or not at all."""

from __future__ import annotations

import numpy as np
import pytest

from workers.store.columns import read_table, write_tables

RAGGED = {"first": np.array([0, 2, 5]), "usage": np.linspace(0.1, 0.5, 5), "none": np.zeros(0, "f4")}


@pytest.mark.parametrize("mapped", [True, False])
def test_columns_of_different_lengths_come_back_whole(tmp_path, mapped):
    write_tables(tmp_path, {"parts": RAGGED, "empty": {}})
    read = read_table(tmp_path / "parts", mapped=mapped)

    assert list(read) == list(RAGGED)
    assert all(np.array_equal(read[name], RAGGED[name]) and read[name].dtype == RAGGED[name].dtype for name in RAGGED)
    assert read_table(tmp_path / "empty") == {}


@pytest.mark.parametrize("change", [lambda whole: whole[:-8], lambda whole: whole + bytes(8)])
def test_a_file_of_another_length_is_refused(tmp_path, change):
    write_tables(tmp_path, {"parts": RAGGED})
    path = tmp_path / "parts" / "usage.npy"
    path.write_bytes(change(path.read_bytes()))

    with pytest.raises(ValueError, match="does not hold 5 values of type float64"):
        read_table(tmp_path / "parts")
