"""ES modules of `assets/` joined into one classic script.

A module becomes a constant named by its path that holds what it exports, in the order of imports:

    const base$words = (() => { ...; return { formatNumber }; })();

Scripts of a page share their top-level constants, so that a module stands in one of them only. The modules keep to what
is read here: `import { a, b as c } from "./x.js";`, `import * as x from "./x.js";`, `import "./x.js";`, and
`export` before a declaration; no circles.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from pathlib import Path

IMPORT = re.compile(r'^import (?:(?:\{([^}]*)\}|\* as (\w+)) from )?"(\.[\w./-]+)";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async function|function|class|const) (\w+|\[[^\]]*\]))", re.MULTILINE)


def imports(folder: Path, module: str) -> list[str]:
    """Modules that a module imports, as paths in the folder."""
    found = IMPORT.findall((folder / module).read_text(encoding="utf-8"))
    return [posixpath.normpath(posixpath.join(posixpath.dirname(module), path)) for *_, path in found]


def ordered(folder: Path, entry: str) -> list[str]:
    """The entry after all modules that it needs, each after what it imports itself."""
    done: list[str] = []

    def visit(module: str, path: tuple[str, ...]) -> None:
        if module in path:
            raise ValueError(f"modules import each other: {' <- '.join((*path, module))}")
        if module in done:
            return
        for other in imports(folder, module):
            visit(other, (*path, module))
        done.append(module)

    visit(entry, ())
    return done


def joined(folder: Path, modules: Iterable[str], address: str) -> str:
    """The modules as a script; `address`: of the folder, for addresses that are relative to a module."""
    return '"use strict";\n' + "\n".join(_wrapped(folder, module, address) for module in modules)


def _wrapped(folder: Path, module: str, address: str) -> str:
    text = (folder / module).read_text(encoding="utf-8")
    names = [name for found in EXPORT.findall(text) for name in re.findall(r"\w+", found)]

    def constants(found: re.Match[str]) -> str:
        names, whole, path = found.groups()
        if not (names or whole):
            return ""
        constant = _constant(posixpath.normpath(posixpath.join(posixpath.dirname(module), path)))
        return f"const {whole or '{' + names.replace(' as ', ': ') + '}'} = {constant};\n"

    text = EXPORT.sub("", IMPORT.sub(constants, text))
    text = text.replace("import.meta.url", f'new URL("{address}/{module}", document.baseURI)')
    given = f"return {{ {', '.join(names)} }};\n" if names else ""
    return f"/* {module} */\nconst {_constant(module)} = (() => {{\n{text}{given}}})();\n"


def _constant(module: str) -> str:
    return module.removesuffix(".js").replace("/", "$").replace("-", "_")
