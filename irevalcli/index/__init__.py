"""Judgments and rankings: the in-memory index that every measure reads."""
