"""Pictures, from stored results only."""

from princeps.figures.picture import Picture, draw, picture_of

__all__ = ["Picture", "draw", "picture_of"]
