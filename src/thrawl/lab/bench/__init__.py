"""The papers' crawl experiments on annotated mirrors."""
