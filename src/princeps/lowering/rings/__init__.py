"""From guarded actions to machine code."""
