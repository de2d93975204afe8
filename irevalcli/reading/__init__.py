"""Bytes to columns: opening files, cutting them into pieces, fields, numbers, located faults."""
