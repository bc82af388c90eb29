"""Figures from stored results."""

from __future__ import annotations

from princeps.figures import Picture, plot

__all__ = ["Picture", "plot"]
