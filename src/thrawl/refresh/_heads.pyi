# What heads.py gives, compiled.
from thrawl.refresh.heads import Entry as Entry
from thrawl.refresh.heads import latest_heads as latest_heads
