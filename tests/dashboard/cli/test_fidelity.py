"""`shadowtime fidelity`: the answer as text and JSON, and what is refused."""

from __future__ import annotations

import pytest

from shadowtime.dashboard.sharing import fidelity
from shadowtime.engine.fidelity.fit import GRIDS
from tests.dashboard.waits_log import log_of_slurm


@pytest.fixture
def log(tmp_path):
    path = tmp_path / "jobs.txt"
    path.write_bytes(log_of_slurm(200))
    return path


def test_the_answer_stands_beside_easy(shadowtime, log):
    text = shadowtime("fidelity", log, "--processors", 16, "--by", "partition").out

    assert text.startswith("200 jobs with a recorded start. Fitted on 100 of them; tested on 100")
    assert "rank correlation of waits" in text and "simulations of the first half" in text
    assert any(line.split() == ["recorded", "EASY", "Fitted"] for line in text.splitlines())
    assert {"batch", "long"} == {line.split()[0] for line in text.splitlines()[-2:]}


def test_json_has_the_fit_and_the_scores(shadowtime, log):
    known = shadowtime("fidelity", log, "--processors", 16, "--json").json

    assert known["verdict"] in fidelity.VERDICTS and known["split"]["test"]["jobs"] == 100
    assert known["scores"]["easy"]["recorded"] == known["scores"]["model"]["recorded"] > 0
    assert known["fit"]["simulations"] > 1 and len(known["days"]["recorded"]) == len(known["days"]["simulated"])
    assert known["mispredicted"]["user"][0]["share"] > 0


def test_easy_itself_is_as_true_as_easy(shadowtime, log):
    text = shadowtime("fidelity", log, "--processors", 16, "-a", "easy").out

    assert "Nothing was fitted" in text and "The same as EASY" in text


def test_an_algorithm_may_carry_its_parameters(shadowtime, log):
    known = shadowtime("fidelity", log, "--processors", 16, "-a", "batch:order=sjf", "--json").json

    assert known["fit"] is None and known["algorithm"] == "batch" and known["parameters"] == {"order": "sjf"}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("lublin:jobs=50", "--processors", 16), "does not say when its jobs started"),
        (("four.txt", "-p", "order=sjf"), "the parameters of the fitted model are found, not given"),
        (("four.txt", "--draws", "20"), "the fitted model draws nothing"),
        (("four.txt", "-a", "dfrs"), "dfrs"),
        (("four.txt", "--draws", "0"), "a whole number above 0"),
    ],
)
def test_what_is_refused(shadowtime, arguments, said):
    answer = shadowtime("fidelity", *arguments)

    assert answer.code == 2 and said in answer.err and len(answer.err.splitlines()) == 1


def test_a_log_that_names_no_machine_needs_its_size(shadowtime, log):
    answer = shadowtime("fidelity", log)

    assert answer.code == 2 and "does not say how many processors" in answer.err


@pytest.mark.parametrize("name", GRIDS)
def test_each_value_has_words(name):
    said = [fidelity.said(name, value) for value in GRIDS[name]]

    assert said[0] == "as in EASY" and len(set(said)) == len(said) and all(said)
