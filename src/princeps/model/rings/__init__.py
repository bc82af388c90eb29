"""What ring algorithms are: labeled rings, guarded actions, the specification, runs and results."""
