"""What an installation may choose."""

from __future__ import annotations

from pathlib import Path

import pytest

from shadowtime.engine.errors import EngineError, InvalidParameter
from shadowtime.workers import worker
from shadowtime.workers.settings import Settings

ORIGINS = "hold origins like https://wiki.example, with commas between"
HOSTS = "hold host names like lab.example, with commas between"


def test_nothing_set_gives_the_defaults():
    settings = Settings.from_environment({})

    assert settings == Settings()
    assert settings.store == Path.home() / ".local/share/shadowtime"
    assert not settings.redis_given


def test_what_is_set_is_used(tmp_path):
    settings = Settings.from_environment(
        {"SHADOWTIME_STORE": str(tmp_path), "REDIS_URL": "redis://queue:6380/1", "SHADOWTIME_RUN_TIMEOUT": "90"}
    )

    assert settings.store == tmp_path
    assert (settings.redis_url, settings.redis_given) == ("redis://queue:6380/1", True)
    assert settings.run_timeout == 90.0


@pytest.mark.parametrize(
    ("name", "value", "rule"),
    [
        ("SHADOWTIME_RUN_TIMEOUT", "soon", "a number of seconds, 1 or more"),
        ("SHADOWTIME_RUN_TIMEOUT", "nan", "a number of seconds, 1 or more"),
        ("SHADOWTIME_DERIVED", "disk", "one of memory, redis"),
        ("SHADOWTIME_MAX_UPLOAD", "0", "a whole number, 1 or more"),
        ("SHADOWTIME_MAX_QUEUED", "1.5", "a whole number, 0 or more"),
        ("SHADOWTIME_NICE", "20", "a whole number from 0 to 19"),
        ("SHADOWTIME_NICE", "-5", "a whole number from 0 to 19"),
        ("SHADOWTIME_BLOB_CACHE", "10 GB", "a whole number, 0 or more"),
        ("SHADOWTIME_EMBED_ORIGINS", "https://wiki.example/page", ORIGINS),
        ("SHADOWTIME_EMBED_ORIGINS", "*", ORIGINS),
        ("SHADOWTIME_HOSTS", "a b", HOSTS),
    ],
)
def test_a_wrong_value_names_the_variable_and_the_rule(name, value, rule):
    with pytest.raises(InvalidParameter) as refusal:
        Settings.from_environment({name: value})

    assert str(refusal.value) == f"{name} = {value!r}, but it must {rule if rule in (ORIGINS, HOSTS) else f'be {rule}'}"


def test_a_worker_takes_the_niceness_that_is_set(monkeypatch):
    taken = []

    def refuse(store, settings):
        raise EngineError("it stops here")

    monkeypatch.setattr(
        worker.tasks, "environment", lambda: (Settings.from_environment({"SHADOWTIME_NICE": "15"}), None)
    )
    monkeypatch.setattr(worker.laboratory, "wait", refuse)
    monkeypatch.setattr(worker.processes, "yield_to_others", taken.append)

    assert worker.main() == 1
    assert taken == [15]
    assert Settings().nice == 10


def test_a_worker_refuses_a_wrong_setting_in_one_line_with_exit_code_2(monkeypatch, capsys):
    monkeypatch.setenv("SHADOWTIME_NICE", "x")

    assert worker.main() == 2
    assert capsys.readouterr().err.startswith("worker: SHADOWTIME_NICE = 'x', but it must be ")


def test_blobs_lie_in_the_store_or_in_a_bucket():
    settings = Settings.from_environment({"SHADOWTIME_BLOBS": " s3://lab/runs ", "SHADOWTIME_BLOB_CACHE": "0"})

    assert (settings.blobs, settings.blob_cache) == ("s3://lab/runs", 0)
    assert (Settings().blobs, Settings().blob_cache) == ("", 10**10)
    with pytest.raises(InvalidParameter) as refusal:
        Settings.from_environment({"SHADOWTIME_BLOBS": "gs://lab"})
    assert str(refusal.value) == "SHADOWTIME_BLOBS = 'gs://lab', but it must begin with s3://"


def test_the_token_is_not_shown():
    settings = Settings.from_environment({"SHADOWTIME_TOKEN": " secret\n"})

    assert settings.token == "secret"
    assert "secret" not in repr(settings)


def test_notices_have_a_server_a_sender_and_a_secret():
    given = {
        "SHADOWTIME_NOTICE_SECRET": "key one",
        "SHADOWTIME_NOTICE_SMTP": "smtp://ada:pw@mail.example:587",
        "SHADOWTIME_NOTICE_FROM": "lab@here.example",
        "SHADOWTIME_NOTICE_PRIVATE": "10.1.2.0/24, 127.0.0.1",
    }
    settings = Settings.from_environment(given)

    assert settings.notice_private == ("10.1.2.0/24", "127.0.0.1")
    assert "key one" not in repr(settings) and "pw" not in repr(settings)
    for name, value, said in (
        ("NOTICE_FROM", "", "SHADOWTIME_NOTICE_FROM, the address of the sender"),
        ("NOTICE_FROM", "lab", "it must be an e-mail address"),
        (
            "NOTICE_SMTP",
            "ada:pw@mail",
            "SMTP has a value that is not shown, but it must be like smtp:",
        ),
        ("NOTICE_PRIVATE", "intranet", "it must hold addresses and networks"),
    ):
        with pytest.raises(InvalidParameter, match=said):
            Settings.from_environment({**given, f"SHADOWTIME_{name}": value})


def test_hosts_may_be_names_addresses_or_all():
    named = Settings.from_environment({"SHADOWTIME_HOSTS": "lab.example.org, 192.0.2.1,[::2]"})
    assert set(named.hosts) >= {"lab.example.org", "192.0.2.1", "[::2]"}
    assert Settings.from_environment({"SHADOWTIME_HOSTS": "*"}).hosts == ()


@pytest.mark.parametrize("port", ["0", "65536", "99999"])
def test_a_mail_server_with_an_impossible_port_is_refused(port):
    with pytest.raises(InvalidParameter, match="SHADOWTIME_NOTICE_SMTP has a value that is not shown, but it must be"):
        Settings.from_environment(
            {"SHADOWTIME_NOTICE_SMTP": f"smtp://a:1@mail.example:{port}", "SHADOWTIME_NOTICE_FROM": "a@b.example"}
        )
