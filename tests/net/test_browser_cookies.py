"""Cookies out of the user's own browser."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from thrawl.errors import InputError
from thrawl.net.browser_cookies import browser_cookies


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def firefox(home: Path) -> sqlite3.Connection:
    folder = home / ".mozilla/firefox/abcd.default"
    folder.mkdir(parents=True)
    made = sqlite3.connect(folder / "cookies.sqlite")
    made.execute("CREATE TABLE moz_cookies (host, name, value, path, expiry, isSecure)")
    return made


def chrome(home: Path, encrypted: bytes, value: str = "") -> None:
    folder = home / ".config/google-chrome/Default"
    folder.mkdir(parents=True)
    with sqlite3.connect(folder / "Cookies") as made:
        made.execute("CREATE TABLE cookies (host_key, name, value, path, expires_utc, is_secure, encrypted_value BLOB)")
        row = (".f.test", "member", value, "/", 13_500_000_000_000_000, 1, encrypted)
        made.execute("INSERT INTO cookies VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    made.close()


def test_firefoxes_cookies_are_read_although_it_holds_them_locked(home: Path) -> None:
    made = firefox(home)
    made.execute("INSERT INTO moz_cookies VALUES ('.f.test', 'member', 'yes', '/', 4102444800, 1)")
    made.execute("INSERT INTO moz_cookies VALUES ('f.test', 'split', 'a;b', '/', 0, 0)")
    made.commit()
    made.execute("BEGIN EXCLUSIVE")
    (cookie,) = browser_cookies("firefox")
    made.close()
    assert (cookie.name, cookie.value, cookie.domain, cookie.secure) == ("member", "yes", ".f.test", True)
    assert cookie.expires == 4102444800


def test_chromes_plain_and_commonly_encrypted_cookies_are_read(home: Path) -> None:
    ciphers = pytest.importorskip("cryptography.hazmat.primitives.ciphers")
    import hashlib

    key = hashlib.pbkdf2_hmac("sha1", b"peanuts", b"saltysalt", 1, 16)
    encryptor = ciphers.Cipher(ciphers.algorithms.AES(key), ciphers.modes.CBC(b" " * 16)).encryptor()
    plain = hashlib.sha256(b".f.test").digest() + b"yes" + bytes([13]) * 13
    chrome(home, b"v10" + encryptor.update(plain) + encryptor.finalize())
    (cookie,) = browser_cookies("chrome")
    assert (cookie.name, cookie.value, cookie.domain) == ("member", "yes", ".f.test")


def test_cookies_behind_a_key_ring_are_told_so(home: Path) -> None:
    chrome(home, b"v11" + b"x" * 32)
    with pytest.raises(InputError, match="encrypted"):
        browser_cookies("chrome")


def test_no_browser_no_cookies(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="no cookies of firefox were found"):
        browser_cookies("firefox")
    monkeypatch.delenv("HOME")
    with pytest.raises(InputError, match="no cookies of chrome were found"):
        browser_cookies("chrome")
