"""Scores to text: one renderer per format; computes nothing."""
