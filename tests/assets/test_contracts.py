"""What Python and the browser both know: `contracts.json`, which `contracts.test.js` reads too, and random values."""

from __future__ import annotations

import json
import math
import random
import shutil
import subprocess
from dataclasses import asdict
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from shadowtime.dashboard.look import theme, words
from shadowtime.dashboard.sharing import urls
from shadowtime.dashboard.viewer.windows import Windows
from shadowtime.engine import tables
from shadowtime.engine.workload.job import Clock

HERE = Path(__file__).resolve().parent
ASSETS = HERE.parents[1] / "assets"
CONTRACTS = json.loads((HERE / "contracts.json").read_text(encoding="utf-8"))
node = shutil.which("node")


def amount(value: float) -> str:
    """As the browser writes what is often whole: Python knows an integer by its type."""
    return words.number(int(value) if float(value).is_integer() else value)


def instant(clock: dict | None, seconds: float, to: str) -> str:
    return words.instant(seconds, clock and Clock(**clock), to=to)


def view(query: str) -> dict:
    found = asdict(urls.View.parse(query))
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in found.items() if value or value == 0
    }


WRITTEN = {
    "number": lambda value: words.number(float(value)), "amount": amount, "count": words.count,
    "duration": words.duration, "instant": instant,
    "fineness": words.fineness, "hue": theme.job_hue, "view": view,
}  # fmt: skip


@pytest.mark.parametrize("name", WRITTEN)
def test_as_in_the_contracts(name):
    for *given, expected in CONTRACTS[name]:
        found = WRITTEN[name](*given)

        assert (found.replace(words.GAP, " ") if isinstance(found, str) else found) == expected, given


@pytest.mark.parametrize(("rule", "edges", "values", "classes"), CONTRACTS["ramp"])
def test_a_ramp_as_in_the_contracts(rule, edges, values, classes):
    zeros = np.zeros(len(values))
    jobs = {
        "size": {"processors": np.array(values)},
        "wait": {"start": np.array(values), "release": zeros},
        "stretch": {"release": zeros, "end": 10.0 * np.array(values), "runtime": zeros + 10.0},
    }[rule]

    assert Windows.classes(SimpleNamespace(jobs=jobs, tau=10.0), rule, tuple(edges)).tolist() == classes


def test_kinds_of_events_have_one_number():
    known = {name.upper(): code for code, name in enumerate(tables.EVENT_KINDS)}

    assert said_in_node(f'import * as kinds from "{ASSETS}/gantt/model/kinds.js"; const said = {{...kinds}};') == {
        **known, "RUN": 0, "STALL": tables.STALL, "LOST": tables.LOST,
    }  # fmt: skip


def test_random_values_are_written_alike():
    draw = random.Random(20261123)
    values = [draw.choice((-1, 1)) * 10 ** draw.uniform(-9, 12) for _ in range(3000)]
    values += [draw.randrange(-10_000_000, 10_000_000) / 2 ** draw.randrange(0, 12) for _ in range(3000)]
    asked = json.dumps(values)
    found = said_in_node(f"""
      import {{ formatAmount, formatDuration, formatNumber }} from "{ASSETS}/base/words.js";
      const said = {asked}.map((value) => [formatNumber(value), formatAmount(value), formatDuration(value)]);
    """)
    differing = [
        (value, here, there)
        for value, there in zip(values, found, strict=True)
        if (here := [words.number(value), amount(value), words.duration(value)]) != there
    ]

    assert differing[:5] == []


def test_random_views_are_read_alike():
    draw = random.Random(20261123)
    parts = {
        "v": ["1", "1", "1", "2", ""], "from": ["0", "5.5", "-3", "1e3", "x", ""], "to": ["7", "1110.25", "nan", "-9"],
        "nodes": ["0-9", "9-0", "3", "12-345", "1-2-3"], "job": ["2", "-5", "x", "12345678901234567890"],
        "colour": [*urls.COLOURS, "none"], "at": ["0", "53.5", "Infinity", "1_000", " 4"],
        "find": ["user+15", "SIZE+%3C+3", "size+3-2", "size+3%20-%204", "job+7", "job", "+user+1+"],
        "rows": [*urls.ROWS, "lanes", "x"], "panels": ["now", "x,now", ","],
    }  # fmt: skip
    queries = []
    for _ in range(2000):
        names = draw.choices(list(parts), k=draw.randrange(0, 8))
        queries.append("?" + "&".join(f"{name}={draw.choice(parts[name])}" for name in names))
    found = said_in_node(f"""
      import {{ parseView }} from "{ASSETS}/gantt/model/address.js";
      const said = {json.dumps(queries)}.map((query) => {{
        const {{ version, wrong, ...view }} = parseView(query);
        return view;
      }});
    """)
    differing = [(query, there) for query, there in zip(queries, found, strict=True) if plain(there) != view(query)]

    assert differing[:5] == []
    assert sum(map(math.isfinite, (one["at"] for one in found if one["at"] is not None))) > 100


def plain(found: dict) -> dict:
    return {name: value for name, value in found.items() if value or value == 0}


def said_in_node(script: str):
    """What a module script calls `said`."""
    if node is None:
        pytest.skip("no node on PATH (Debian: apt-get install nodejs)")
    done = subprocess.run(
        [node, "--input-type=module", "-"],
        input=f"{script}\nconsole.log(JSON.stringify(said));",
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
