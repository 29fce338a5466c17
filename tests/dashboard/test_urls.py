"""Links: whatever a view holds comes back from its query string, and no address breaks the parser."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowtime.dashboard.sharing import urls
from shadowtime.dashboard.sharing.urls import Place, View

seconds = st.floats(-1e12, 1e12)
lanes = st.integers(0, 999_999)


@st.composite
def views(draw):
    window = draw(st.none() | st.tuples(seconds, seconds).filter(lambda pair: pair[0] < pair[1]))
    nodes = draw(st.none() | st.tuples(lanes, lanes).map(sorted).map(tuple))
    return View(
        *(window or (None, None)),
        nodes=nodes,
        job=draw(st.none() | st.integers(-(10**17), 10**17)),
        colour=draw(st.none() | st.sampled_from(urls.COLOURS)),
        at=draw(st.none() | seconds),
        find=draw(st.none() | st.sampled_from(["user 15", "size > 64", "size 32-64", "job 7"])),
        panels=draw(st.sampled_from([(), ("now",)])),
        rows=draw(st.none() | st.sampled_from(urls.ROWS)),
    )


@given(views())
def test_a_view_comes_back_from_its_query(view):
    assert View.parse(view.query()) == view
    assert View.parse("?" + view.query()) == view


@given(st.text(max_size=60))
def test_no_query_breaks_the_parser(text):
    view = View.parse(text)

    assert View.parse(view.query()) == view


@given(st.text(max_size=60))
def test_no_path_breaks_the_parser(text):
    assert urls.place(text).page in {"new", "runs", "run", "compare", "shared", "workload", "algorithms", "unknown"}


def test_a_view_is_readable():
    view = View(0, 1110, nodes=(0, 9), job=2, colour="stretch", at=53.5)

    assert view.query() == "v=1&from=0&to=1110&nodes=0-9&job=2&colour=stretch&at=53.5"
    assert urls.run("13189c2c62a84589", view) == f"/runs/13189c2c62a84589?{view.query()}"
    assert urls.run("13189c2c62a84589", View()) == "/runs/13189c2c62a84589"


@pytest.mark.parametrize(
    "query",
    [
        "v=2&from=0&to=5",
        "from=5&to=5",
        "from=5",
        "nodes=9-0",
        "nodes=a-b",
        "job=x",
        "colour=rainbow",
        "at=nan",
        "at=inf",
        "find=everything",
        "panels=all",
        "rows=columns",
    ],
)
def test_what_cannot_be_read_is_left_out(query):
    assert View.parse(query) == View()


@pytest.mark.parametrize(
    ("path", "place"),
    [
        (None, Place("new")),
        ("/", Place("new")),
        ("/runs", Place("runs")),
        ("/runs/", Place("runs")),
        ("/runs/13189c2c62a84589", Place("run", "13189c2c62a84589")),
        ("/runs/" + "a" * 64, Place("run", "a" * 16)),
        ("/workloads/7551e48cece1b8a0", Place("workload", "7551e48cece1b8a0")),
        ("/algorithms", Place("algorithms")),
        ("/runs/../etc", Place("unknown", "/runs/../etc")),
        ("/runs/13189C2C62A84589", Place("unknown", "/runs/13189C2C62A84589")),
    ],
)
def test_paths_lead_to_pages(path, place):
    assert urls.place(path) == place


def test_links_lead_where_they_say():
    assert urls.place(urls.run("13189c2c62a84589")) == Place("run", "13189c2c62a84589")
    assert urls.place(urls.workload("7551e48cece1b8a0")) == Place("workload", "7551e48cece1b8a0")
    assert urls.place(urls.RUNS) == Place("runs")
    assert urls.query("?" + urls.new("7551e48cece1b8a0", case="a&b").partition("?")[2]) == {
        "workload": "7551e48cece1b8a0",
        "case": "a&b",
    }
    assert urls.runs("failed", "KTH week") == "/runs?status=failed&q=KTH+week"
    assert urls.algorithm("greedyp*/per/opt=min") == "/algorithms/fractional#greedyp*/per"
    assert urls.place(urls.algorithm("easy++")) == Place("algorithm", "easy++")


def test_what_is_open_beside_compared_schedules_stands_in_the_address():
    one, other = "1" * 16, "2" * 16
    asked = urls.Comparison(runs=(one, other), spread="wait-count", why=other)

    assert urls.Comparison.parse(asked.query()) == asked
    wrong = urls.Comparison.parse({"runs": f"{one},{other}", "spread": "wait-film", "why": "3" * 16})
    assert (wrong.spread, wrong.why) == ("", "")
