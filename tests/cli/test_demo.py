"""`thrawl demo` shows a whole crawl without a network, in less than a minute."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path


def test_the_demo_crawls_shows_exports_and_says_where_to_look_next() -> None:
    command = [sys.executable, "-c", "from thrawl.cli.main import run; run()", "demo"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    for promised in ("What was learned", "A few of its threads", "exported to", "Where to look next"):
        assert promised in done.stdout
    exported = re.search(r"exported to (\S+posts\.jsonl)", done.stdout)
    assert exported is not None
    assert Path(exported[1]).stat().st_size > 0
