"""Pictures, from stored results only."""

from princeps.figures.picture import Picture, plot

__all__ = ["Picture", "plot"]
