"""`shadowtime links`."""

from __future__ import annotations

import json

import pytest

from shadowtime.dashboard.cli import main
from shadowtime.workers.audit import lines
from shadowtime.workers.store import open_store

TARGET = "/runs/13189c2c62a84589"


@pytest.fixture
def codes(tmp_path):
    links = open_store(tmp_path).links
    made = [links.make(TARGET, "Anna's", owner="user:anna", secret=True), links.make(TARGET), links.make("/runs")]
    return [link.code for link, _ in made]


def command(capsys, *arguments):
    code = main(["links", *arguments])
    return code, capsys.readouterr()


def test_all_links_are_listed(tmp_path, codes, capsys):
    code, said = command(capsys, "list", "--store", str(tmp_path))
    lines = said.out.splitlines()

    assert code == 0
    assert {line.split()[0] for line in lines} == set(codes)
    assert next(line for line in lines if line.startswith(codes[0])).endswith(f"anna  private  {TARGET}  Anna's")


def test_those_of_one_owner_are_found_for_machines_too(tmp_path, codes, capsys):
    _, said = command(capsys, "list", "--owner", "anna", "--json", "--store", str(tmp_path))
    (link,) = json.loads(said.out)["links"]

    assert (link["code"], link["owner"], link["private"]) == (codes[0], "user:anna", True)


def test_revoked_links_are_gone_and_it_is_recorded_who_did(tmp_path, codes, capsys):
    code, _ = command(capsys, "revoke", codes[0], f"http://127.0.0.1:8050/s/{codes[1]}", "--store", str(tmp_path))
    _, said = command(capsys, "list", "--store", str(tmp_path))
    audit = "".join(lines(open_store(tmp_path).database, []))

    assert code == 0
    assert said.out.split()[0] == codes[2]
    assert "command line" in audit and codes[0] not in audit


def test_an_unknown_code_revokes_nothing(tmp_path, codes, capsys):
    code, said = command(capsys, "revoke", codes[0], "nowhere2", "--store", str(tmp_path))

    assert (code, said.err) == (2, "no link 'nowhere2' is known here\n")
    assert open_store(tmp_path).links.read(codes[0])


def test_without_a_store_there_are_no_links(tmp_path, capsys):
    code, said = command(capsys, "list", "--store", str(tmp_path / "none"))

    assert code == 2 and "no store" in said.err
