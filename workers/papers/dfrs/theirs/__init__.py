"""The figures of tables 2 to 5 of RR-7659, as printed: an empty cell is one that does not apply."""
