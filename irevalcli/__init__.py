"""Search quality from TREC run and qrels files."""
