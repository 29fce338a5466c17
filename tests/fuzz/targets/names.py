"""Names in one line: algorithms, fractional ones in all their spellings, workloads and conversions as references."""

from __future__ import annotations

from shadowtime.dashboard.sharing import urls
from shadowtime.engine import registry as policies
from shadowtime.engine.errors import QuestionError
from shadowtime.engine.families.fractional.names import ROWS, full_name, variants
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
    assert policies.find(entry.slug) is entry and policies.find(entry.slug.upper()) is entry


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


OPTIONS = ("/opt=min", "/opt=avg", "/opt=max", "/minvt=600", "/minft=300", "/per", "/stretch-per", "mcb8", "*", "opt=")
TARGETS = (
    Target("algorithm-names", "Names of algorithms", algorithm, names, words=OPTIONS),
    Target("references", "Workloads as the command line names them", reference, references,
           words=("jobs=", ",", ":", "#", "seed=", "load=")),
    Target("conversions", "Conversions as the command line names them", conversion, conversions,
           words=("rho=", "week", ",", "=", ":", "1e999", "nan")),
)  # fmt: skip
