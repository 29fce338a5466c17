"""The front desk of the web process, in a process of its own.

Reading a workload (hashing, unpacking, parsing) and making one to preview it hold Python's lock for seconds;
in the web process they would stop every page and every live stream meanwhile. So they happen in a child, which
takes one JSON line a question and gives one a reply, and which ends with the web process because its input does.

    desk.py        the web process's side: `Intake.ask("workload", path=..., name=...)`
    questions.py   the questions, the child's side
    __main__.py    the child
"""
