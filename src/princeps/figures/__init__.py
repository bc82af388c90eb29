"""Pictures, from stored results only."""
