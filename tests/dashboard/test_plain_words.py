"""Words of the pages that a stranger would not understand, or that say more than is proven, stay away."""

import importlib.util
import re
from functools import cache
from pathlib import Path

import pytest

from shadowtime.dashboard.components import results
from shadowtime.dashboard.look import definitions, words
from shadowtime.engine.metrics.registry import metrics as registered

AVOIDED = (
    "The question", "draws of seed", "Leave it", "No worker is there", "Known before",
    "Done later by", "idle although wanted", "idle despite", "Nothing was asked", "figures go", "question is kept",
    "questions are kept", "Cancelled by you", "asks for a run", "opens at once", "Stretched more",
    "and which other run", "Nothing to set", "Go on", "a similar one", "best possible",
)  # fmt: skip
"""Wordings that puzzled readers and were replaced."""
ON_PAGES = ("Mean flow", "on their way")
"""The same on pages; prose about papers and algorithms may have them."""
PAPERS = re.compile(r"\bstretch \S")
"""A word of papers, whose name on pages is slowdown."""
PAGES = re.compile(r"assets/|dashboard/(pages|components|sharing|offline)/")
RULES = {
    "a riddle, or a phrase of politeness or blame": re.compile(
        r"\b(wanted|nobody|told(?! apart)|somebody|whoever|lived|whom|nought|anew|please|oops|sorry|invalid|illegal|"
        r"e\.g|i\.e|etc)\b",
        re.IGNORECASE,
    ),
    "a machine that feels or speaks": re.compile(
        r"\b(machine|server|scheduler|worker|queue|store|program|browser|file|engine)s? (wants?|hears?|tells?|lives?)\b"
    ),
    "a gap before a stop, two gaps, or a shout": re.compile(r"\w [,;.](?![\w/ .])|\( |!$"),
    "a sentence that begins small after a stop": re.compile(r"[a-z)]{5}\. [a-z]"),
}


def load_reading_list():
    path = Path(__file__).parents[2] / "docs" / "words.py"
    spec = importlib.util.spec_from_file_location("reading_list", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LIST = load_reading_list()


@cache
def all_sentences():
    """Return file, line and text of each sentence; not at import, which every process of a test run does."""
    return [one for room in LIST.ROOMS for one in LIST.sentences(room)]


def test_the_reading_list_has_pages_errors_help_and_scripts():
    listed = {text for _, _, text in all_sentences()}

    assert len(all_sentences()) > 5000
    assert {
        "No workers connected.",  # a page
        "There is nothing at {path}; /api/openapi.json lists all routes.",  # an answer
        "… is still …: cancel it first",  # filled in
        "start the web server, the queue and workers",  # help
        "No job is selected",  # a script
    } <= {re.sub(r"^(run|sweep) ", "", text) for text in listed}
    assert not any("Whether a text" in text or "numpy" in text for text in listed), "docstrings and imports"


def test_texts_of_scripts_are_read_beside_comments_and_patterns():
    source = (
        'const a = /["`]/g; // "not this"\nsay(`Job ${n > 1 ? `${n} of many` : "one alone"} ended`, \'It\\\'s done\');'
    )

    assert [text for _, text in LIST.of_script(source)] == ["Job … ended", "… of many", "one alone", "It\\'s done"]


@pytest.mark.parametrize("rule", RULES)
def test_no_sentence_has(rule):
    assert [place for place in all_sentences() if RULES[rule].search(place[2])] == []


def test_no_sentence_has_the_words_that_puzzled_readers():
    assert [place for place in all_sentences() if any(word in place[2] for word in AVOIDED)] == []
    assert [
        place for place in all_sentences() if PAGES.match(place[0]) and any(word in place[2] for word in ON_PAGES)
    ] == []
    scripts = sorted((Path(__file__).parents[2] / "assets").rglob("*.js"))
    texts = [(script.name, text) for script in scripts for _, text in LIST.of_script(script.read_text())]
    assert len(texts) > 1000 and [one for one in texts if PAPERS.search(one[1])] == []


def test_shipped_results_of_papers_and_their_pages_have_none_of_these_words():
    root = Path(__file__).parents[2]
    texts = [*root.glob("workers/papers/shipped/*.json"), *root.glob("docs/explanation/papers/*.md")]

    assert len(texts) > 10
    found = [(path.name, word) for path in texts for word in AVOIDED if word in path.read_text(encoding="utf-8")]
    assert found == []


@pytest.mark.parametrize(
    ("ratio", "expected"), [(1.4871, "at most 1.49 × optimal"), (1, "at most 1.00 × optimal"), (None, "")]
)
def test_a_ratio_to_a_bound_is_a_limit(ratio, expected):
    assert words.at_most(ratio) == expected


def test_each_metric_has_one_name_and_a_formula():
    known = definitions.metrics()

    assert list(known) == list(registered())
    assert set(definitions.OF_A_RUN) == set(registered())
    assert all(one.formula for one in definitions.OF_A_RUN.values())
    titles = [metric.title for metric in known.values()]
    assert len(set(titles)) == len(titles)
    assert results.titled("mean_flow") == "Mean turnaround"
    assert results.titled("max_bounded_stretch") == "Largest bounded slowdown"
    assert not any(word in f"{one.title} {one.text}".lower() for one in known.values() for word in ("flow", "stretch"))
