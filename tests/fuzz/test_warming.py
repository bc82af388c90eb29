"""What is loaded before the attack, in its own process."""

from __future__ import annotations

import os
import threading
from typing import Any

from princeps.cli.ending import WATCHING, leaving_others_behind
from tests.fuzz import planted  # noqa: F401 - the folder of the attack is a place of modules

warming: Any = __import__("fuzz.warming").warming


def test_a_server_that_leaves_a_thread_behind_does_not_end_the_attack() -> None:
    """On a busy machine `make fuzz` ended with code 0 and without a word."""
    released = threading.Event()
    thread = threading.Thread(target=released.wait, name=WATCHING)
    thread.start()
    threading.Timer(0.2, released.set).start()
    with warming.outliving_servers():
        with leaving_others_behind():
            pass
        assert not thread.is_alive()
        child = os.fork()
        if child == 0:
            os._exit(3)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3
