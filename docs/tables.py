"""Writes the tables in docs/ that the registries know better: `python docs/tables.py`.

A table stands between `<!-- NAME -->` and `<!-- end -->`; tests/test_docs.py compares.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable
from pathlib import Path

from shadowtime.dashboard.cli.parser import program
from shadowtime.dashboard.look.definitions import metrics
from shadowtime.dashboard.look.phrases import KEYS, is_order, meanings
from shadowtime.engine.parameters import Parameter, Phrase
from shadowtime.engine.registry import algorithms, conversions, generators

ROOT = Path(__file__).resolve().parent.parent
Commands = argparse._SubParsersAction
FILES = (
    "docs/reference/metrics.md",
    "docs/reference/workloads.md",
    "docs/reference/algorithms.md",
    "docs/reference/cli.md",
)
BLOCK = re.compile(r"(<!-- (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


FRACTIONAL = "greedyp*/per/opt=min/minvt=600"
"""Stands for its family, whose names are built of parts."""
SHARES = "Nodes are shared in fractions, jobs paused, moved and packed again; names say when and how"


def algorithm_table() -> str:
    """Name, idea, what it takes, paper; one row for all that share nodes."""
    rows = []
    for a in algorithms().values():
        if a.kinds == ("fractional",):
            if a.slug == FRACTIONAL:
                name = f"`{a.slug}` and 115 others"
                rows.append((f"{name}: [their names](../explanation/fractional.md)", SHARES, "fractional", a.source))
            continue
        rows.append((f"`{a.slug}`", a.summary, ", ".join(a.kinds), a.source))
    return table(("algorithm", "what it does", "takes", "after"), rows)


def algorithm_pages() -> str:
    """Each algorithm with its guarantee and parameters."""
    parts = []
    for entry in algorithms().values():
        guarantee = entry.guarantee({})
        proven = f"\n\nProven: {guarantee}" if guarantee else ""
        note = " It knows true runtimes." if entry.clairvoyant else ""
        parts.append(
            f"## {entry.title} (`{entry.slug}`)\n\n{entry.summary}.{note} Source: {sentence(entry.source)}{proven}\n\n"
        )
        parts.append(parameter_table(entry.parameters) + "\n")
    return "".join(parts).rstrip("\n") + "\n"


def phrase_tables() -> str:
    """The words of each phrase of the backfilling policies and of a Slurm site."""
    parts = []
    for phrase in (*algorithms()["batch"].parameters, *algorithms()["slurm"].parameters):
        if isinstance(phrase, Phrase):
            text = f"{phrase.text} {KEYS}" if is_order(phrase) else phrase.text
            rows = ((f"`{form}`", meaning.replace("*", "\\*")) for form, meaning in meanings(phrase))
            parts.append(f"### `{phrase.name}`\n\n{text}\n\n{table(('word', 'meaning'), rows)}\n")
    return "".join(parts).rstrip("\n") + "\n"


def metric_table() -> str:
    """Name, unit, meaning."""
    rows = (
        (f"`{m.name}`", m.title, m.unit or "1", m.better, m.text + (f" Only {', '.join(m.kinds)}." if m.kinds else ""))
        for m in metrics().values()
    )
    return table(("name", "title", "unit", "better", "what it is"), rows)


def generator_pages() -> str:
    """Each generator with its parameters."""
    return "".join(
        f"### {entry.title} (`{entry.slug}`)\n\n{sentence(entry.summary)} Source: {sentence(entry.source)}\n\n"
        f"{parameter_table(entry.parameters)}\n"
        for entry in generators().values()
    )


def conversion_pages() -> str:
    """Each conversion with its parameters."""
    return "".join(
        f"### {entry.title} (`{entry.slug}`)\n\n{sentence(entry.summary)}\n\n{parameter_table(entry.parameters)}\n"
        for entry in conversions().values()
    )


def command_pages() -> str:
    """Each command with its arguments and options; commands of a command follow it."""
    parts = []

    def add(parser: argparse.ArgumentParser, depth: int, text: str) -> None:
        parts.append(f"{'#' * depth} {parser.prog.partition(' ')[2]}\n\n{text}\n\n")
        shown = [one for one in parser._actions if one.dest != "help" and not isinstance(one, Commands)]
        rows = [(option(one), said(parser, one)) for one in shown if one.help != argparse.SUPPRESS]
        if rows:
            parts.append(table(("argument", "what it says"), rows) + "\n")
        if parser.epilog:
            lines = [line.strip() for line in parser.epilog.splitlines()]
            parts.append("".join(f"    {line}\n" for line in lines if line.startswith("shadowtime ")) + "\n")
        for inner in (one for one in parser._actions if isinstance(one, Commands)):
            help_of = {
                one.dest: f"{(one.help or '')[:1].upper()}{(one.help or '')[1:]}." for one in inner._choices_actions
            }
            for name, command in inner.choices.items():
                add(command, depth + 1, help_of[name])

    for command in program()[1].values():
        add(command, 2, " ".join((command.description or "").split()))
    return re.sub(r"\n{3,}", "\n\n", "".join(parts)).rstrip("\n") + "\n"


def said(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    """The help of an argument; a default that this machine sets is said in words."""
    text = action.help or ""
    if action.dest == "workers":
        text = text.replace("%(default)s", "one for each processor, at least 2, at most 8")
    text = f"{text} (required)" if action.option_strings and action.required else text
    return text % {**vars(action), "prog": parser.prog}


def option(action: argparse.Action) -> str:
    """How an argument is written: `-a ALGORITHM`, `--json`, `WORKLOAD`."""
    value = action.metavar or ("{" + ",".join(action.choices) + "}" if action.choices else action.dest.upper())
    value = value if isinstance(value, str) else " ".join(value)
    if not action.option_strings:
        return f"`{value}`"
    needs = "" if action.nargs == 0 else f" {value}"
    return ", ".join(f"`{name}{needs}`" for name in action.option_strings)


def parameter_table(parameters: Iterable[Parameter]) -> str:
    """Name, default, rule, meaning."""
    rows = [
        (f"`{p.name}`", "must be given" if p.default is None else f"`{p.default}`", rule(p), p.text) for p in parameters
    ]
    return table(("parameter", "default", "may be", "what it does"), rows) if rows else "It has no parameters.\n"


def rule(parameter: Parameter) -> str:
    """What a parameter may be; the words of a phrase stand in tables of their own."""
    return f"[its words](#{parameter.name})" if isinstance(parameter, Phrase) else parameter.rule()


TABLES: dict[str, Callable[[], str]] = {
    "algorithms": algorithm_table,
    "algorithm_pages": algorithm_pages,
    "phrases": phrase_tables,
    "commands": command_pages,
    "metrics": metric_table,
    "generators": generator_pages,
    "conversions": conversion_pages,
}


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A Markdown table."""
    lines = [tuple(head), *(tuple(row) for row in rows)]
    lines.insert(1, ("---",) * len(lines[0]))
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines)


def sentence(text: str) -> str:
    """`text` with its full stop."""
    return text if text.endswith(".") else text + "."


def filled(text: str) -> str:
    """`text` with all its tables as the registries have them now."""
    return BLOCK.sub(lambda block: block[1] + TABLES[block[2]]() + block[3], text)


if __name__ == "__main__":
    for name in FILES:
        path = ROOT / name
        path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
