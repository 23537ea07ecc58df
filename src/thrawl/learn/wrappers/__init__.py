"""How a site's pages are cut into posts, thread rows and headings, learned from a sample of its own pages."""
