"""The public functions: the same words as the verbs of the command line, which call them."""
