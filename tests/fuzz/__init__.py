"""Hostile input, coverage-guided: every parser of what a person can send, and the API by its own description.

target.py     what a target is, and the promise that it is held to
targets/      the parsers, a file for each sort of thing that is sent
mutation.py   how seeds are changed: as bytes, and as JSON
running.py    targets under atheris, a process each, within limits of time and memory
__main__.py   `python -m tests.fuzz`: the long form, which prints what was tried
api.py        the whole API by schemathesis
"""
