"""Results of papers: what is kept of cells, what is shipped, and what is the newest."""

from __future__ import annotations

import json
import math

import pytest

from shadowtime.workers.papers import kept, pjs_cells
from shadowtime.workers.papers.groups import find_group, groups, make
from shadowtime.workers.papers.kept import results, study_of
from shadowtime.workers.papers.packed import key_of, packed, unpacked
from shadowtime.workers.records.papers import FINISHED, QUEUED, RUNNING, StudyStatus
from tests.workers.papers import tiny


@pytest.fixture(autouse=True)
def tiny_study():
    tiny.register()
    yield
    tiny.forget()


def test_what_a_cell_gave_comes_back_through_json():
    point = pjs_cells.Point(1.0, (1.0, math.nan, 2.0), (1.0, 2.0, 3.0), (0.5, 0.5, 0.5), 0.5, 3)
    value = {"a": [point, 2.5], "b": None}
    back = unpacked(json.loads(json.dumps(packed(value))))

    assert back["a"][0].level_total[2] == 2.0 and math.isnan(back["a"][0].level_total[1])
    assert isinstance(back["a"][0], pjs_cells.Point) and back["b"] is None


def test_only_results_of_studies_are_made_again():
    with pytest.raises(TypeError, match="which is not kept"):
        packed(object())
    with pytest.raises(TypeError, match="no result of a study"):
        unpacked({"kind": "os:system", "command": "true"})


def test_keys_tell_cells_and_functions_apart():
    one = pjs_cells.Cell("standin", "sjs", 5, 1)

    assert key_of(pjs_cells.run, one) == key_of(pjs_cells.run, pjs_cells.Cell("standin", "sjs", 5, 1))
    assert len({key_of(pjs_cells.run, one), key_of(pjs_cells.run_cell, one), key_of(pjs_cells.run, 5)}) == 3


def test_a_group_is_a_paper_or_one_of_its_studies():
    assert find_group("DFRS").studies[0] == "dfrs-table2" and len(find_group("dfrs").studies) == 6
    assert find_group("dfrs-period").studies == ("dfrs-period",) and "dfrs-period" not in groups()


def test_made_and_kept_it_is_the_newest_result(store):
    result, _ = make(find_group("tiny"), "quick", lambda sentence: None)
    study_of(store.papers, "tiny", "quick").finish(result)
    (newest,), damaged = results(store.papers, "tiny", "quick")

    assert newest["cells"] == tiny.CELLS and not newest["shipped"] and not damaged
    assert newest["studies"][0]["figures"][0]["rows"][3] == ["n = 3", [9.0]]


def test_a_status_changes_only_from_what_it_was_thought_to_be(store):
    study = study_of(store.papers, "tiny", "quick")
    study.put(StudyStatus(QUEUED, "2025-01-01T00:00:00Z", 2))

    assert study.change((RUNNING,), status=FINISHED) is None
    assert study.change((QUEUED,), status=RUNNING).status == RUNNING
    assert [(name, status.parts) for name, _, status in kept.unfinished(store.papers)] == [("tiny", 2)]
