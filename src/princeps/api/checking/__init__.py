"""What `princeps check` asks of a protocol's file, one question a file."""
