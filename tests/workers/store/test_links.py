"""Short links."""

from __future__ import annotations

import json

import pytest

from engine.errors import InvalidParameter
from workers.errors import NotFound
from workers.store import open_store
from workers.store.links import LinkedRun

TARGET = "/runs/13189c2c62a84589?v=1&from=0"
SPEC = '{"a question":1}'


def test_a_link_leads_where_it_was_made(tmp_path):
    links = open_store(tmp_path).links
    link, is_new = links.make(TARGET)

    assert is_new and len(link.code) == 8
    assert links.read(link.code) == link
    assert links.make(TARGET) == (link, False)
    assert links.make("/runs/13189c2c62a84589")[0].code != link.code
    assert open_store(tmp_path).links.read(link.code).target == TARGET


def test_a_title_makes_another_link(tmp_path):
    links = open_store(tmp_path).links
    plain, named = links.make(TARGET)[0], links.make(TARGET, "  Job 7\n waits too long ")[0]

    assert plain.code != named.code
    assert (links.read(plain.code).title, links.read(named.code).title) == ("", "Job 7 waits too long")
    with pytest.raises(InvalidParameter, match="at most 120 characters, this one 121"):
        links.make(TARGET, "x" * 121)


def test_a_link_keeps_the_questions_and_the_digests_of_their_tables(tmp_path):
    links = open_store(tmp_path).links
    code = links.make(TARGET, runs=[LinkedRun(SPEC, 4)])[0].code
    finished = LinkedRun(SPEC, 4, "then", {"jobs": "ab"}, {"makespan": 1.0})
    links.make(TARGET, runs=[finished])
    links.make(TARGET, runs=[LinkedRun(SPEC, 4, "then", {"jobs": "cd"})])

    assert links.read(code).runs == (finished,)


def test_links_of_other_versions_are_read(tmp_path):
    links = open_store(tmp_path).links
    (tmp_path / "links" / "aaaaaaaa.json").write_text(json.dumps({"target": "/runs", "made": "2025-01-01T00:00:00Z"}))
    later = {"target": "/runs", "title": "t", "colour": "red", "runs": [{"spec": SPEC, "mood": "good"}]}
    (tmp_path / "links" / "bbbbbbbb.json").write_text(json.dumps(later))

    assert (links.read("aaaaaaaa").target, links.read("aaaaaaaa").runs) == ("/runs", ())
    assert links.read("bbbbbbbb").runs == (LinkedRun(SPEC),)


def test_two_targets_never_share_a_code(tmp_path):
    links = open_store(tmp_path).links
    code = links.make("/runs")[0].code
    (tmp_path / "links" / f"{code}.json").write_text('{"target": "/somewhere/else"}')

    longer = links.make("/runs")[0].code

    assert longer != code and longer.startswith(code)
    assert (links.read(code).target, links.read(longer).target) == ("/somewhere/else", "/runs")


@pytest.mark.parametrize("target", ["", "runs", "//elsewhere", "/\\elsewhere", "http://x", "/a b", "/a\n", "/" * 5000])
def test_a_link_leads_to_no_other_site(tmp_path, target):
    with pytest.raises(InvalidParameter):
        open_store(tmp_path).links.make(target)


@pytest.mark.parametrize("code", ["", "aaaaaaaa", "../runs/x", "AAAAAAAA", "index.sqlite"])
def test_unknown_code_is_not_found(tmp_path, code):
    with pytest.raises(NotFound):
        open_store(tmp_path).links.read(code)
