"""Short links."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from shadowtime.engine.errors import InvalidParameter
from shadowtime.workers.errors import Damaged, NotFound
from shadowtime.workers.records import schema
from shadowtime.workers.records.database import upsert
from shadowtime.workers.records.links import Link, LinkedRun, Links, is_code_of, row_of
from shadowtime.workers.store import open_store

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
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "aaaaaaaa.json").write_text(json.dumps({"target": "/runs", "made": "2025-01-01T00:00:00Z"}))
    later = {"target": "/runs", "title": "t", "colour": "red", "runs": [{"spec": SPEC, "mood": "good"}]}
    (tmp_path / "links" / "bbbbbbbb.json").write_text(json.dumps(later))
    links = open_store(tmp_path).links

    assert (links.read("aaaaaaaa").target, links.read("aaaaaaaa").runs) == ("/runs", ())
    assert links.read("bbbbbbbb").runs == (LinkedRun(SPEC),)


def test_two_targets_never_share_a_code(tmp_path):
    store = open_store(tmp_path)
    links, code = store.links, store.links.make("/runs")[0].code
    with store.database.write() as connection:
        upsert(connection, schema.links, row_of(Link(code, "/somewhere/else")))

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


ANNA, BEN = "user:anna", "user:ben"


def test_a_revoked_code_leads_nowhere_for_good(tmp_path):
    links = open_store(tmp_path).links
    first, _ = links.make(TARGET)
    links.revoke(first.code)
    second, is_new = links.make(TARGET)

    with pytest.raises(NotFound):
        links.read(first.code)
    with pytest.raises(NotFound):
        links.revoke(first.code)
    assert is_new and second.code != first.code
    assert links.make(TARGET) == (second, False)
    assert [link.code for link in links.all()] == [second.code]


def test_however_often_a_link_is_revoked_another_can_be_made(tmp_path):
    links = open_store(tmp_path).links
    codes = []
    for _ in range(60):
        codes.append(links.make(TARGET)[0].code)
        links.revoke(codes[-1])

    assert len(set(codes)) == 60


def test_each_owner_has_a_link_of_their_own(tmp_path):
    links = open_store(tmp_path).links
    anna, ben = links.make(TARGET, owner=ANNA)[0], links.make(TARGET, owner=BEN)[0]
    links.revoke(ben.code)

    assert anna.code != ben.code
    assert links.read(anna.code).owner == ANNA
    assert links.make(TARGET, owner=ANNA) == (anna, False)


def test_the_code_of_a_secret_link_cannot_be_worked_out(tmp_path):
    links = open_store(tmp_path / "one").links
    other = open_store(tmp_path / "two").links
    codes = {made.make(TARGET, owner=ANNA, secret=True)[0].code for made in (links, other)}
    again = links.make(TARGET, owner=ANNA, secret=True)

    assert len(codes) == 2
    assert all(len(code) == 26 for code in codes)
    assert again[0].code in codes and not again[1]
    assert links.make(TARGET, owner=ANNA)[0].code not in codes


def test_codes_of_all_sorts_are_those_of_their_targets(tmp_path):
    links = open_store(tmp_path).links
    made = [
        links.make(TARGET)[0],
        links.make(TARGET, "title", owner=ANNA)[0],
        links.make(TARGET, owner=ANNA, secret=True)[0],
    ]

    assert all(is_code_of(links.read(link.code)) for link in made)
    assert not is_code_of(replace(made[2], target="/runs/elsewhere"))


def altered(database, code, **columns):
    with database.write() as connection:
        connection.execute(schema.links.update().where(schema.links.c.code == code).values(**columns))


@pytest.mark.parametrize("column", ["target", "title", "made", "runs", "salt", "checksum"])
def test_a_damaged_link_is_named_leads_nowhere_and_leaves_the_others_alone(database, column):
    links = Links(database)
    bad, good = links.make(TARGET)[0], links.make("/compare")[0]
    altered(database, bad.code, **{column: "[]x"})

    assert [(link.code, link.is_damaged) for link in links.all()] == sorted([(bad.code, True), (good.code, False)])
    assert links.read(good.code) == good
    with pytest.raises(Damaged, match=f"link {bad.code} is damaged"):
        links.read(bad.code)


def test_a_damaged_link_is_written_again_when_it_is_made_again_or_can_be_revoked(database):
    links = Links(database)
    one, other = links.make(TARGET)[0], links.make("/compare")[0]
    for link in (one, other):
        altered(database, link.code, title="x")
    again, is_new = links.make(TARGET)
    links.revoke(other.code)

    assert is_new and again.code == one.code and links.read(one.code).target == TARGET
    assert [link.code for link in links.all()] == [one.code]


def test_many_who_make_the_same_link_at_once_make_one(database):
    links = Links(database)
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda n: links.make(TARGET, runs=[LinkedRun(SPEC, 4)]), range(24)))

    assert len({link.code for link, _ in made}) == 1 and sum(is_new for _, is_new in made) == 1
    assert len(links.all()) == 1
