"""The stories: for each protocol of the library a run, and captions at some of its steps (one TOML file each)."""
