"""Learn several forums side by side and keep their profiles: each host is still asked once a second.

python examples/many_forums.py https://one.example.org/ https://two.example.org/
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from urllib.parse import urlsplit

import thrawl


async def learn(url: str) -> None:
    try:
        profile = await thrawl.aio.learn(url)
    except thrawl.ThrawlError as error:
        print(f"{url}: {error}")
        return
    file = Path(f"{urlsplit(url).hostname}.json")
    file.write_text(profile.to_json(), encoding="utf-8")
    print(f"{url}: entry page {profile.entry}, learned from {profile.pages_fetched} pages, kept in {file}")


async def main(urls: list[str]) -> None:
    async with asyncio.TaskGroup() as tasks:
        for url in urls:
            tasks.create_task(learn(url))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
