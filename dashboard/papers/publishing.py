"""Files for authors: tables as CSV and LaTeX (booktabs), the reference as BibTeX, and a paragraph on the methods."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from shadowtime.dashboard.figures.drawing import FORMATS, Drawing, Table
from shadowtime.dashboard.look import words
from shadowtime.dashboard.papers.page import PaperPage

LATEX = str.maketrans(
    {"%": r"\%", "&": r"\&", "_": r"\_", "#": r"\#", "$": r"\$", "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}",
     "^": r"\textasciicircum{}", "\\": r"\textbackslash{}", "\N{MINUS SIGN}": "$-$"}
)  # fmt: skip


def table_key(table: Table) -> str:
    """Return a name for the files of a table."""
    return re.sub(r"[^a-z0-9]+", "-", table["title"].lower()).strip("-")


def table_csv(table: Table) -> str:
    """Return a table of a report as CSV: a row a point, and after each column its interval where it is known."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    has_ends = bool(len(table["low"]))
    ends = [f"{name}, {end}" for name in table["columns"] for end in ("", "low", "high")]
    writer.writerow(["", *([name.removesuffix(", ") for name in ends] if has_ends else table["columns"])])
    for at, (point, values) in enumerate(table["rows"]):
        if has_ends:
            triples = zip(values, table["low"][at], table["high"][at], strict=True)
            values = [value for triple in triples for value in triple]
        writer.writerow([point, *("" if value is None else repr(value) for value in values)])
    return out.getvalue()


def table_latex(table: Table) -> str:
    """Return a table of a report as LaTeX for the package booktabs."""
    head = " & ".join(["", *(_latex(name) for name in table["columns"])])
    rows = [
        " & ".join([_latex(point), *("--" if value is None else _latex(words.number(value)) for value in values)])
        for point, values in table["rows"]
    ]
    unit = f", in {table['unit']}" if table["unit"] else ""
    lines = [
        r"\begin{table}", r"\centering", rf"\caption{{{_latex(table['title'] + unit)}}}",
        rf"\begin{{tabular}}{{l{'r' * len(table['columns'])}}}", r"\toprule", rf"{head} \\", r"\midrule",
        *(rf"{row} \\" for row in rows), r"\bottomrule", r"\end{tabular}", r"\end{table}",
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def methods(page: PaperPage, result: Mapping[str, Any]) -> str:
    """Return a paragraph on what was run, from the result itself."""
    studies: Sequence[Mapping[str, Any]] = result["studies"]
    claims = [claim for study in studies for claim in study["claims"]]
    judged = [claim for claim in claims if any(found is not None for found in claim["grades"].values())]
    took = words.duration(float(result["seconds"]))
    what = f"repeated the study of {of[0]} ({of[1]}, {of[2]})" if (of := page.paper) else f"ran “{page.title}”"
    sentences = [
        f"We {what} with Shadowtime, engine "
        f"{result['engine_version']}, at {result['scale']} scale on {result['made'][:10]}: "
        f"{words.count(int(result['cells']), page.unit)}, in {took}.",
        *method(studies),
        f"{len(judged)} of {words.count(len(claims), 'claim')} can be judged, each by a fixed rule.",
    ]
    return " ".join(sentences) + "\n"


def method(studies: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the sentences of some studies on their method, each once, without links of the docs."""
    found = dict.fromkeys(sentence for study in studies for sentence in study["method"])
    return [sentence.replace("[moldable jobs](../moldable.md)", "the entries of the algorithms") for sentence in found]


def makers(page: PaperPage, result: Mapping[str, Any], drawings: Sequence[Drawing]) -> dict[str, Callable[[], bytes]]:
    """Return the files of a result by name, each as a function that makes its content."""
    found: dict[str, Callable[[], bytes]] = {"methods.txt": lambda: methods(page, result).encode()}
    if page.bibtex:
        found["reference.bib"] = lambda: page.bibtex.encode()
    for drawing in drawings:
        found |= {f"{drawing.key}.{form}": partial(_published, drawing, form) for form in FORMATS}
    for study in result["studies"]:
        for table in study["figures"]:
            key = f"{study['paper']}-{table_key(table)}" if len(result["studies"]) > 1 else table_key(table)
            found[f"table-{key}.csv"] = partial(_encoded, table_csv, table)
            found[f"table-{key}.tex"] = partial(_encoded, table_latex, table)
    return found


def archive(files: Mapping[str, Callable[[], bytes]]) -> bytes:
    """Return all files as a ZIP."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, make in files.items():
            packed.writestr(zipfile.ZipInfo(name), make())
    return out.getvalue()


def _encoded(write: Callable[[Table], str], table: Table) -> bytes:
    return write(table).encode()


def _latex(text: str) -> str:
    return text.translate(LATEX)


def _published(drawing: Drawing, form: str) -> bytes:
    from shadowtime.dashboard.figures.publication import publish  # matplotlib: 40 MB that a server at rest does without

    return publish(drawing, form)
