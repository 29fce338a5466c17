"""Faults: at every step of what is done to a store, and at random in a laboratory at work. `python -m tests.chaos`."""
