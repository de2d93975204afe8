"""From data to data: evaluation without printing."""
