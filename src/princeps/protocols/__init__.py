"""The library: one protocol, one file, named as its paper names it."""
