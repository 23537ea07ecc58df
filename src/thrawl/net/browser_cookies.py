"""The cookies of the user's own browser, so that a crawl sees what its user sees.

Firefox keeps them as they are. Chrome and Chromium encrypt them; on Linux without a key ring the key is the same
everywhere ("v10"), and is used where the package `cryptography` is installed. What a key ring or another system
guards is left alone: the user is told to export a cookies file. Browsers lock their databases, so a copy is read.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from thrawl.errors import InputError
from thrawl.net.cookies import Cookie

BROWSERS: Final = ("firefox", "chrome")
_UNSENDABLE: Final = re.compile(r"[\x00-\x1f\x7f;]")
_WINDOWS_EPOCH: Final = 11_644_473_600  # seconds from 1601, where Chrome's time begins, to 1970
_HASH_BYTES: Final = 32  # newer Chromes put the host's digest before the value
_FILES: Final = {
    "firefox": ("cookies.sqlite", "SELECT host, name, value, path, expiry, isSecure FROM moz_cookies"),
    "chrome": ("Cookies", "SELECT host_key, name, value, path, expires_utc, is_secure, encrypted_value FROM cookies"),
}


def browser_cookies(browser: str) -> tuple[Cookie, ...]:
    """All cookies of a browser's profile that was used last."""
    file, query = _FILES[browser]
    found = [path for folder in _homes(browser) for path in folder.rglob(file) if path.is_file()]
    if not found:
        raise InputError(f"no cookies of {browser} were found in this user's home; export a file and use --cookies")
    newest = max(found, key=lambda path: path.stat().st_mtime)
    rows = _rows(newest, query)
    read = _firefox if browser == "firefox" else _chrome
    return tuple(cookie for cookie in read(rows) if not _UNSENDABLE.search(cookie.name + cookie.value))


def _homes(browser: str) -> list[Path]:
    """Where a browser keeps its profiles, on Linux, macOS and Windows."""
    home = Path(os.environ.get("HOME") or os.environ.get("USERPROFILE") or "/nonexistent")
    local = Path(os.environ.get("LOCALAPPDATA", home / "AppData/Local"))
    roaming = Path(os.environ.get("APPDATA", home / "AppData/Roaming"))
    library = home / "Library/Application Support"
    places = {
        "firefox": (
            *(
                home / ".mozilla/firefox",
                home / ".config/mozilla/firefox",
                home / "snap/firefox/common/.mozilla/firefox",
            ),
            *(library / "Firefox", roaming / "Mozilla/Firefox"),
        ),
        "chrome": (
            *(home / ".config/google-chrome", home / ".config/chromium", home / "snap/chromium/common/chromium"),
            *(library / "Google/Chrome", local / "Google/Chrome/User Data"),
        ),
    }
    return [folder for folder in places[browser] if folder.is_dir()]


def _rows(file: Path, query: str) -> list[tuple[Any, ...]]:
    with tempfile.TemporaryDirectory(prefix="thrawl-") as folder:
        try:
            copy = shutil.copy(file, folder)
            for beside in ("-wal", "-shm"):  # the newest cookies may stand only there
                if Path(f"{file}{beside}").exists():
                    shutil.copy(f"{file}{beside}", folder)
            connection = sqlite3.connect(copy)
            try:
                return connection.execute(query).fetchall()
            finally:
                connection.close()
        except (OSError, sqlite3.Error) as error:
            raise InputError(
                f"the cookies in {file} cannot be read ({error}); export a file and use --cookies"
            ) from None


def _firefox(rows: list[tuple[Any, ...]]) -> Iterator[Cookie]:
    for host, name, value, path, expiry, secure in rows:
        # Newer Firefoxes count milliseconds.
        seconds = expiry / 1000 if expiry and expiry > 10**11 else expiry
        yield Cookie(name, value, path or "/", bool(secure), float(seconds) if seconds else None, host.lower())


def _chrome(rows: list[tuple[Any, ...]]) -> Iterator[Cookie]:
    locked = 0
    for host, name, value, path, expires, secure, encrypted in rows:
        plain = value or _decrypted(encrypted, host)
        if plain is None:
            locked += 1
            continue
        seconds = expires / 1_000_000 - _WINDOWS_EPOCH if expires else None
        yield Cookie(name, plain, path or "/", bool(secure), seconds, host.lower())
    if locked == len(rows) > 0:
        raise InputError(
            "the cookies of chrome are encrypted with a key that only the browser has (or 'pip install cryptography' "
            "is missing); export a cookies file with an extension and use --cookies"
        )


def _decrypted(encrypted: bytes, host: str) -> str | None:
    """A value in Chrome's encryption without a key ring; None where the key is not known."""
    if not encrypted.startswith(b"v10") or not sys.platform.startswith("linux"):
        return None
    try:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
    except ImportError:
        return None
    key = hashlib.pbkdf2_hmac("sha1", b"peanuts", b"saltysalt", 1, 16)
    cipher = Cipher(algorithms.AES(key), modes.CBC(b" " * 16)).decryptor()
    try:
        padded = cipher.update(encrypted[3:]) + cipher.finalize()
    except ValueError:
        return None
    plain = padded[: -padded[-1]] if padded and padded[-1] <= 16 else padded
    if plain.startswith(hashlib.sha256(host.encode()).digest()):
        plain = plain[_HASH_BYTES:]
    return plain.decode("utf-8", "replace")
