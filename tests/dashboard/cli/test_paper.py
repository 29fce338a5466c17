"""`shadowtime paper`: printed, kept where its page finds it, written as the package holds it."""

from __future__ import annotations

import json

import pytest

from shadowtime.dashboard.cli import main
from shadowtime.dashboard.papers import PAGES
from shadowtime.workers.papers.kept import results
from shadowtime.workers.store import open_store
from tests.workers.papers import tiny


@pytest.fixture(autouse=True)
def tiny_study():
    tiny.register()
    yield
    tiny.forget()


def test_a_study_without_a_page_is_not_kept(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SHADOWTIME_STORE", str(tmp_path / "store"))

    assert main(["paper", "tiny", "--keep"]) == 2
    assert "--keep: tiny has no page that shows it" in capsys.readouterr().err
    assert not (tmp_path / "store").exists()


def test_a_result_is_printed_kept_and_shipped(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SHADOWTIME_STORE", str(tmp_path / "store"))
    monkeypatch.setitem(PAGES, "tiny", PAGES["demt"])

    assert main(["paper", "tiny", "--json", "--keep", "--ship", str(tmp_path / "shipped")]) == 0
    printed = json.loads(capsys.readouterr().out)
    (kept,), _ = results(open_store(tmp_path / "store").papers, "tiny", "quick")
    shipped = json.loads((tmp_path / "shipped" / "tiny-quick.json").read_text())

    assert printed["paper"] == "tiny" and printed["figures"] == kept["studies"][0]["figures"]
    assert shipped["studies"] == kept["studies"] and shipped["processor_seconds"] >= 0
    assert kept["cells"] == tiny.CELLS and not kept["shipped"]


def test_without_json_it_is_a_page_of_text(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("SHADOWTIME_STORE", str(tmp_path))

    assert main(["paper", "tiny"]) == 0
    assert capsys.readouterr().out.startswith("# Squares\n")
    assert results(open_store(tmp_path).papers, "tiny", "quick") == ([], [])


def test_an_unknown_paper_is_refused(capsys):
    assert main(["paper", "nothing"]) == 2
    assert "unknown paper 'nothing'; known: batch, demt, dfrs" in capsys.readouterr().err


def test_a_file_is_no_folder_to_ship_to(tmp_path, capsys):
    (tmp_path / "file").write_text("")

    assert main(["paper", "tiny", "--ship", str(tmp_path / "file")]) == 2
    assert "that is a file, not a folder" in capsys.readouterr().err
