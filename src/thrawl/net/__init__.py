"""How a URL becomes a response."""
