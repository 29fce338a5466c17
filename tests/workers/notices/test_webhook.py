"""Webhooks, sent to a server of this machine."""

from __future__ import annotations

import socket
import threading

import pytest

from shadowtime.workers.notices import webhook
from shadowtime.workers.notices.webhook import Undelivered, post
from tests.workers.notices.receiver import receiver

HERE = ("127.0.0.0/8",)


def test_what_is_sent_arrives():
    with receiver() as server:
        post(f"{server.url}/a/b?c=d", b'{"id":1}', {"Shadowtime-Notice": "abc"}, HERE)

    (one,) = server.requests
    assert (one.path, one.body) == ("/a/b?c=d", b'{"id":1}')
    assert (one.headers["Shadowtime-Notice"], one.headers["Content-Type"]) == ("abc", "application/json")
    assert one.headers["Host"] == server.url.removeprefix("http://")


def test_the_signature_is_the_hmac_of_the_body():
    # printf abc | openssl dgst -sha256 -hmac key
    known = "9c196e32dc0175f86f4b1cb89289d6619de6bee699e4c378e68309ed97a1a6ab"
    assert webhook.signature(b"abc", "key") == f"sha256={known}"


def test_private_machines_are_not_reached():
    with receiver() as server:
        with pytest.raises(Undelivered, match=r"leads to an address that is not listed"):
            post(server.url, b"", {})
        with pytest.raises(Undelivered, match=r"leads to an address that is private to a network"):
            post(server.url.replace("http", "https"), b"", {})
    assert server.requests == []


def test_a_name_is_looked_up_once_and_that_machine_is_reached(monkeypatch):
    # DNS rebinding: the second look-up of the name would lead elsewhere.
    with receiver() as server, receiver() as other:
        machines = [server.server_address, other.server_address]

        def look_up(host, port, **asked):
            assert (host, port) == ("rebind.example", 80)
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", machines.pop(0))]

        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        post("http://rebind.example/", b"", {}, HERE)

    assert (len(server.requests), other.requests, len(machines)) == (1, [], 1)
    assert server.requests[0].headers["Host"] == "rebind.example"


def test_one_private_machine_among_public_ones_is_enough_to_refuse(monkeypatch, caplog):
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, 443)) for one in ("93.184.216.34", "10.0.0.1")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *asked, **more: found)
    with pytest.raises(Undelivered, match=r"both\.example leads to an address that is private") as refused:
        post("https://both.example/", b"", {})
    assert "10.0.0.1" not in str(refused.value), "names of this network lead to no addresses for who asks"
    assert "both.example leads to 10.0.0.1" in caplog.text


def test_redirects_are_not_followed():
    said = pytest.raises(Undelivered, match="it answered 302; redirects are not followed")
    with receiver() as elsewhere, receiver(302, Location=elsewhere.url) as server, said:
        post(server.url, b"", {}, HERE)
    assert len(server.requests) == 1 and elsewhere.requests == []


def test_a_refusal_names_the_status():
    with receiver(500) as server, pytest.raises(Undelivered, match="it answered 500"):
        post(server.url, b"", {}, HERE)


def test_a_machine_that_is_not_there_is_named():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(Undelivered, match="refused"):
            post(address, b"", {}, HERE)


def test_an_answer_in_small_pieces_is_cut_off(monkeypatch):
    monkeypatch.setattr(webhook, "TIMEOUT", 0.5)
    over = threading.Event()

    def drip(listening):
        channel, _ = listening.accept()
        with channel:
            try:
                while not over.wait(0.05):
                    channel.sendall(b"H")
            except OSError:
                over.set()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=drip, args=(listening,))
        thread.start()
        with pytest.raises(Undelivered, match="it did not answer within"):
            post(f"http://127.0.0.1:{listening.getsockname()[1]}", b"", {}, HERE)
        assert over.wait(30), "the connection was closed"
        thread.join()
