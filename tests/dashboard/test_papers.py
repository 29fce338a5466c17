"""The pages of the papers: from what is shipped, and from what is made here."""

from __future__ import annotations

import csv
import json
import re
from itertools import pairwise

import pytest
from dash import html

from shadowtime.dashboard.components.paper_claims import is_apart, why
from shadowtime.dashboard.figures import small_multiples
from shadowtime.dashboard.figures.drawing import AGAINST, DOTS, Drawing, Line, Panel, as_csv
from shadowtime.dashboard.pages import paper, papers
from shadowtime.dashboard.papers import PAGES
from shadowtime.dashboard.papers.illustrations import svg
from shadowtime.dashboard.papers.standing import standing
from shadowtime.dashboard.papers.verdicts import DIRECTION, HOLDS, NO, UNJUDGED, counts, verdict
from shadowtime.workers.papers.groups import groups
from shadowtime.workers.papers.kept import shipped, study_of
from shadowtime.workers.records import schema
from shadowtime.workers.records.papers import StudyStatus
from shadowtime.workers.sweeps.reading import read_toml
from shadowtime.workers.sweeps.submission import Stored
from tests.dashboard.reading import parts, said


def claim(**found):
    more = {"section": "", "quote": "", "sensitivity": "", "blocks": None}
    ours = dict.fromkeys(found, "so")
    return {"claim": "A claim", "theirs": "yes", "ours": ours, "grades": found, "rule": "it is so", **more}


def words_of(shown):
    return said(shown.children)


def test_every_study_has_a_page_and_every_page_a_study():
    assert set(PAGES) == set(groups())


@pytest.mark.parametrize("name", PAGES)
def test_each_page_opens_from_what_is_shipped(lab, name):
    shown = paper.layout(lab, name, {"scale": "quick"})
    result = shipped(name, "quick")
    page_text = words_of(shown)

    assert result, "the package brings a quick result of every page"
    assert PAGES[name].drawings(result["studies"]), "its tables are those that the page draws"
    for study in result["studies"]:
        assert all(claim["claim"] in page_text for claim in study["claims"])
    assert result["engine_version"] in page_text and "How these results were made" in page_text


def test_a_counterpart_links_to_its_drawing_beside_its_scale(lab):
    """A list inside a list of children is not rendered: the cell would be lost."""

    def has_list(part):
        inside = getattr(part, "children", None)
        inside = inside if isinstance(inside, list) else [inside]
        return any(isinstance(one, list) or has_list(one) for one in inside if one is not None)

    shown = paper.layout(lab, "dfrs", {"scale": "quick"})

    assert not has_list(shown) and "Figure 1: degradation from the bound by load" in words_of(shown)


def test_without_a_scale_a_page_shows_the_largest_with_a_result(lab):
    def scale_shown():
        return paper.layout(lab, "measy", {}).children.to_plotly_json()["props"]["data-scale"]

    assert scale_shown() == ("full" if shipped("measy", "full") else "quick")
    study_of(lab.store.papers, "measy", "full").finish({**shipped("measy", "quick"), "scale": "full"})
    assert scale_shown() == "full"


@pytest.mark.parametrize("name", PAGES)
def test_drawings_have_names_of_their_own_and_all_values_are_finite(name):
    drawings = PAGES[name].drawings(shipped(name, "quick")["studies"])

    assert len({drawing.key for drawing in drawings}) == len(drawings)
    for drawing in drawings:
        for panel in drawing.panels:
            assert all(len(line.values) == len(panel.points) for line in panel.lines)
            assert len(panel.paper) in (0, 1, len(panel.points))
        for figure in small_multiples.figures(drawing):
            json.loads(figure.to_json())


@pytest.mark.parametrize("name", PAGES)
def test_what_is_shipped_at_full_scale_is_drawn_too(lab, name):
    page_text = words_of(paper.layout(lab, name, {"scale": "full"}))

    assert "another version of the study" not in page_text
    assert ("none is shipped" in page_text) is (shipped(name, "full") is None)


@pytest.mark.parametrize("name", PAGES)
def test_notes_are_about_claims_that_there_are(name):
    known = {claim["claim"] for study in shipped(name, "quick")["studies"] for claim in study["claims"]}

    assert set(PAGES[name].notes) <= known


def test_the_verdict_is_the_worst_grade_over_the_workloads():
    assert verdict(claim(a=HOLDS, b=None)) == HOLDS
    assert verdict(claim(a=HOLDS, b=DIRECTION)) == DIRECTION
    assert verdict(claim(a=HOLDS, b=DIRECTION, c=NO)) == NO
    assert verdict(claim(a=None)) == UNJUDGED
    assert counts([{"claims": [claim(a=HOLDS), claim(a=NO)]}]) == {HOLDS: 1, DIRECTION: 0, NO: 1, UNJUDGED: 0}


def test_a_verdict_that_differs_between_workloads_names_those_it_is_about():
    assert why(claim(a=HOLDS, b=NO), {"A claim": "few jobs"}) == "on b: few jobs"
    assert why(claim(a=HOLDS), {"A claim": "few jobs"}) == ""


def test_workloads_that_few_claims_speak_of_share_a_cell():
    full = [claim(a=HOLDS, b=HOLDS)]
    sparse = [{**claim(a=HOLDS, b=None, c=None), "ours": {"a": "so", "b": "", "c": ""}}]

    assert is_apart(full, ["a", "b"]) and not is_apart(sparse, ["a", "b", "c"])


def test_a_line_lies_over_the_papers_and_is_named_at_its_end():
    drawing = Drawing("Gain", [Panel("Some jobs", ["0.5", "0.9"], [Line("MEASY", [10.0, 20.0])], [15.0])])
    (figure,) = small_multiples.figures(drawing)
    theirs, ours = figure.data

    assert list(theirs.y) == [15.0, 15.0] and list(ours.y) == [10.0, 20.0]
    assert ours.line.color == "var(--st-ink)"
    assert {note.text for note in figure.layout.annotations} == {"<b>MEASY</b>", "paper"}


def test_whiskers_of_a_line_are_one_trace_with_a_gap_after_each():
    line = Line("MEASY", [1.0, 2.0], [0.5, None], [1.5, 3.0])
    (figure,) = small_multiples.figures(Drawing("Gain", [Panel("", ["a", "b"], [line])]))
    (rows,) = small_multiples.figures(Drawing("Gain", [Panel("", ["a", "b"], [line])], kind=DOTS))
    places, ends = (0, 0, None, 1, 1, None), (0.5, 1.5, None, None, 3.0, None)

    assert [(data.x, data.y) for data in figure.data if data.mode == "lines"] == [(places, ends)]
    assert [(data.x, data.y) for data in rows.data if data.mode == "lines"] == [(ends, places)]


def test_a_level_of_ours_has_its_own_name():
    panel = Panel("Ratio", ["1", "2"], [Line("PSRS", [1.0, 2.0])], [1.0], "as SynchPack")
    (figure,) = small_multiples.figures(Drawing("Ratio", [panel]))

    assert {note.text for note in figure.layout.annotations} == {"<b>PSRS</b>", "as SynchPack"}


def test_figures_of_a_paper_lead_to_ours(lab):
    def linked(part):
        children = getattr(part, "children", None)
        inside = children if isinstance(children, list | tuple) else [children]
        return {getattr(part, "href", None)}.union(*(linked(one) for one in inside if hasattr(one, "to_plotly_json")))

    found = linked(paper.layout(lab, "synchpack", {"scale": "quick"}).children)

    assert {"#copies", "#table-1", "#figure-2a", "#figure-3c"} <= found


def test_names_at_line_ends_do_not_touch():
    lines = [Line(name, [1.0, 2.0 + at / 1000], style=at) for at, name in enumerate("abcdef")]
    (figure,) = small_multiples.figures(Drawing("Crowded", [Panel("", ["1", "2"], lines)]))
    low, high = figure.layout.yaxis.range
    inner = (small_multiples.HEIGHT - small_multiples.MARGIN["t"] - small_multiples.MARGIN["b"]) * 1.04
    heights = sorted(note.y * inner / (high - low) for note in figure.layout.annotations)

    assert all(b - a >= small_multiples.APART - 0.01 for a, b in pairwise(heights))


def test_ours_against_theirs_leaves_out_what_one_of_them_has_not():
    panel = Panel("Log", ["a", "b"], [Line("ours", [2.0, None])], [4.0, 8.0])
    (figure,) = small_multiples.figures(Drawing("All", [panel], kind=AGAINST, is_log=True))

    assert len(figure.data[1].x) == 1


def test_numbers_of_a_drawing_are_a_table():
    drawing = Drawing("Gain", [Panel("Some", ["0.5", "0.9"], [Line("A", [1.0, None], [0.5, 0.6], [2.0, 3.0])], [15.0])])
    rows = list(csv.reader(as_csv(drawing).splitlines()))

    assert rows[1:] == [
        ["Some", "A", "0.5", "1.0", "0.5", "2.0"],
        ["Some", "A", "0.9", "", "0.6", "3.0"],
        ["Some", "paper", "all", "15.0", "", ""],
    ]


def test_a_result_with_other_tables_is_shown_as_tables(lab):
    result = shipped("measy", "quick")
    (study,) = result["studies"]
    other = {**study, "figures": [{**study["figures"][0], "title": "Another table"}]}
    study_of(lab.store.papers, "measy", "quick").finish({**result, "studies": [other], "made": "2999-01-01T00:00:00Z"})
    page_text = words_of(paper.layout(lab, "measy", {"scale": "quick"}))

    assert "another version of the study" in page_text and "Another table" in page_text


def test_what_was_made_here_comes_before_what_was_shipped(lab):
    result = {**shipped("demt", "quick"), "made": "2999-01-01T00:00:00Z", "engine_version": "9.9+here"}
    study_of(lab.store.papers, "demt", "quick").finish(result)
    fresh = words_of(paper.layout(lab, "demt", {"scale": "quick"}))
    before = words_of(paper.layout(lab, "demt", {"scale": "quick", "result": "shipped"}))

    assert "9.9+here" in fresh and "Show the shipped result" in fresh
    assert "9.9+here" not in before and "Show the local result" in before


def test_a_scale_that_nobody_computed_says_so(lab, monkeypatch):
    monkeypatch.setattr("shadowtime.workers.papers.kept.shipped", lambda name, scale: None)

    assert "No result at full scale: none was computed here" in words_of(paper.layout(lab, "pjs", {"scale": "full"}))


def test_an_unknown_paper_is_an_unknown_page(lab):
    assert paper.layout(lab, "nothing", {}).page == "unknown" or "nothing" in words_of(paper.layout(lab, "nothing", {}))


def test_what_goes_on_and_what_failed_is_said(lab):
    study = study_of(lab.store.papers, "measy", "quick")
    study.put(StudyStatus("failed", "2025-01-01T00:00:00Z", 1, error="the store is full"))
    assert "the store is full." in words_of(paper.layout(lab, "measy", {"scale": "quick"}))
    study.put(StudyStatus("running", "2025-01-01T00:00:00Z", 1))
    assert "being recomputed" in words_of(papers.layout(lab, "", {}))


def test_a_damaged_result_is_named_and_the_others_are_shown(lab):
    study, other = (study_of(lab.store.papers, name, "quick") for name in ("measy", "demt"))
    for one in (study, other):
        one.finish({**shipped(one.name, "quick"), "made": "2999-01-01T00:00:00Z", "engine_version": "9.9+here"})
    with lab.store.database.write() as connection:
        altered = schema.papers.update().where(schema.papers.c.name == "measy")
        connection.execute(altered.values(result=schema.papers.c.result + " "))
    page = words_of(paper.layout(lab, "measy", {"scale": "quick"}))

    assert f"Damaged. What was stored of engine {study.engine} is not what was written" in page
    assert "shipped with the package" in page and "9.9+here" not in page
    assert "a stored result is damaged" in words_of(papers.layout(lab, "", {}))
    assert "9.9+here" in words_of(paper.layout(lab, "demt", {"scale": "quick"}))
    study.finish({**shipped("measy", "quick"), "made": "2999-01-01T00:00:00Z", "engine_version": "9.9+again"})
    page = words_of(paper.layout(lab, "measy", {"scale": "quick"}))
    assert "Damaged." not in page and "9.9+again" in page


def test_workers_at_a_paper_are_busy(lab):
    study = study_of(lab.store.papers, "measy", "quick")
    study.put(StudyStatus("queued", "2025-01-01T00:00:00Z", 2))
    assert lab.busy() == 0
    study.put(StudyStatus("running", "2025-01-01T00:00:00Z", 2, started="2025-01-01T00:00:01Z"))
    assert lab.busy() == 2


def test_the_time_is_shared_by_the_workers(lab):
    here = standing(lab.store.papers, PAGES["measy"], "quick")

    assert here.seconds(2) == pytest.approx(here.processor_seconds / 2)


@pytest.mark.parametrize("name", [name for name in PAGES if name != "one-workload"])
@pytest.mark.parametrize("scale", ["quick", "full"])
def test_sweeps_behind_figures_can_be_asked(lab, name, scale):
    studies = [{**study, "scale": scale} for study in shipped(name, "quick")["studies"]]
    asked = {drawing.sweep for drawing in PAGES[name].drawings(studies) if drawing.sweep}

    assert asked, "a study of a grid gives its sweep"
    for text in asked:
        assert len(read_toml(text, "the sweep", Stored(lab.store)).spec) > 10


def test_panels_of_one_name_have_one_scale():
    drawing = PAGES["measy"].drawings(shipped("measy", "quick")["studies"])[0]
    ranges = [figure.layout.yaxis.range for figure in small_multiples.figures(drawing)]

    assert ranges[0] == ranges[1] != ranges[2] == ranges[3]
    assert {panel.grey for panel in drawing.panels} == {"paper"}


def test_the_fractional_page_stands_without_the_real_log(lab):
    result = shipped("dfrs", "quick")
    studies = []
    for study in result["studies"]:
        figures = [table for table in study["figures"] if "HPC2N" not in table["title"]]
        studies.append({**study, "figures": [] if study["paper"] == "dfrs-table5" else figures})
    study_of(lab.store.papers, "dfrs", "quick").finish({**result, "studies": studies, "made": "2999-01-01T00:00:00Z"})
    page_text = words_of(paper.layout(lab, "dfrs", {"scale": "quick"}))

    assert "Table 2: degradation from the bound" in page_text and "all variants, ours against" not in page_text
    assert "another version of the study" not in page_text


def test_a_figure_of_the_paper_links_to_its_drawings(lab):
    here = standing(lab.store.papers, PAGES["measy"], "quick")
    listed = {one["figure"]: one for study in here.studies for one in study["counterparts"]}
    links = [link.to_plotly_json()["props"] for link in paper.anchor(here, listed["Figure 6"])]

    assert [(link["children"], link["href"]) for link in links] == [("Response and slowdown by load", "#results")]
    assert paper.anchor(here, {"ours": ["nowhere"]}) == "nowhere"
    for row in paper.counterparts(here).children[1].children.children[1].children:
        cells = [cell for one in row.children for cell in ([one.children] if isinstance(one.children, list) else [])]
        assert not any(isinstance(part, list) for cell in cells for part in cell), "Dash shows no nested lists"


def test_a_page_keeps_the_room_of_its_pictures():
    for page in PAGES.values():
        images = [one for one in parts(paper.illustrated(page)) if isinstance(one, html.Img)]
        assert len(images) == 2 * len(page.illustrations)
        for image in images:
            key, theme = re.search(r"/files/(.+)\.svg\?theme=(\w+)", image.src).groups()
            drawn_size = re.search(r'viewBox="0 0 (\S+) (\S+)"', svg(page.name, key, theme).decode()).groups()
            assert (f"{image.width}", f"{image.height}") == drawn_size
