"""The gate: rules on scores, and whether they hold."""
