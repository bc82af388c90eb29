"""Agents as processes that exchange frames: the same definitions as everywhere else, over memory, UDP or TCP.

A node (handshake.py) is an object without sockets, clocks and random generators of its own: bytes and moments in, bytes
and log lines out. Transports carry the bytes. The log lines of all agents are put into one order of interactions
(linearize.py), which the reference engine replays (replay.py).
"""
