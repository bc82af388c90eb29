"""What is loaded before processes are forked, so that no input pays for it."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fuzz.output import Output

GOOD = """
show p_ll
run p_rl -n 5 --seed 1 --engine reference --json
run p_rl -n 5 --seed 1 --json
run p_rl -n 70 --seed 1 --max-steps 100
run fratricide -n 200 --seed 1
run veterans.py -n 70 --graph er:0.5 --force --engine events --seed 1
run duel.py -n 20 --engine counts --seed 1 --record leaders
run numbered -n 5 --seed 1
run p_ll -n 5 --seed 1 --max-steps 1000
run p_ll_symmetric -n 5 --seed 1 --max-steps 1000
run p_pl -n 5 --seed 1 --hold --max-steps 1000
run epidemic -n 5 --seed 1
run majority -n 5 --seed 1
run timer -n 5 --seed 1 --max-steps 1000
run known_bound -n 5 --seed 1
run infection -n 5 --seed 1
run leader_minion -n 5 --seed 1
run aafj -n 5 --seed 1 --max-steps 1000
run fischer_jiang -n 5 --seed 1 --max-steps 1000
run fischer_jiang_complete -n 5 --seed 1
run p_rl_oracle -n 5 --seed 1 --max-steps 1000
run tokens -n 5 --seed 1
run u_k --labels 1,2,2 -p k=2
run loose_ids -n 5 --seed 1 --start phantom
run lottery -n 5 --seed 1
run michail -n 5 --seed 1
run michail_roles -n 5 --seed 1
run silent_ranking -n 4 --seed 1 --max-steps 1000
run optimal_silent -n 4 --seed 1 --max-steps 1000
run silent_ranking.py -n 4 --seed 1 --max-steps 1000
run optimal_silent.py -n 4 --seed 1 --max-steps 1000
run a_k --labels 1,2,2 -p k=2 --json
run b_k --labels 3,1,1,2 -p k=2 --diagram new.svg
run chang_roberts -n 4
run franklin -n 4
run hirschberg_sinclair -n 4
run itai_rodeh -n 4
run lelann -n 4
run peterson -n 4
run listeners.py -n 4
exact p_rl -n 2 -p N=2 --json
exact fratricide -n 3 --rational --variance --distribution --lemmas --sets --hold
exact a_k --labels 1,2,2 -p k=2
ring 1,2,2
rings a_k -n 2..3 --max-k 2
impossible a_k -p k=2
sweep fratricide -n 4 --trials 2 --jobs 1 --store new.db
results results.db --csv new.csv
results results.db --parquet new.parquet
fit results.db
plot results.db -o new2.svg
merge results.db held.db -o new3.db
watch p_rl -n 5
watch fratricide -n 1e9
exact p_ll -n 3 --watch
watch p_rl -n 5 --save new.html
net fratricide -n 4 --transport memory --seed 1
net a_k --labels 1,2,2 -p k=2 --transport memory
net p_rl -n 3 --transport udp --for 0.2s
net node --join cluster.toml --agent 0 --for 0.1s
net judge agent.log
paper 999
table 999
""".strip().splitlines()


def use_own_cache(folder: Path) -> None:
    """Random protocols leave machine code that nobody needs again: the user's cache is copied, and stays as it is."""
    from princeps.model.machine import cache_directory

    known, own = cache_directory() / "kernels", folder / "machine-code" / "kernels"
    own.mkdir(parents=True)
    if known.is_dir():
        for path in known.iterdir():
            if path.is_file():
                shutil.copy2(path, own)
    os.environ["PRINCEPS_CACHE_DIR"] = str(own.parent)


def warm_cold() -> None:
    """Modules, but no kernels."""
    import llvmlite.binding  # noqa: F401
    import matplotlib

    from princeps.cli.ending import hear_interruptions
    from princeps.model import machine

    os.environ["BROWSER"] = "true %s"  # a browser that opens nothing
    machine.is_own_process = True
    hear_interruptions()
    matplotlib.use("agg")


def fill_cache(folder: Path) -> None:
    """The machine code of one good run and its result, for the category that damages it; in a process of its own."""
    import subprocess

    from fuzz.damaged_cache import CACHE, LINE
    from fuzz.workspace import TEMPLATE

    line = [sys.executable, "-m", "princeps", *LINE]
    env = {**os.environ, CACHE: str(folder / "cache")}
    done = subprocess.run(line, env=env, cwd=folder / TEMPLATE, capture_output=True, text=True, check=True)
    (folder / "expected.json").write_text(done.stdout)
    os.environ["FUZZ_CACHE"] = str(folder / "cache")


def warm(template: Path) -> None:
    """Everything that good commands load."""
    import tempfile

    from fuzz.workspace import Workspace

    with tempfile.TemporaryDirectory(dir=template.parent) as folder:
        place = Path(folder)
        kept, handles = os.getcwd(), [os.dup(k) for k in (0, 1, 2)]
        streams = sys.stdout, sys.stderr
        os.chdir(place)
        try:
            Output(place)
            (place / "here").mkdir()
            workspace = Workspace(place / "here" / "work", template)
            with outliving_servers():
                for line in GOOD:
                    workspace.enter()
                    _call(shlex.split(line))
        finally:
            for k, handle in enumerate(handles):
                os.dup2(handle, k)
                os.close(handle)
            sys.stdout, sys.stderr = streams
            os.chdir(kept)


@contextmanager
def outliving_servers() -> Iterator[None]:
    """A command that serves a page ends its process while a thread of it is in the middle of something, as on a busy
    machine; this process goes on, when that thread has come to its end."""
    from princeps.cli.ending import WATCHING

    own = os.getpid()

    def wait(code: int) -> None:
        if os.getpid() != own:  # an agent of a network run, say
            ends(code)
        for thread in threading.enumerate():
            if thread.name == WATCHING:
                thread.join()

    ends, os._exit = os._exit, wait  # type: ignore[assignment]
    try:
        yield
    finally:
        os._exit = ends


def _call(words: list[str]) -> None:
    from fuzz.calling import call

    called = call(words)
    if called.escaped or (called.code not in (0, 1, 2) and not called.interrupted):
        raise RuntimeError(f"princeps {shlex.join(words)}: {called.escaped or called.err}")
