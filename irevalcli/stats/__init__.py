"""Tests, intervals, corrections, power and rank correlation on plain arrays; knows nothing of files or runs."""
