"""Computes the examples of the pages of algorithms: `python docs/examples.py`.

It is run when an example changes or an algorithm is added; tests/dashboard/test_explained.py compares.
"""

import json

from shadowtime.dashboard.explained.examples import FILE, example, names, simulated


def main() -> None:
    """Write the file of all examples, one page a line."""
    lines = [f"{json.dumps(name)}: {json.dumps(example(simulated(name)))}" for name in names()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
