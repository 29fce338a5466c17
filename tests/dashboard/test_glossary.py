"""Every figure has an entry in the glossary, and pages link to it."""

from shadowtime.dashboard.components import group_panels, run_panels, run_view, workload_beside
from shadowtime.dashboard.components.group_view import GroupView
from shadowtime.dashboard.look import definitions
from shadowtime.dashboard.pages import glossary
from shadowtime.dashboard.sharing import profiles, urls
from tests.dashboard.reading import said


def entries(part):
    return {one.id for one in part._traverse() if getattr(one, "id", None)}


def targets(parts):
    found = [one for part in parts for one in (part, *part._traverse())]
    links = [getattr(one, "href", "") for one in found]
    return {link.partition("#")[2] for link in links if link.startswith(urls.GLOSSARY)}


def test_each_figure_has_its_entry_with_formula_and_other_names(lab):
    shown = glossary.layout(lab, "", {})
    text = said(shown.children)

    known = {*definitions.metrics(), *definitions.OF_A_JOB, *definitions.OF_THE_MACHINE}
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


def test_the_figures_of_groups_and_workloads_lead_to_the_glossary(lab, four, finish):
    view = run_view.view(lab, finish(four, "easy").id)
    found = targets(group_panels.content(GroupView(view)))
    found |= targets([workload_beside.head(of) for of in profiles.OF])

    assert {"wait", "turnaround", "bounded_slowdown", "useful_cpu", "job_size", "job_area"} <= found
    assert found <= entries(glossary.layout(lab, "", {}).children)
