"""The offline report: one file that holds all it shows, runs no script but its own, and says where it comes from."""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
import re
from datetime import UTC, datetime
from html.parser import HTMLParser

import numpy as np
import pytest

from shadowtime.dashboard.components import compare_metrics, results
from shadowtime.dashboard.offline import code, report
from shadowtime.dashboard.offline.histogram import STRETCH, WAIT, histograms
from shadowtime.dashboard.offline.report import Report
from shadowtime.dashboard.offline.stored import subjects
from shadowtime.dashboard.offline.subject import simulated
from shadowtime.engine.errors import InvalidParameter
from shadowtime.engine.workload.generators.generate import generate
from shadowtime.workers.errors import Conflict
from shadowtime.workers.execute import execute
from shadowtime.workers.spec import RunSpec

NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)
EVIL = "</script><script>alert(1)</script><img src=http://evil.invalid/ onerror=alert(2)>\"'.swf"
UNIFORM = generate("uniform", {"jobs": 60}, 1)
LUBLIN = generate("lublin", {"jobs": 40, "load": 0.8}, 3)


def run_of(algorithm="easy", workload=LUBLIN, **more):
    spec = RunSpec.of(workload, algorithm, **more)
    return simulated(spec, workload, execute(spec, workload), NOON)


def written(*algorithms, workload=LUBLIN, **more):
    return Report([run_of(one, workload) for one in algorithms], NOON, **more).html()


class Elements(HTMLParser):
    """Tags with their attributes, and the text of every script that runs."""

    def __init__(self, text):
        super().__init__()
        self.found, self.scripts, self.words, self._inside = [], [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        self._inside = tag if tag == "script" and "type" not in dict(attrs) else None
        if self._inside:
            self.scripts.append("")

    def handle_data(self, data):
        if self._inside:
            self.scripts[-1] += data
        else:
            self.words.append(data)

    def handle_endtag(self, _):
        self._inside = None


@pytest.mark.parametrize("algorithms", [("easy",), ("fcfs", "easy")])
def test_a_file_loads_nothing_and_runs_its_own_scripts_alone(algorithms):
    page = written(*algorithms)
    elements = Elements(page)
    addresses = [
        given[name] for _, given in elements.found for name in ("src", "href", "srcset", "action") if name in given
    ]
    policy = next(given["content"] for tag, given in elements.found if tag == "meta" and "http-equiv" in given)
    packed = re.search(r'id="held-code">([^<]+)<', page)[1]
    held = json.loads(gzip.decompress(base64.b64decode(packed)))["script"]

    assert addresses == []
    assert not re.search(r"url\((?![\"']?data:)", page)
    assert "@import" not in page and not [tag for tag, _ in elements.found if tag in ("link", "iframe", "base")]
    assert policy.startswith("default-src 'none';") and "unsafe-eval" not in policy and "http" not in policy
    for script in (*elements.scripts, held):
        assert f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" in policy
    assert policy.count("sha256-") == len(elements.scripts) + 1 == 3


def test_comments_are_left_out_and_text_that_looks_like_one_stays():
    text = (
        "/* module.js */\n/** Two\n * lines. */\n  /** @type {Pair[]} */ const a = [1]; // one\n"
        '  // four\n  b("https://a.b//c", `/* d */`, "e // f");\n  /* three */\n  c();\n'
    )

    assert code.COMMENT.sub("", text) == ('  const a = [1];\n  b("https://a.b//c", `/* d */`, "e // f");\n  c();\n')


@pytest.mark.parametrize("algorithms", [("easy",), ("fcfs", "easy")])
def test_a_name_is_text(algorithms):
    page = written(*algorithms, workload=LUBLIN.with_(name=EVIL, source={"digest": "0" * 64, "case": EVIL}))
    elements = Elements(page)

    assert "<script>alert" not in page and "<img" not in page
    assert html.escape(EVIL.removesuffix(".swf"))[:40] in page
    assert len(elements.scripts) == 2 and not any(
        name.startswith("on") for _, given in elements.found for name in given
    )


def test_the_same_runs_give_the_same_bytes():
    runs = [run_of("fcfs"), run_of("easy")]

    assert Report(runs, NOON).html() == Report(runs, NOON).html()


def test_a_run_stands_beside_its_bounds_and_its_origin():
    run = run_of(parameters={"extra": "first"}, seed=5)
    said = " ".join(" ".join(Elements(Report([run], NOON).html()).words).split())

    assert "EASY on Lublin-Feitelson" in said and run.spec.digest in said and run.spec.engine_version in said
    assert "23 Nov 2026, 12:00 UTC" in said and "40 of 40 jobs ended" in said and "40 jobs drawn." in said
    assert f"shadowtime simulate {run.command.split()[2]} -a easy" in said.replace("  ", " ")
    assert "extra first" in said and "Seed 5, generator 3" in said
    for name in ("mean_flow", "makespan", "max_bounded_stretch"):
        for value in (run.metrics[name], run.bounds[name]):
            assert " ".join(results.written(name, value).split()) in said


def test_intervals_that_are_too_narrow_say_so():
    page = written("pjs", workload=generate("classed", {}, 1))

    assert "95\u202f% intervals from 20 batches of 45 jobs" in page and 'st-warn">Too narrow for' in page


def test_compared_runs_stand_beside_each_other():
    page = written("fcfs", "easy", workload=UNIFORM)
    elements = Elements(page)
    viewers = [given for tag, given in elements.found if tag == "shadowtime-gantt"]
    said = " ".join(" ".join(elements.words).split())

    assert [one["group"] for one in viewers] == ["compare"] * 2 and len({one["run"] for one in viewers}) == 2
    assert "FCFS and EASY on Uniform" in said and "Jobs against FCFS" in said
    base, other = (run_of(one, UNIFORM).metrics["mean_wait"] for one in ("fcfs", "easy"))
    assert other < 0.9 * base
    assert " ".join(compare_metrics.change(other, base).split()) in said


def test_what_cannot_be_compared_is_refused():
    easy = run_of("easy")
    with pytest.raises(InvalidParameter, match="named twice"):
        Report([easy, easy], NOON)
    with pytest.raises(InvalidParameter, match="at most 6 runs, but 7 are named"):
        Report([easy] * 7, NOON)
    with pytest.raises(Conflict, match="share 0 of 40 and 20 jobs; a report compares runs on the same jobs"):
        Report([easy, run_of("easy", generate("uniform", {"jobs": 20}, 1))], NOON)
    with pytest.raises(InvalidParameter, match="has no length"):
        Report([easy], NOON, 5.0, 5.0)


def test_too_many_rectangles_become_a_picture_and_a_window_is_live(monkeypatch):
    monkeypatch.setattr(report, "MOST_RECTANGLES", 100)
    run = run_of()
    page = Report([run], NOON).html()
    elements = Elements(page)
    pictures = [given for tag, given in elements.found if tag in ("img", "source")]

    assert not [tag for tag, _ in elements.found if tag == "shadowtime-gantt"] and "held-code" not in page
    assert all(str(given.get("src", given.get("srcset"))).startswith("data:image/png;base64,") for given in pictures)
    assert len(pictures) == 2 and "more than the 100 of each that one file holds" in page
    assert "From left to right: " in page and "From top to bottom" not in page
    end = float(np.sort(run.jobs["release"])[20])
    assert "<shadowtime-gantt" in Report([run], NOON, None, end).html()


def test_histograms_of_several_runs_share_their_axes():
    values = [np.array([1.0, 2.0, 3.0, np.nan]), np.array([2.0, 500.0, 500.0])]
    one, other = histograms(STRETCH, values)

    assert (one.below, one.n, other.below, other.n) == ("1", 3, "0", 3)
    assert one.rows[1:][0][0] == other.rows[1:][0][0] and one.rows[-1][0] == other.rows[-1][0]
    assert sum(int(count) for _, count in one.rows) == 3
    assert str(one.svg).count("<rect") == 2 and "mean 2.00" in one.svg
    assert str(histograms(WAIT, [np.zeros(3)])[0].svg) == ""


def test_stored_runs_have_the_names_of_their_comparison(lab, four, finish):
    runs = [finish(four, "batch", parameters={"order": order}) for order in ("sjf", "ljf")]
    found = subjects([lab.store.runs.get(one.id) for one in runs], lab.store)

    assert [one.title for one in found] == ["Batch: sjf", "Batch: ljf"]
    assert [one.workload for one in found] == ["four", "four"] and found[0].command.startswith(
        "shadowtime simulate four.swf "
    )
    assert Report(found, NOON).title == "Batch: sjf and Batch: ljf on four"
