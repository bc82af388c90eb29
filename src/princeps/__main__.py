"""`python -m princeps` is the command line."""

import os
import sys

if not sys.flags.safe_path and sys.path[:1] in ([""], [os.getcwd()]):
    sys.path.append(sys.path.pop(0))  # a file token.py in the working directory must not take the place of Python's own

from princeps.cli import entry

entry()
