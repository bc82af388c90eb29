"""Simulation. Every engine is a `Population` that advances; `conduct` turns one into a Result."""
