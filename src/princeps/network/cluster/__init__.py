"""A population spread over several machines: each of its agents is started by somebody, and nobody knows who is dead."""
