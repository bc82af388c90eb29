"""Executions on rings of messages: plain Python (the definition), compiled, and surveys of small rings."""
