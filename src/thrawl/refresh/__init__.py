"""Staying fresh: predicting where the next post will appear."""
