"""Lists every sentence that a user may read, to be read in one go: `python docs/words.py [FOLDER ...]`.

Of Python these are the texts of pages, errors, help and registries, without docstrings; of the browser half, the texts
and templates of its modules. What a program fills in stands as `…`. The rules of plain English that a machine can check
are held by tests/dashboard/test_plain_words.py; whether a sentence is clear shows only when a person reads it.
"""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("dashboard", "assets", "engine", "workers")
FILLED = "…"
JS = re.compile(
    r"""//[^\n]*|/\*.*?\*/|(?<=[(=,:?|&!{};\[\n])\s*/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*"""
    r"""|(?P<text>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|(?P<template>`)""",
    re.DOTALL,
)
"""Comments and regular expressions, which are passed over, and the starts of texts."""
CODE = re.compile(
    r"[{};]\s*$|^[.#@<&*%\\(\[/?']|\b(?:st|gv|ag|mantine|tabler)-\w|--\w|://|\w\(\w*\)|=\S*…|\b\w+_\w+ \w+_\w+|\d+px|"
    r"^(?:SELECT|PRAGMA|INSERT|DELETE|CREATE|UPDATE|DROP|ALTER|return|if redis\S+|(?:get|post|patch|delete) /\S+)\b|"
    r"=>|[\w-]+: [\w-]+;|charset=|max-age|no-cache"
)
"""Texts for a program: styles, queries, names of columns, addresses."""


def sentences(room: str) -> Iterator[tuple[str, int, str]]:
    """Yield file, line and text of all that reads like words in a folder of the tree."""
    for path in sorted((ROOT / room).rglob("*")):
        if path.suffix in READERS:
            for line, text in READERS[path.suffix](path.read_text("utf-8")):
                if is_prose(text):
                    yield path.relative_to(ROOT).as_posix(), line, " ".join(text.split())


def of_python(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of each string that is no docstring; adjacent and added strings are one."""
    passed: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Expr) or id(node) in passed:
            passed.update(id(child) for child in ast.iter_child_nodes(node))
        elif isinstance(node, ast.BinOp | ast.JoinedStr | ast.Constant):
            text = _text(node)
            if text is not None:
                passed.update(id(child) for child in ast.walk(node) if isinstance(child, ast.Constant | ast.JoinedStr))
                yield node.lineno, text


def _text(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(part) or FILLED for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        left, right = _text(node.left), _text(node.right)
        return None if left is None and right is None else f"{left or FILLED}{right or FILLED}"
    return None


def of_script(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of each string and template of a JavaScript module."""
    at = 0
    while found := JS.search(source, at):
        at = found.end()
        line = source.count("\n", 0, found.start()) + 1
        if found["text"]:
            yield line, re.sub(r"\\u202f", " ", found["text"][1:-1])
        elif found["template"]:
            text, at, inner = _template(source, at)
            yield line, text
            for part in inner:
                yield from ((line, more) for _, more in of_script(part))


def _template(source: str, at: int) -> tuple[str, int, list[str]]:
    """Return the text of a template that starts at `at`, the place after it, and the code of what is filled in."""
    text, inner = "", []
    while source[at] != "`":
        if source.startswith("${", at):
            start, depth, at = at + 2, 1, at + 2
            while depth:
                if source[at] == "`":
                    at = _template(source, at + 1)[1] - 1
                depth += {"{": 1, "}": -1}.get(source[at], 0)
                at += 1
            inner.append(source[start : at - 1])
            text += FILLED
        else:
            step = 2 if source[at] == "\\" else 1
            text += " " if step == 2 else source[at]
            at += step
    return text, at + 1, inner


def of_html(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and text of what stands between two tags."""
    for found in re.finditer(r">([^<>{}]+)<", source):
        yield source.count("\n", 0, found.start()) + 1, found[1]


READERS = {".py": of_python, ".js": of_script, ".html": of_html}


def is_prose(text: str) -> bool:
    """Return whether a text reads like words for a person: two of them or more, or one with a capital."""
    words = re.findall(r"[A-Za-z][a-z']+", text)
    if CODE.search(text.strip()) or not words:
        return False
    return (len(words) > 1 and " " in text.strip()) or re.fullmatch(r"[A-Z][a-z]{2,}[.:?]?", text) is not None


def main() -> None:
    parser = argparse.ArgumentParser(description="List every sentence that a user may read, by file.")
    parser.add_argument("folders", nargs="*", default=ROOMS, help="folders of the tree (default: all rooms)")
    before = ""
    for room in parser.parse_args().folders:
        for path, line, text in sentences(room):
            if path != before:
                print(f"\n{path}")
                before = path
            print(f"{line:5}  {text}")


if __name__ == "__main__":
    main()
