"""Measures: one registered record each, computed for all queries at once from a Ranking."""
