"""Who waited, as the page and its files say it; figures held against pandas."""

from __future__ import annotations

import csv
import io

import numpy as np
import pandas
import pytest
from dash import html, no_update

from shadowtime.dashboard.components import waits_panels
from shadowtime.dashboard.components.compare_view import Incomparable
from shadowtime.dashboard.components.waits_view import waits_view
from shadowtime.dashboard.figures import waits as draw
from shadowtime.dashboard.look.words import GAP, number
from shadowtime.dashboard.pages import run
from shadowtime.dashboard.pages import waits as page
from shadowtime.dashboard.sharing import busy, urls, waits
from shadowtime.engine.simulation import Simulation
from shadowtime.engine.workload.reading import read
from tests.dashboard import slurm_log
from tests.dashboard.reading import found, said, shown
from tests.dashboard.waits_log import stream
from tests.engine.workload.logs import read_file

KTH = "KTH-SP2-1996-2.1-cln.swf.gz"


@pytest.fixture
def log(lab) -> str:
    return lab.store.workloads.add(stream(), "jobs.txt")[0].id


@pytest.fixture
def easy(log, finish) -> str:
    return finish(log, "easy", platform={"processors": 16}).id


@pytest.fixture
def fcfs(log, finish) -> str:
    return finish(log, "fcfs", platform={"processors": 16}).id


def frame(lab, run_id) -> pandas.DataFrame:
    """The jobs of a run as pandas has them."""
    run = lab.store.runs.get(run_id)
    log = read(stream(), "jobs.txt", None)
    jobs = run.table("jobs")
    made = pandas.DataFrame({"user": [log.texts["user"][code] for code in log.jobs["user"]]})
    made["work"] = jobs["processors"] * jobs["runtime"] / 3600
    made["recorded"] = log.jobs["recorded_start"] - log.jobs["release"]
    made["simulated"] = jobs["start"] - jobs["release"]
    return made


def test_the_page_compares_what_was_recorded_with_what_was_simulated(lab, easy):
    result, name = shown(lab, urls.waits([easy]))
    text = said(result.children)
    twin = frame(lab, easy)

    assert name == "waits" and result.title == "Who waited: EASY"
    assert "EASY on jobs" in text and "60 jobs · 16 processors" in text
    correlation = twin["recorded"].corr(twin["simulated"], method="spearman")
    assert f"({twin['recorded'].mean():,.0f}" in text and f"waits {number(correlation)}; median difference" in text
    assert "33 users, by usage; 13 summed up" in text and "Over all 60 jobs" in text


def test_csv_says_what_pandas_says(lab, easy):
    view = waits_view(lab, [easy])
    text = waits.as_csv(view.subject, waits.grouped(view.subject, "user"))
    lines = {row["user"]: row for row in csv.DictReader(io.StringIO(text))}
    twin = frame(lab, easy)

    assert set(lines) == {name.replace("=1+1", "'=1+1") for name in set(twin["user"])}
    for name, group in twin.groupby("user"):
        line = lines["'=1+1" if name == "=1+1" else name]
        assert int(line["jobs"]) == int(line["compared"]) == len(group)
        assert float(line["processor_hours"]) == pytest.approx(group["work"].sum())
        assert float(line["share"]) == pytest.approx(group["work"].sum() / twin["work"].sum())
        for column in ("recorded", "simulated"):
            wait = group[column]
            assert float(line[f"mean_{column}"]) == pytest.approx(wait.mean())
            assert float(line[f"median_{column}"]) == pytest.approx(wait.median())
            assert float(line[f"p90_{column}"]) == pytest.approx(wait.quantile(0.9))
            assert float(line[f"longest_{column}"]) == wait.max()
        assert float(line["mean_difference"]) == pytest.approx((group["simulated"] - group["recorded"]).mean())


def test_several_runs_have_a_column_each_and_no_difference(lab, easy, fcfs):
    view = waits_view(lab, [easy, fcfs])
    groups = waits.grouped(view.subject, "size")
    answer = waits.as_json(view.subject, groups)
    lines = waits.records(view.subject, groups)

    assert [one.name for one in view.subject.columns] == ["Recorded", "EASY", "FCFS"]
    assert [one["run"] for one in answer["likeness"]] == [easy, fcfs]
    assert set(answer["groups"][0]["waits"]) == {"recorded", easy, fcfs}
    assert "mean2" in lines[-1] and "mean_difference" not in lines[-1]
    result, _ = shown(lab, urls.waits([easy, fcfs], by="hour", show="p90", of=fcfs))
    assert "EASY and FCFS · jobs · 60 jobs" in said(result.children)
    assert (found(result.children, "waits-by").value, found(result.children, "waits-of").value) == ("hour", fcfs)


def test_a_run_that_replays_the_record_is_told_from_it(lab, log, easy, finish):
    replay = finish(log, "recorded", platform={"processors": 16}).id
    view = waits_view(lab, [replay, easy])

    assert [one.name for one in view.subject.columns] == ["Recorded", "Recorded, replayed", "EASY"]
    assert view.likeness()[0]["rank_correlation"] == pytest.approx(1)
    assert "By processors" in said(page.chart_busy(lab, replay, [replay]))


def test_waits_are_over_jobs_that_have_one_in_every_column(lab, easy):
    view = waits_view(lab, [easy])
    jobs = {name: column.copy() for name, column in view.first.jobs.items()}
    jobs["start"][:10] = np.nan
    what = waits.subject(view.log, [("simulated", "EASY", jobs)])
    known = waits.as_json(what, waits.grouped(what, "size"))

    assert (known["jobs"], known["compared"], known["likeness"][0]["jobs"]) == (60, 50, 50)
    assert sum(group["waits"]["recorded"]["jobs"] for group in known["groups"]) == 50


def test_a_log_without_recorded_starts_says_so(lab, four, finish):
    result, _ = shown(lab, urls.waits([finish(four, "easy").id]))
    text = said(result.children)

    assert "no recorded starts: there is no recorded column" in text and "Recorded" not in text.split()
    assert [one["value"] for one in found(result.children, "waits-by").data] == ["size"]


def test_a_deleted_file_leaves_what_the_run_knows(lab, easy, monkeypatch):
    view = waits_view(lab, [easy])
    workloads = view.context.store.workloads
    monkeypatch.setattr(workloads, "_uses", lambda digest: "")
    workloads.delete(view.first.run.spec.workload["digest"])

    assert list(waits_view(lab, [easy]).subject.groupings) == ["user", "size"]


def test_a_search_finds_groups_beyond_the_largest(lab, easy):
    figure, table, note, link, _ = page.regroup(lab, "user", "mean", "USER2", [easy])
    names = [line["group"] for line in table.children.rowData]

    assert names and all("user2" in name for name in names) and note == f"{len(names)} matches"
    assert link == f"/api/waits.csv?runs={easy}&by=user"
    assert said(figure) == "" and table.children.dashGridOptions["pinnedBottomRowData"] == []
    whole = page.regroup(lab, "user", waits_panels.HOURS, "", [easy])[1].children
    assert len(whole.rowData) == waits.MOST and whole.dashGridOptions["pinnedBottomRowData"][0]["group"] == "13 others"
    assert page.regroup(lab, "hour", "mean", "", [easy])[2] == "of submission, local time"
    assert page.regroup(lab, "moon", "mean", "", [easy]) == (no_update,) * 5
    assert page.regroup(lab, "user", "mean", "nobody", [easy])[2] == "0 matches"


def test_maps_have_an_outage_that_both_share_and_nodes_of_the_log(lab, easy):
    view = waits_view(lab, [easy])
    recorded, simulated = waits_panels.maps_of(view, waits.RECORDED), waits_panels.maps_of(view, easy)
    (stop,) = recorded["stops"]

    assert len(recorded["hours"]) == 24 and recorded["dated"] and recorded["rows"] == 3
    assert recorded["stops"] == simulated["stops"] and stop["end"] - stop["start"] >= 4 * 3600
    assert simulated["rows"] == 16 and len(simulated["groups"]) == 16
    text = said(page.chart_busy(lab, waits.RECORDED, [easy]))
    assert (
        "1 outage, " in text and busy.stop_words(stop, view.log.clock).replace(GAP, " ") in text and "By nodes" in text
    )
    assert "By processors" in said(page.chart_busy(lab, easy, [easy]))
    around = urls.View(start=2 * stop["start"] - stop["end"], end=2 * stop["end"] - stop["start"])
    parts = html.Div(page.chart_busy(lab, easy, [easy]))._traverse()
    assert urls.run(easy, around) in [getattr(part, "href", None) for part in parts]
    assert page.chart_busy(lab, "0" * 16, [easy]) is no_update


def test_outages_of_a_site_are_those_that_its_files_record(lab, finish):
    site = lab.store.workloads.add(slurm_log.stream(), "site.tar")[0].id
    shown = finish(site, "easy").id
    text = said(page.chart_busy(lab, shown, [shown]))

    assert "1 outage of the site, as its files record" in text and "n4 drained, Mon 3 Mar 09:20" in text
    assert "No outage" not in text and "Logs do not say" not in text
    parts = html.Div(page.chart_busy(lab, shown, [shown]))._traverse()
    assert any(str(getattr(part, "href", "")).startswith(urls.run(shown)) for part in parts)


def test_the_schedule_shows_outages_when_asked(lab, easy, four, finish):
    bands, word, text = run.show_outages(lab, 1, easy)

    assert len(bands["stops"]) == 1 and word == "Hide outages"
    assert said(text).startswith("1 outage, ") and said(text).endswith("Who waited .")
    assert run.show_outages(lab, 2, easy) == (None, "Show outages of the log", "")
    assert run.show_outages(lab, 1, "0123456789abcdef") == (no_update,) * 3
    bands, _, text = run.show_outages(lab, 1, finish(four, "easy").id)
    assert bands is None and "records no starts" in text


def test_runs_that_go_on_are_named(lab, log, ask):
    run_id = ask(log, "easy", platform={"processors": 16}).id
    result, _ = shown(lab, urls.waits([run_id]))

    assert "Waits are listed when EASY has finished." in said(result.children)


def test_addresses_that_lead_to_nothing_get_a_sentence(lab, easy, four, finish):
    other = finish(four, "easy").id

    assert "button on the page of a run or of a comparison" in said(shown(lab, "/waits")[0].children)
    seven = ",".join(f"{n:016x}" for n in range(7))
    assert "This link names 7." in said(shown(lab, f"/waits?runs={seven}")[0].children)
    assert "0123456789abcdef" in said(shown(lab, urls.waits(["0123456789abcdef"]))[0].children)
    assert "share no job" in said(shown(lab, urls.waits([easy, other]))[0].children)
    with pytest.raises(Incomparable):
        waits_view(lab, [easy, other])


def test_the_pages_of_runs_lead_there(lab, easy, fcfs):
    def links(address):
        return [getattr(part, "href", None) for part in shown(lab, address)[0].children._traverse()]

    assert urls.waits([easy]) in links(urls.run(easy))
    assert urls.waits([easy, fcfs]) in links(urls.compare(urls.Comparison(runs=(easy, fcfs))))


def test_a_dot_of_an_unknown_wait_is_not_drawn():
    column = draw.Shown("EASY", draw.RECORDED, "circle", [60.0, None])
    made = draw.figure(["1", "2"], [column, column], True, "mean wait")

    assert made.data[1].x == (60.0, None)
    assert list(made.data[0].x) == [60.0, 60.0, None], "one row has dots to join"


def test_dots_at_0_s_stand_beside_the_names_of_groups():
    column = draw.Shown("EASY", draw.RECORDED, "circle", [0.0, 60.0])
    made = draw.figure(["u11", "u9"], [column], True, "wait")
    marker = made.data[0].marker

    assert made.layout.yaxis.ticklabelstandoff > marker.size / 2 + marker.line.width + 2


def test_ticks_of_waits_have_no_minutes_that_are_0():
    column = draw.Shown("EASY", draw.RECORDED, "circle", [200_000.0])
    ticks = draw.figure(["1"], [column], True, "mean wait").layout.xaxis.ticktext

    assert ticks[0] == "0" and len(ticks) > 2 and not [tick for tick in ticks if " 00" in tick]


def test_kth_waited_twice_as_long_as_under_easy(traces):
    log = read_file(traces / KTH)
    schedule = Simulation(log, "easy", estimates="requested").run()
    (alike,) = waits.subject(log, [("simulated", "EASY", schedule.jobs)]).likeness()

    assert (round(alike.recorded), round(alike.simulated)) == (15348, 6351)
    assert alike.correlation == pytest.approx(0.249, abs=0.0005) and alike.difference == 1843
    assert len(busy.stops(log, 100)) == 27
