"""`shadowtime bound`, `generate` and `list`."""

import gzip

import pytest

from shadowtime.dashboard.look.definitions import metrics
from shadowtime.engine.registry import algorithms, conversions


def test_bound_prints_the_best_bound_and_all_others(shadowtime, four_swf):
    found = shadowtime("bound", four_swf, "-c", "max-stretch", "--json").json

    assert found["criterion"] == "max-stretch"
    assert found["bound"] >= 1.123076923076923 - 1e-9
    assert found["bounds"][found["name"]] == found["bound"] == max(found["bounds"].values())


def test_bound_says_in_words_what_is_impossible(shadowtime, four_swf):
    answer = shadowtime("bound", four_swf, "-c", "makespan")

    assert answer.out.startswith("No schedule of four.swf has a makespan below 1,002 s.")


def test_bound_refuses_a_criterion_that_it_does_not_know(shadowtime, four_swf):
    assert shadowtime("bound", four_swf, "-c", "beauty").code == 2


def test_what_was_generated_is_read_again(shadowtime, tmp_path):
    path = tmp_path / "some.swf"
    answer = shadowtime("generate", "uniform:jobs=50,seed=3", "-o", path)
    summary = shadowtime("simulate", path, "-a", "fcfs", "--json").json

    assert answer.code == 0
    assert summary["jobs"] == 50


def test_equal_draws_give_equal_bytes_also_when_compressed(shadowtime, tmp_path):
    for name in ("a.swf.gz", "b.swf.gz"):
        assert shadowtime("generate", "lublin:jobs=20", "--seed", 7, "-o", tmp_path / name).code == 0
    shadowtime("generate", "lublin:jobs=20,seed=7", "--seed", 1, "-o", tmp_path / "c.swf")

    assert (tmp_path / "a.swf.gz").read_bytes() == (tmp_path / "b.swf.gz").read_bytes()
    assert gzip.decompress((tmp_path / "a.swf.gz").read_bytes()) == (tmp_path / "c.swf").read_bytes()


def test_a_generated_workload_needs_no_file(shadowtime):
    one, same, other = (
        shadowtime("simulate", reference, "-a", "easy", "--seed", seed, "--json").json
        for reference, seed in (("uniform:jobs=50", 3), ("uniform:jobs=50,seed=3", 3), ("uniform:jobs=50", 4))
    )

    assert one["run"] == same["run"] != other["run"]
    assert one["metrics"] == same["metrics"] != other["metrics"]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nobody", "-o", "x.swf"], "unknown generator 'nobody'; known: "),
        (["lublin:jobs=0", "-o", "x.swf"], "jobs"),
        (["lublin:jobs", "-o", "x.swf"], "name=value"),
        (["lublin", "-o", "x.txt"], ".swf or .json"),
        (["lublin", "-o", "nowhere/x.swf"], "there is no folder"),
        (["lublin", "-o", "."], "a folder, not a file"),
        (["lublin", "-o", "/proc/x.swf"], "-o /proc/x.swf: nothing can be written to /proc ("),
    ],
)
def test_generate_refuses_in_one_line(shadowtime, tmp_path, monkeypatch, arguments, sentence):
    monkeypatch.chdir(tmp_path)

    answer = shadowtime("generate", *arguments)

    assert answer.code == 2
    assert sentence in answer.err
    assert not list(tmp_path.iterdir())


def test_list_shows_every_registered_name(shadowtime):
    listed = {what: shadowtime("list", what, "--json").json[what] for what in ("algorithms", "conversions", "metrics")}

    assert [entry["name"] for entry in listed["algorithms"]] == list(algorithms(variants=True))
    assert [entry["name"] for entry in listed["conversions"]] == list(conversions())
    assert [entry["name"] for entry in listed["metrics"]] == list(metrics())
    for what in ("algorithms", "generators", "conversions", "formats", "metrics"):
        text = shadowtime("list", what).out
        for entry in shadowtime("list", what, "--json").json[what]:
            assert entry["name"] in text or not entry["listed"]
            assert entry["text"], f"{what}: {entry['name']} is not described"


def test_an_unknown_command_is_refused_in_one_line(shadowtime):
    assert shadowtime("lsit").code == 2
    assert shadowtime().code == 2
