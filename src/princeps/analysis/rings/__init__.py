"""Small rings exhaustively: all interleavings of events, and exact costs."""
