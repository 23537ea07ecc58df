"""Which addresses are the public internet, and that a name cannot change its mind."""

from __future__ import annotations

import socket
from ipaddress import IPv4Address, ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thrawl.net.guard import AddressRefused, Guard, is_public, literal_address

REFUSED = """
127.0.0.1 127.8.8.8 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 169.254.1.1 100.64.0.1 100.127.255.255
0.0.0.0 0.1.2.3 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 168.63.129.16 192.0.0.1 192.0.2.1
198.18.0.1 198.51.100.1 203.0.113.1 192.88.99.1 100.100.100.200
:: ::1 fe80::1 fc00::1 fd00:ec2::254 ff02::1 fec0::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::7f00:1
64:ff9b::7f00:1 64:ff9b::808:808 64:ff9b:1::1 2002:7f00:1:: 2002:808:808:: 2001::1 2001:db8::1 100::1 5f00::1
""".split()


@pytest.mark.parametrize("address", REFUSED)
def test_addresses_that_are_not_public(address):
    assert not is_public(ip_address(address))


@pytest.mark.parametrize("address", ["8.8.8.8", "1.1.1.1", "168.63.129.17", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_addresses_that_are_public(address):
    assert is_public(ip_address(address))


@given(st.integers(0, 2**32 - 1))
def test_an_ipv4_address_in_ipv6_clothes_is_judged_as_what_it_is(number):
    plain = IPv4Address(number)
    assert is_public(ip_address(f"::ffff:{plain}")) == is_public(plain)
    assert not is_public(ip_address(f"64:ff9b::{plain}"))


@pytest.mark.parametrize("host", ["127.1", "2130706433", "0x7f000001", "0177.0.0.1", "localhost", "a.localhost"])
def test_other_spellings_of_loopback_are_literal_addresses(host):
    assert literal_address(host) == IPv4Address("127.0.0.1")


@pytest.mark.parametrize("host", ["example.org", "localhost.example.org", "a", "10.example"])
def test_names_are_not_literal_addresses(host):
    assert literal_address(host) is None


def info(address: str):
    return (socket.AF_INET, socket.SOCK_STREAM, 0, "", (address, 80))


def test_the_socket_itself_is_refused_whatever_the_resolver_said():
    guard = Guard(start_url="http://forum.test/")
    with pytest.raises(AddressRefused):
        guard.make_socket(info("10.0.0.1"))
    guard.make_socket(info("8.8.8.8")).close()


async def test_a_name_that_was_public_at_first_never_becomes_private(net):
    guard = Guard(start_url="http://evil.test/", resolver=net.resolver({"evil.test": [["8.8.8.8"], ["127.0.0.1"]]}))
    assert [result["host"] for result in await guard.resolve("evil.test", 80)] == ["8.8.8.8"]
    with pytest.raises(AddressRefused):
        await guard.resolve("evil.test", 80)
    with pytest.raises(AddressRefused):
        guard.make_socket(info("127.0.0.1"))


async def test_a_private_start_does_not_open_other_private_addresses_later(net):
    names = {"intra.test": [["10.0.0.5"], ["10.0.0.6"]]}
    guard = Guard(start_url="http://intra.test/", resolver=net.resolver(names))
    await guard.resolve("intra.test", 80)
    guard.make_socket(info("10.0.0.5")).close()
    with pytest.raises(AddressRefused):
        await guard.resolve("intra.test", 80)


async def test_of_a_mixed_answer_only_the_public_part_is_used(net):
    guard = Guard(start_url="http://a.test/", resolver=net.resolver({"a.test": [["10.0.0.1", "8.8.8.8"]]}))
    assert [result["host"] for result in await guard.resolve("a.test", 80)] == ["8.8.8.8"]


async def test_no_name_opens_a_metadata_address(net):
    guard = Guard(start_url="http://a.test/", resolver=net.resolver({"a.test": [["169.254.169.254"]]}))
    with pytest.raises(AddressRefused):
        await guard.resolve("a.test", 80)
