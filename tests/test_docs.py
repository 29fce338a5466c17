"""What there is, is described: tables are generated and compared, and every name has its sentence."""

from __future__ import annotations

import importlib.util
import re
import tomllib
from pathlib import Path

import pytest

import shadowtime
from shadowtime.dashboard.look.definitions import metrics
from shadowtime.dashboard.sharing import urls
from shadowtime.engine import tables as engine_tables
from shadowtime.engine.registry import algorithms, conversions, generators
from shadowtime.engine.workload.reading import formats

ROOT = Path(__file__).parent.parent
DOCS = sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")])


def load(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "docs" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", load("tables").FILES)
def test_tables_say_what_the_registries_say(name):
    text = (ROOT / name).read_text(encoding="utf-8")

    assert load("tables").filled(text) == text, "python docs/tables.py brings it up to date"


def test_documents_of_papers_are_those_of_the_shipped_results():
    papers = load("papers")

    for name in papers.names():
        text = (papers.FOLDER / f"{name}.md").read_text(encoding="utf-8")
        assert papers.page(name) == text, "python docs/papers.py brings it up to date"
        assert all((papers.FOLDER / file).is_file() for file in re.findall(r"\]\((\S+\.svg)\)", text))


def parameters():
    return [
        pytest.param(parameter, id=f"{entry.slug}:{parameter.name}")
        for entries in (algorithms(), generators(), conversions())
        for entry in entries.values()
        for parameter in entry.parameters
    ]


@pytest.mark.parametrize("parameter", parameters())
def test_every_parameter_says_what_it_does_and_may_be(parameter):
    assert parameter.text.endswith(".")
    assert parameter.rule()
    for label in getattr(parameter, "choices", {}).values():
        assert label


@pytest.mark.parametrize(
    "entry", [*algorithms().values(), *generators().values(), *conversions().values()], ids=lambda e: e.slug
)
def test_every_registered_name_has_a_title_and_a_sentence(entry):
    assert entry.title and entry.summary
    assert entry.slug == entry.slug.lower()


@pytest.mark.parametrize("entry", algorithms().values(), ids=lambda entry: entry.slug)
def test_every_algorithm_names_its_paper(entry):
    assert re.search(r"\b(19|20)\d\d\b", entry.source)


def test_every_metric_and_format_has_its_sentence():
    assert all(metric.text.endswith(".") and metric.title for metric in metrics().values())
    assert all(form.summary and form.suffixes for form in formats().values())


@pytest.mark.parametrize("schema", ["JOBS", "SEGMENTS", "EVENTS", "BANDS", "RATES", "SERIES"])
def test_every_column_is_described(schema):
    text = (ROOT / "docs" / "reference" / "tables.md").read_text(encoding="utf-8")
    section = text.partition(f"## {schema.lower()}")[2].partition("\n## ")[0]

    assert [name for name in getattr(engine_tables, schema) if f"| `{name}` |" not in section] == []


def test_every_kind_of_event_is_described():
    text = (ROOT / "docs" / "reference" / "tables.md").read_text(encoding="utf-8")
    row = next(line for line in text.partition("## events")[2].splitlines() if line.startswith("| `kind` |"))

    named = dict.fromkeys(re.findall(rf"\b({'|'.join(engine_tables.EVENT_KINDS)})\b", row))
    assert list(named) == list(engine_tables.EVENT_KINDS)


def test_every_setting_is_described():
    text = (ROOT / "docs" / "reference" / "settings.md").read_text(encoding="utf-8")
    sources = [path for room in ("engine", "workers", "dashboard") for path in (ROOT / room).rglob("*.py")]
    named = {name for path in sources for name in re.findall(r"SHADOWTIME_[A-Z_]+", path.read_text(encoding="utf-8"))}

    assert [name for name in sorted(named) if f"`{name}`" not in text] == []


def test_every_page_and_every_part_of_a_view_is_described():
    text = (ROOT / "docs" / "reference" / "links.md").read_text(encoding="utf-8")
    view = urls.View(
        start=1.0, end=2.0, nodes=(0, 9), job=2, colour="stretch", at=3.0, find="user 15", panels=("now",), rows="wait"
    )
    first_parts = {path[0] for path in urls.PAGES if path} | set(urls.PAGE_OF_ID) | {"s"}

    known = {
        "runs",
        "compare",
        "waits",
        "fidelity",
        "s",
        "workloads",
        "algorithms",
        "sites",
        "papers",
        "experiments",
        "links",
        "glossary",
        "sessions",
    }
    assert first_parts == known
    assert [name for name in urls.query(view.query()) if f"`{name}`" not in text] == []
    assert [part for part in first_parts if f"| `/{part}" not in text] == []
    assert [rule for rule in urls.COLOURS if rule not in text] == []


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_tests_that_a_page_names_are_there(path):
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", path.read_text(encoding="utf-8"))
    missing = [
        f"{file}::{test}"
        for file, test in named
        if not (ROOT / file).exists() or (test and f"def {test}(" not in (ROOT / file).read_text(encoding="utf-8"))
    ]

    assert missing == []


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_files_that_a_page_names_are_there(path):
    text = path.read_text(encoding="utf-8")
    named = re.findall(r"`((?:engine|workers|dashboard|assets|benchmarks|docs)/[\w/.-]+)`", text)
    written = {"engine/families/rigid/policies/first_fit.py", "dashboard/pages/about.py", "assets/pages/about/"}

    assert [name for name in named if not (ROOT / name).exists() and name not in written] == []


@pytest.mark.parametrize("path", DOCS, ids=lambda path: path.name)
def test_links_lead_somewhere(path):
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", path.read_text(encoding="utf-8"))

    assert [link for link in links if not re.match(r"[a-z]+:", link) and not (path.parent / link).exists()] == []


def test_the_tutorial_shows_the_figures_of_its_log(tmp_path):
    text = (ROOT / "docs" / "tutorial" / "first-comparison.md").read_text(encoding="utf-8")
    lines = re.findall(r"^    (; MaxProcs.*|\d+ \d+ -1 .*)$", text, re.MULTILINE)
    (tmp_path / "four.swf").write_text("\n".join(lines) + "\n")
    workload = shadowtime.read(tmp_path / "four.swf")
    runs = [shadowtime.simulate(workload, name) for name in ("fcfs", "easy")]
    rows = re.findall(r"^\| (mean wait|mean turnaround|makespan) \| ([\d.,]+) s \| ([\d.,]+) s \|", text, re.MULTILINE)

    assert [name for name, *_ in rows] == ["mean wait", "mean turnaround", "makespan"]
    for name, *said in rows:
        found = [run.metrics()[name.replace(" ", "_").replace("turnaround", "flow")] for run in runs]
        assert [float(one.replace(",", "")) for one in said] == pytest.approx(found, rel=5e-4)


def test_the_lowest_versions_are_those_of_the_package():
    text = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
    described = re.findall(r"^\| ([\w\[\]-]+) \| ([\d.]+)[^|]*\| (\d+) \|$", text, re.MULTILINE)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

    assert [f"{name} >= {least}, < {below}" for name, least, below in described] == project["dependencies"]
