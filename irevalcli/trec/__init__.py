"""The drop-in: trec_eval's command line, output and messages."""
