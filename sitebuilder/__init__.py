"""Builds the documentation site: `make docs`, or `python -m sitebuilder`. docs/site.md describes it."""
