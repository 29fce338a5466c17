"""Every figure has an entry in the glossary, and pages link to it."""

import re

from dash import html
from dash.development.base_component import Component

from shadowtime.dashboard.components import frame, group_panels, run_list, run_panels, run_view, workload_beside
from shadowtime.dashboard.components.group_view import GroupView
from shadowtime.dashboard.look import definitions
from shadowtime.dashboard.pages import glossary
from shadowtime.dashboard.sharing import profiles, urls
from shadowtime.dashboard.sharing.urls import Comparison
from shadowtime.engine.registry import algorithms, families
from tests.dashboard.reading import said, shown
from tests.dashboard.waits_log import stream

PARTS = (
    definitions.OF_A_JOB, definitions.OF_A_PAIR, definitions.OF_A_GROUP, definitions.OF_THE_MACHINE,
    definitions.OF_A_RUN,
)  # fmt: skip
NAMED = {one.title.lower(): name for part in PARTS for name, one in part.items()}
NAMED |= {"load": "offered_load", "waits": "wait", "waited": "wait", "utilization": "mean_utilization"}
NAMED |= {"share": "usage_share", "proc. hours": "processor_hours", "90th percentile": "tail_wait"}
NAMED |= {"machine was busy": "busy_share", "correlation": "rank_correlation", "longest wait": "max_wait"}
HEADINGS = (html.H1, html.H2, html.H3, html.Th, html.Dt, html.Figcaption)
LONGEST = 60
"""Characters of a heading; more is a sentence, such as the claim of a paper."""
AMBIGUOUS = {"who waited"}
"""Titles of pages that hold a word of a figure."""
ALGORITHM_TITLES = {f"{one.title} {slug}".lower() for slug, one in algorithms().items()}
PARAMETER = re.compile(r".*\[\w+\]")
"""The title of a generator's parameter with its unit, such as `Mean size [processors]`."""


def entries(part):
    return {one.id for one in part._traverse() if getattr(one, "id", None)}


def targets(parts):
    found = [one for part in parts for one in (part, *part._traverse())]
    links = [getattr(one, "href", "") for one in found]
    return {link.partition("#")[2] for link in links if link.startswith(urls.GLOSSARY)}


def test_each_figure_has_its_entry_with_formula_and_other_names(lab):
    shown = glossary.layout(lab, "", {})
    text = said(shown.children)

    known = {*definitions.metrics(), *definitions.OF_A_MODEL}.union(*PARTS)
    assert entries(shown.children) == known
    assert "Turnaround" in text and "T = f − r" in text and "Also called flow, flow time, response time." in text
    assert urls.place(urls.GLOSSARY).page == "glossary"


def test_the_figures_of_a_run_and_of_its_panels_lead_to_the_glossary(lab, four, finish):
    view = run_view.view(lab, finish(four, "easy").id)
    panels = run_panels.summary(view)
    found = targets([*panels, *(run_panels.spread(view, kind) for kind in run_panels.SPREADS)])

    assert {"mean_flow", "makespan", "max_bounded_stretch", "bounded_slowdown", "wait"} <= found
    assert found <= entries(glossary.layout(lab, "", {}).children)
    assert "τ = 10 s" in said(panels)


def test_utilization_is_defined_once_for_each_model(lab):
    of_models = {f"utilization_{name}" for name in families()}
    assert set(definitions.OF_A_MODEL) == of_models
    text = said(glossary.layout(lab, "", {}).children)
    assert "U / (P M), with the useful work U of the model" in text
    assert "Fractional U = Σ n c p" in text and "Classed U = Σ machines × seconds held" in text


def test_the_glossary_is_in_the_header_of_every_page():
    links = [part for part in frame.header()._traverse() if getattr(part, "href", None) == urls.GLOSSARY]
    assert len(links) == 2  # of wide and of narrow windows


def headings(part):
    """What names a figure on a page: titles of panels, heads of tables and of grids, names of facts."""
    for one in (part, *(inside for inside in part._traverse() if isinstance(inside, Component))):
        is_parameter = any(isinstance(inside, html.Code) for inside in one._traverse())
        if isinstance(one, HEADINGS) and not is_parameter and len(said(one)) <= LONGEST:
            yield said(one)
        for column in getattr(one, "columnDefs", None) or []:
            for each in (column, *column.get("children", [])):
                yield each["headerName"]


def entry_of(heading):
    """The entry that a heading asks for: the longest name of a figure in it; None for other headings."""
    text = heading.lower()
    held = [name for name in NAMED if re.search(rf"\b{re.escape(name)}\b", text)]
    names_another_thing = text in AMBIGUOUS or text in ALGORITHM_TITLES or PARAMETER.fullmatch(text)
    return NAMED[max(held, key=len)] if held and not names_another_thing else None


def test_every_heading_of_a_figure_has_a_link_to_its_entry(lab, four, finish):
    runs = [finish(four, name).id for name in ("fcfs", "easy")]
    shared, _ = lab.store.workloads.generate("fractional", {"jobs": 10, "nodes": 4}, 1)
    fractional = finish(shared.id, "mcb8*/opt=min").id
    log = lab.store.workloads.add(stream(), "jobs.txt")[0].id
    waited = finish(log, "easy", platform={"processors": 16}).id
    compared = urls.compare(Comparison(runs=tuple(runs)))
    addresses = [
        urls.NEW, urls.new(four), urls.RUNS, *map(urls.run, (runs[1], fractional)), compared,
        f"{compared}&show=difference", f"{compared}&show=scatter", urls.waits([waited]), urls.fidelity(log),
        urls.workload(four), urls.ALGORITHMS, urls.algorithm("easy"), urls.SITES, urls.EXPERIMENTS,
        urls.PAPERS, urls.paper("measy"), urls.GLOSSARY,
    ]  # fmt: skip
    lacking = []
    for address in addresses:
        page = shown(lab, address)[0].children
        parts = [page]
        if address.startswith(urls.RUNS + "/"):
            view = run_view.view(lab, address.rpartition("/")[2])
            parts += [html.Div(run_panels.summary(view)), *(run_panels.spread(view, one) for one in run_panels.SPREADS)]
        known = targets(parts) | (entries(page) if address == urls.GLOSSARY else set())
        asked = {(heading, entry_of(heading)) for part in parts for heading in headings(part)}
        lacking += [
            f"{address}: {heading}" for heading, entry in sorted(asked, key=str) if entry and entry not in known
        ]
    assert lacking == []


def test_the_results_in_the_list_of_runs_are_named_and_lead_to_the_glossary(lab, four, finish):
    finish(four, "easy")
    (row,) = run_list.listing(lab, run_list.Asked())["rows"]
    assert (row["criterion"], row["definition"]) == ("mean turnaround", urls.definition("mean_flow"))


def test_the_figures_of_groups_and_workloads_lead_to_the_glossary(lab, four, finish):
    view = run_view.view(lab, finish(four, "easy").id)
    found = targets(group_panels.content(GroupView(view)))
    found |= targets([workload_beside.head(of) for of in profiles.OF])

    assert {"wait", "turnaround", "bounded_slowdown", "useful_cpu", "job_size", "job_area"} <= found
    assert found <= entries(glossary.layout(lab, "", {}).children)
