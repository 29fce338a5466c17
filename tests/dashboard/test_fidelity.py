"""The page that says how true a simulation is: what is chosen, computed, kept and shown."""

from __future__ import annotations

import io
from dataclasses import replace

import numpy as np
import pytest
from dash import no_update

from shadowtime.dashboard.access.refusal import Refusal
from shadowtime.dashboard.figures import fidelity as draw
from shadowtime.dashboard.intake.fidelity import fidelity
from shadowtime.dashboard.intake.questions import Desk
from shadowtime.dashboard.pages import fidelity as page
from shadowtime.dashboard.sharing import urls
from shadowtime.engine.workload.slurm.cluster import Cluster, Partition
from tests.dashboard.reading import found, said, shown
from tests.dashboard.waits_log import log_of_slurm


class Counted:
    """An intake that answers here, and counts."""

    def __init__(self, settings):
        self.desk, self.asked = Desk(settings), 0

    def ask(self, question, /, **values):
        assert question == "fidelity"
        self.asked += 1
        return fidelity(self.desk, **values)


@pytest.fixture
def here(lab):
    return replace(lab, intake=Counted(lab.settings))


@pytest.fixture
def log(here) -> str:
    return here.store.workloads.add(io.BytesIO(log_of_slurm(200)), "jobs.txt")[0].id


def test_without_a_workload_the_logs_are_listed(here, log):
    result, name = shown(here, urls.FIDELITY)

    assert name == "fidelity" and result.title == "How accurate is a simulation?"
    assert "jobs" in said(result.children) and "200" in said(result.children)
    assert urls.fidelity(log) in str(result.children)


def test_the_page_opens_at_once_and_is_filled_by_an_answer_that_is_kept(here, log):
    result, _ = shown(here, urls.fidelity(log))
    asked = found(result.children, "fidelity-asked").data

    assert "some hundred simulations" in said(result.children) and here.intake.asked == 0
    first, second = (page.answer(here, asked) for _ in range(2))
    assert here.intake.asked == 1 and said(first) == said(second)
    assert "rank correlation of waits" in said(first) and "By partition" in said(first)
    assert "Utilization per day" in said(first) and "tested on 100" in said(first)
    assert page.answer(here, None) is no_update


def test_a_workload_without_starts_is_refused_in_a_sentence(here):
    class Refusing:
        def ask(self, *_, **__):
            raise Refusal(400, "It does not say when its jobs started.")

    four = here.store.workloads.add(io.BytesIO(log_of_slurm(60)), "few.txt")[0]
    assert said(page.answer(replace(here, intake=Refusing()), four.digest)) == "It does not say when its jobs started."
    assert said(page.answer(here, "0" * 64)) == "This workload was deleted."


def test_a_workload_that_is_not_here_has_its_page(here):
    result, _ = shown(here, urls.fidelity("0123456789abcdef"))

    assert "Workload not found" in said(result.children)


def test_a_workload_leads_to_the_page(lab, four):
    result, _ = shown(lab, urls.workload(four))

    assert urls.fidelity(four) in str(result.children)


def test_the_figures_show_both_columns(here, log):
    known = fidelity(here.intake.desk, log)
    waits, days = draw.quantiles(known["quantiles"], "Fitted"), draw.daily(known["days"], "Fitted")

    assert [line.name for line in waits.data] == ["as recorded", "EASY", "Fitted"]
    assert len(waits.data[1].x) == len(waits.data[2].y) == len(known["quantiles"]["share"])
    assert min(waits.data[2].y) >= 1.0 and waits.layout.xaxis.type == "log"
    assert [line.name for line in days.data] == ["Recorded", "Fitted"] and days.data[0].x[0] == "2025-03-03"


def test_a_log_with_the_files_of_its_site_is_simulated_as_it_is(here, log, monkeypatch):
    read = here.store.workloads.load(log)
    cores = np.full(16, 1)
    names = tuple(f"n{at}" for at in range(16))
    parts = tuple(Partition(name, np.arange(16), is_default=name == "batch") for name in ("batch", "long"))
    site = Cluster(names, cores, np.zeros(16), np.zeros(16, "i8"), parts)
    own = read.with_(cluster=site, machine={"processors": 16})
    monkeypatch.setattr("shadowtime.dashboard.intake.fidelity.workload_of", lambda *_: (own, ""))
    known = fidelity(here.intake.desk, log)

    assert known["algorithm"] == "slurm" and known["fit"] is None and known["scores"]["model"]["draws"] == 5
    assert "spread over draws" in said(page.panels(known)) and "taken as it is" in said(page.panels(known))
