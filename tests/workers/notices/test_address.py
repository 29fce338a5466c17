"""Addresses of notices."""

from __future__ import annotations

import pytest

from shadowtime.engine.errors import InvalidParameter
from shadowtime.workers.notices.address import check, is_allowed
from shadowtime.workers.settings import Settings

ON = Settings(notice_secret="key", notice_smtp="smtp://mail.example", notice_from="a@b.example")


@pytest.mark.parametrize(
    "machine",
    ["127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
     "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fec0::1", "ff02::1", "::ffff:127.0.0.1",
     "192.0.0.8", "192.0.0.9", "192.0.0.170", "3fff::1", "::ffff:192.0.0.9",
     "2002:7f00:1::", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe"],
)  # fmt: skip
def test_machines_that_are_not_public_are_refused(machine):
    assert not is_allowed(machine, ())
    assert is_allowed(machine, ("0.0.0.0/0", "::/0"))


@pytest.mark.parametrize("machine", ["93.184.216.34", "2606:2800:220:1::1"])
def test_public_machines_are_reached_by_https_only(machine):
    assert is_allowed(machine, ())
    assert not is_allowed(machine, (), is_encrypted=False)


@pytest.mark.parametrize("address", ["https://hooks.example/a?b=c", "ada@site.example", "mailto:ada@site.example"])
def test_addresses_of_both_kinds(address):
    assert check(f" {address} ", ON) == address.removeprefix("mailto:")


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("", "must be https"),
        ("ada", "must be https"),
        ("ada@site.example\r\nBcc: eve@site.example", "must be https"),
        ("ada@site.example,eve@site.example", "must be https"),
        ("http://hooks.example", "begins with https://"),
        ("ftp://hooks.example", "begins with https://"),
        ("https://ada:pw@hooks.example", "without a user"),
        ("https://hooks.example:99999", "is no web address"),
        ("https://127.0.0.1/x", "127.0.0.1 is private"),
        ("https://[::1]/x", "::1 is private"),
        ("https://localhost", "127.0.0.1 is private"),
        (f"https://hooks.example/{'x' * 500}", "at most 500"),
    ],
)
def test_other_addresses_are_refused(address, why):
    with pytest.raises(InvalidParameter, match=why):
        check(address, ON)


def test_what_is_not_set_is_named():
    for address, name in (("https://hooks.example", "NOTICE_SECRET"), ("ada@site.example", "NOTICE_SMTP")):
        with pytest.raises(InvalidParameter, match=f"SHADOWTIME_{name} is not set"):
            check(address, Settings())


def test_listed_networks_are_reached_without_encryption():
    listed = Settings(notice_secret="key", notice_private=("127.0.0.0/8",))

    assert check("http://127.0.0.1:80/x", listed) == "http://127.0.0.1:80/x"
    with pytest.raises(InvalidParameter, match="is private"):
        check("http://10.0.0.1/x", listed)
