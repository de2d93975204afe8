"""The configuration file: found, read, checked; what it says and where it says so."""
