"""Who imports whom: the graph of the modules below some folders, imports inside functions counted."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def running(module: ast.AST, *, loading: bool = False) -> Iterator[ast.AST]:
    """Nodes that ever run, all but `if TYPE_CHECKING`; loading: those that run when the module is imported."""
    stack = [module]
    while stack:
        node = stack.pop()
        yield node
        if loading and isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING":
            stack.extend(node.orelse)
            continue
        stack.extend(ast.iter_child_nodes(node))


@cache
def names_in(path: Path) -> tuple[frozenset[str], frozenset[str]]:
    """Return the dotted names that a file imports anywhere, and those it imports when it is imported itself."""
    module = tree(path)
    return frozenset(imported(running(module))), frozenset(imported(running(module, loading=True)))


def imported(nodes: Iterable[ast.AST]) -> set[str]:
    """Dotted names that `nodes` import; of `from a import b` both `a` and `a.b`, which may be a module too."""
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: a relative import hides where it looks"
            assert node.module is not None
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


@dataclass(frozen=True)
class Graph:
    """The modules below `folders` of `root`, which is installed as the package `package`."""

    root: Path
    folders: tuple[str, ...]
    package: str = "shadowtime"
    loading: bool = False
    """Whether only imports count that run when a module is imported."""

    @cached_property
    def modules(self) -> dict[str, Path]:
        """The file of each module."""
        found = {}
        for folder in self.folders:
            for path in sorted((self.root / folder).rglob("*.py")):
                parts = path.relative_to(self.root).with_suffix("").parts
                found[".".join((self.package, *parts)).removesuffix(".__init__")] = path
        return found

    @cached_property
    def names(self) -> dict[str, frozenset[str]]:
        """Dotted names that each module imports, whatever they are."""
        return {name: names_in(path)[self.loading] - {name} for name, path in self.modules.items()}

    @cached_property
    def edges(self) -> dict[str, set[str]]:
        """Modules that each module imports: of `from package import module` the module, not the package."""
        edges = {}
        for name, names in self.names.items():
            known = {other for other in names if other in self.modules}
            froms = {other.rpartition(".")[0] for other in known}
            edges[name] = {other for other in known if other not in froms or self._takes(names, other)}
        return edges

    def _takes(self, names: frozenset[str], package: str) -> bool:
        """Whether something is imported from `package` itself, and not only modules below it."""
        below = [other for other in names if other.rpartition(".")[0] == package]
        return not below or any(other not in self.modules for other in below)

    def under(self, *prefixes: str) -> set[str]:
        """The modules whose names are, or begin with, one of `prefixes`, without the package's own name."""
        starts = tuple(f"{self.package}.{prefix}." for prefix in prefixes)
        return {name for name in self.modules if f"{name}.".startswith(starts)}

    def reach(self, names: Iterable[str]) -> set[str]:
        """Modules that are loaded with `names`, these included: what they import, and the packages around it."""
        seen: set[str] = set()
        waiting = list(names)
        while waiting:
            name = waiting.pop()
            if name in seen or name not in self.modules:
                continue
            seen.add(name)
            waiting += [*self.edges[name], name.rpartition(".")[0]]
        return seen

    def outside(self, names: Iterable[str]) -> set[str]:
        """Top-level packages of others that are loaded with `names`."""
        found = {other.partition(".")[0] for name in self.reach(names) for other in self.names[name]}
        return found - {self.package}

    def path(self, start: Iterable[str], stop: Iterable[str]) -> list[str]:
        """A shortest chain of imports from one of `start` to one of `stop`; empty where there is none."""
        goals = set(stop)
        before: dict[str, str] = dict.fromkeys(start, "")
        waiting = list(before)
        for name in waiting:
            if name in goals:
                chain = [name]
                while before[chain[-1]]:
                    chain.append(before[chain[-1]])
                return chain[::-1]
            around = name.rpartition(".")[0]
            for other in sorted(self.edges[name] | ({around} & set(self.modules))):
                if other not in before:
                    before[other] = name
                    waiting.append(other)
        return []

    def circles(self) -> list[list[str]]:
        """Sets of modules that import each other, directly or through others; each as a sorted list."""
        far = {name: self._far(name) for name in self.modules}
        rings = {tuple(sorted(other for other in far[name] if name in far[other])) for name in far if name in far[name]}
        return sorted(list(ring) for ring in rings)

    def _far(self, name: str) -> set[str]:
        """Modules at the end of one import or more."""
        seen: set[str] = set()
        waiting = [*self.edges[name]]
        while waiting:
            other = waiting.pop()
            if other not in seen:
                seen.add(other)
                waiting += self.edges[other]
        return seen
