"""Many runs: plans, stores, supervision, tallies, fits."""
