"""Why each surviving mutant changes nothing. Keys are `line of code | mutation`."""

EXPLAINED: dict[str, dict[str, str]] = {}
