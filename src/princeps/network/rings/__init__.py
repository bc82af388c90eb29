"""Ring algorithms on real processes: links that survive broken connections, processes without sockets, and the judge."""
