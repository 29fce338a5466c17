"""What people write about a run to find it again."""

import io

import pytest

from shadowtime.engine.errors import InvalidParameter
from shadowtime.workers.errors import NotFound
from shadowtime.workers.records.marks import BEHIND, Marks, columns, marks_of
from shadowtime.workers.spec import RunSpec
from shadowtime.workers.store import Store, open_store
from tests.conftest import FOUR_SWF
from tests.workers.samples import spec, summary, tables


@pytest.fixture
def store(tmp_path, url) -> Store:
    """A store on each kind of database."""
    return open_store(tmp_path, url)


def finished(store, seed=0, experiment=""):
    store.runs.keep([(spec(seed), tables(), summary(spec(seed)))], experiment)
    return spec(seed).digest


def found(store, text="", without=""):
    return {run.digest for run in store.runs.list(text=text, without=without).rows}


def test_a_run_is_found_by_its_title_tag_and_star_and_keeps_its_results(store):
    one, other = finished(store), finished(store, 1)

    marks = store.runs.mark(
        one[:16], {"title": "The base Case", "tags": ["Night shift", "ok,ok", "ok-ok"], "starred": True}
    )

    assert marks == Marks("The base Case", ("night-shift", "ok-ok"), "", True)
    assert store.runs.get(one).marks == marks and store.runs.get(other).marks == Marks()
    assert found(store, "base case") == found(store, "tag:night-shift") == found(store, "is:starred") == {one}
    assert found(store, without="is:starred") == {other}
    assert store.runs.get(one).summary and store.runs.verify(one).is_finished


def test_marks_change_one_by_one_and_go_when_they_are_emptied(store):
    one = finished(store)
    store.runs.mark(one, {"title": "First", "notes": "why"})
    store.runs.mark(one, {"starred": True})

    assert store.runs.get(one).marks == Marks("First", (), "why", True)

    store.runs.mark(one, {"title": "", "notes": "", "starred": False})
    assert store.runs.get(one).marks == Marks() and found(store, "first") == set()


def test_marks_stay_when_a_run_is_computed_again(store):
    store.runs.accept(spec())
    store.runs.mark(spec().digest, {"title": "Mine", "tags": ["x"]})
    store.runs.cancel(spec().digest)

    assert store.runs.accept(spec())

    assert store.runs.get(spec().digest).marks == Marks("Mine", ("x",)) and found(store, "tag:x") == {spec().digest}


def test_runs_of_an_experiment_can_be_left_out(store):
    own, swept = finished(store), finished(store, 1, "0123456789abcdef")

    assert found(store, without="experiment:") == {own}
    assert found(store, "experiment:0123456789abcdef") == {swept}
    assert store.runs.counts(without="experiment:") == {"finished": 1}


def letters(n: int) -> str:
    """Different letters of three bytes each, which no database makes shorter."""
    return "".join(chr(0x4E00 + 7919 * k % 20000) for k in range(n))


def test_marks_and_names_of_any_script_fit_the_indexes(store, tmp_path):
    entry, _ = store.workloads.add(io.BytesIO(FOUR_SWF.encode()), letters(200) + ".swf")
    asked = RunSpec.of(store.workloads.load(entry.digest), "easy")
    store.runs.accept(asked)
    tags = [f"{n}{letters(19)}" for n in range(8)]
    store.runs.mark(asked.digest, {"title": letters(100), "tags": tags, "starred": True})

    assert found(store, f"tag:{tags[-1]}") == found(store, letters(100)) == {asked.digest}
    with pytest.raises(InvalidParameter, match="title and tags have 808 bytes together as UTF-8; at most 800"):
        store.runs.mark(asked.digest, {"title": letters(112)})
    store.runs.mark(asked.digest, {"notes": "another"})


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"title": 7}, "title must be a text"),
        ({"title": "x" * 121}, "title has 121 characters; at most 120 are kept"),
        ({"starred": "yes"}, "starred = 'yes', but it must be true or false"),
        ({"tags": "a"}, "tags must be a list of texts"),
        ({"tags": [str(n) for n in range(13)]}, "a run has at most 12 tags of at most 40 characters each"),
    ],
)
def test_marks_of_another_kind_are_refused(store, changes, sentence):
    one = finished(store)

    with pytest.raises(InvalidParameter, match=sentence.partition("'")[0]):
        store.runs.mark(one, changes)
    assert store.runs.get(one).marks == Marks()


def test_what_cannot_be_printed_is_a_space_and_notes_keep_their_lines(store):
    one = finished(store)
    text = "a\0b\x1b[2Jc\nd\te"

    marks = store.runs.mark(one, {"title": text, "tags": [text], "notes": text})

    assert marks == Marks("a b [2Jc d e", ("a-b-[2jc-d-e",), "a b [2Jc\nd\te")


def test_an_unknown_run_has_no_marks(store):
    with pytest.raises(NotFound):
        store.runs.mark("0" * 16, {"title": "x"})


def test_marks_are_read_back_and_damaged_ones_are_none():
    marks = Marks("A", ("b",), "c", True, "d")
    row = columns(marks, f"four easy{BEHIND}older words")

    assert marks_of(row) == marks
    assert row["label"] == f"four easy{BEHIND}a tag:b is:starred experiment:d"
    assert marks_of({"tags": "{", "notes": ""}) == Marks()
