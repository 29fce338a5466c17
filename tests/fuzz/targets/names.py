"""Names in one line: algorithms, fractional ones in all their spellings, workloads and conversions as references."""

from __future__ import annotations

from dataclasses import replace

from shadowtime.dashboard.sharing import urls
from shadowtime.engine import registry as policies
from shadowtime.engine.errors import QuestionError
from shadowtime.engine.families.fractional.names import ROWS, full_name, variants
from shadowtime.engine.families.rigid.expression import compile_expression
from shadowtime.engine.families.rigid.grammar import canonical
from shadowtime.engine.registry import find_conversion, find_generator
from shadowtime.engine.workload.conversions.convert import resolve_conversion
from shadowtime.engine.workload.references import parse_conversion, parse_reference
from shadowtime.engine.workload.samples import find_sample
from shadowtime.workers.conversions import parse_any
from tests.fuzz.target import Target, judge, text


def algorithm(content: bytes) -> None:
    name = text(content)
    urls.algorithm(name)
    assert full_name(full_name(name)) == full_name(name)
    entry = policies.find(name)
    found = policies.find(entry.slug)
    assert policies.find(entry.slug.upper()) is found and replace(entry, preset=found.preset) == found


def reference(content: bytes) -> None:
    name = text(content)
    for find in (find_generator, find_conversion, find_sample):
        try:
            find(name)
        except QuestionError as refusal:
            judge(str(refusal))
    first, rest = parse_reference(name)
    if isinstance(rest, dict):
        find_generator(first).resolve(rest, 0)


def conversion(content: bytes) -> None:
    slug, values = parse_conversion(text(content))
    assert parse_any(text(content)) == (slug, values)
    resolve_conversion(slug, values)


def expression(content: bytes) -> None:
    """What is taken is the same expression without blanks, in lower case."""
    order = text(content)
    short = canonical(order)
    assert canonical(short) == short
    one, other = compile_expression(short), compile_expression(short.upper())
    assert (one.codes.tolist(), one.numbers.tolist()) == (other.codes.tolist(), other.numbers.tolist())


def names() -> list[bytes]:
    fractional = [one.name for one in variants()]
    return [name.encode() for name in ("easy", "measy", "synchpack-1", *ROWS, *fractional[::9])]


def references() -> list[bytes]:
    return [b"lublin:jobs=1000,load=0.8", b"file.json#name", b"log.swf", b"moldable:family=weak,jobs=25", b"uniform:",
            b" Feitelson : jobs = 5 ", b"figure1", b"a#b#c"]  # fmt: skip


def conversions() -> list[bytes]:
    return [
        b"load:rho=0.8",
        b"week:20",
        b"two_tier",
        b"fractional:nodes=2",
        b"estimates:share=0.2",
        b"moldable:processors=8",
    ]


def expressions() -> list[bytes]:
    return [b"w", b"(w/r)**3*n", b"-log2(n)*r + 8.7e2 * log10(s)", b"min(w, max(r, 1.5))", b"' sqrt(w)/(r*n) '"]


OPTIONS = ("/opt=min", "/opt=avg", "/opt=max", "/minvt=600", "/minft=300", "/per", "/stretch-per", "mcb8", "*", "opt=")
TARGETS = (
    Target("algorithm-names", "Names of algorithms", algorithm, names, words=OPTIONS),
    Target("references", "Workloads as the command line names them", reference, references,
           words=("jobs=", ",", ":", "#", "seed=", "load=")),
    Target("conversions", "Conversions as the command line names them", conversion, conversions,
           words=("rho=", "week", ",", "=", ":", "1e999", "nan")),
    Target("expressions", "Expressions that order a queue", expression, expressions,
           words=("**", "log2(", "log10(", "sqrt(", "min(", "max(", ",", "(", ")", "--", "1e999", ".5", "5.", "W")),
)  # fmt: skip
