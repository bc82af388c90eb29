"""`python -m princeps` is the command line."""

from princeps.cli import entry

entry()
