"""The browser half as a house of modules: its rooms, how they are joined, and its tests in node."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from base64 import b64decode
from pathlib import Path

import numpy as np
import pytest

from shadowtime.dashboard import modules
from shadowtime.dashboard.bundles import ENTRIES, Bundles
from shadowtime.engine import tables
from shadowtime.engine.output.notes import rejection_note
from tests.reading_tiles import decode

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ASSETS = ROOT / "assets"
ROOMS = ("base", "api", "live", "gantt", "pages")
GANTT = ("model", "draw", "panels", "input")
MODULES = sorted(path.relative_to(ASSETS).as_posix() for path in ASSETS.rglob("*.js"))
HOOK = "base/debug.js"
node = shutil.which("node")
needs_node = pytest.mark.skipif(node is None, reason="no node on PATH (Debian: apt-get install nodejs)")


def place(module: str) -> tuple[int, int]:
    """How far up a module stands: its room, and inside the viewer its part."""
    room, *rest = module.split("/")
    part = GANTT.index(rest[0]) if room == "gantt" and len(rest) > 1 else len(GANTT)
    return ROOMS.index(room), part if room == "gantt" else 0


def test_every_module_stands_in_a_room():
    assert {module.split("/")[0] for module in MODULES} == set(ROOMS)


@pytest.mark.parametrize("module", MODULES)
def test_a_module_imports_what_is_there_and_below_it(module):
    for other in modules.imports(ASSETS, module):
        assert (ASSETS / other).is_file(), other
        assert place(other) <= place(module), f"{module} imports {other}"


@pytest.mark.parametrize("entry", ENTRIES)
def test_no_modules_import_each_other(entry):
    order = modules.ordered(ASSETS, entry)

    assert all(
        order.index(other) < order.index(module) for module in order for other in modules.imports(ASSETS, module)
    )


def test_every_module_is_in_a_script_and_in_one_of_a_page_only():
    texts = Bundles(ASSETS).texts
    holders = {
        module: [name for name, text in texts.items() if f"/* {module} */".encode() in text] for module in MODULES
    }
    page = [name for name in ENTRIES if "worker" not in name]

    assert all(holders.values())
    assert all(len([name for name in found if name in page]) <= 1 for found in holders.values())


@pytest.mark.parametrize("module", MODULES)
def test_a_module_is_written_so_that_it_can_be_joined(module):
    text = (ASSETS / module).read_text(encoding="utf-8")
    read = modules.IMPORT.sub("", text)

    assert not re.search(r"^import\b", read, re.MULTILINE), "an import that is not read"
    assert not re.search(r"^export\b", modules.EXPORT.sub("", text), re.MULTILINE), "an export that is not read"
    assert module == HOOK or "window.shadowtime" not in text


def test_the_model_knows_neither_canvas_nor_document():
    for module in MODULES:
        if module.startswith("gantt/model/"):
            text = (ASSETS / module).read_text(encoding="utf-8")
            assert not re.search(r"\b(document|window)\.|getContext|requestAnimationFrame", text), module


def test_a_circle_is_refused(tmp_path):
    (tmp_path / "a.js").write_text('import { b } from "./b.js";\nexport const a = b;\n')
    (tmp_path / "b.js").write_text('import { a } from "./a.js";\nexport const b = a;\n')

    with pytest.raises(ValueError, match="each other"):
        modules.ordered(tmp_path, "a.js")


@needs_node
def test_a_joined_script_does_what_its_modules_do(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "b.js").write_text(
        "export const [ONE, TWO] = [1, 2];\nexport async function add(a, b) {\n  return a + b;\n}\n"
    )
    (tmp_path / "a.js").write_text(
        'import { add as sum, ONE } from "./in/b.js";\nimport * as b from "./in/b.js";\n'
        "sum(ONE, b.TWO).then((found) => console.log(found));\n"
    )
    script = modules.joined(tmp_path, modules.ordered(tmp_path, "a.js"), "/assets")

    assert subprocess.run([node, "-e", script], capture_output=True, text=True, check=True).stdout == "3\n"


@needs_node
@pytest.mark.parametrize("file", sorted(path.name for path in HERE.glob("*.test.js")))
def test_in_node(file):
    found = subprocess.run([node, "--test", HERE / file], capture_output=True, text=True, timeout=300)

    assert found.returncode == 0, found.stdout + found.stderr


@needs_node
def test_the_browser_gives_the_reasons_of_rejections_that_exports_give():
    asked = [(reason, amount, tasks) for reason in tables.REJECTIONS for amount in (1, 1200) for tasks in (1, 1200)]
    script = f"""
      import {{ rejection }} from "{ASSETS}/gantt/model/rejections.js";
      console.log(JSON.stringify({json.dumps(asked)}.map((one) => rejection(...one))));
    """
    found = subprocess.run(
        [node, "--input-type=module", "-e", script], capture_output=True, text=True, check=True
    ).stdout

    assert json.loads(found) == [rejection_note(*one) for one in asked]


def test_the_messages_of_the_tests_in_node_are_those_of_tiles():
    text = (HERE / "messages.js").read_text(encoding="utf-8")
    message = b64decode(re.search(r'MESSAGE =\s+"([^"]+)"', text)[1])
    header, columns = decode(message)

    assert header["rows"] == 6
    assert columns["start"].tolist() == [0, 0.1, 2.5, 1e9, -3, 1 / 3]
    assert np.isnan(columns["end"][1])
