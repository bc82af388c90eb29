"""Constants one can use: the fastest of those that hold a leader long enough, or keep everybody together."""
