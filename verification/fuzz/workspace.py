"""The folder in which inputs are carried out: the same good files before each of them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from fuzz.good_files import STORES, TEXTS
from fuzz.inputs import WRONG, Trouble

TEMPLATE = "template"  # in the folder of the attack
PLANTED = "pwned"  # what hostile texts would make, if one of them were executed
MAY_CHANGE = {*STORES, "run.jsonl"}  # results are appended to these


class Workspace:
    """A copy of the template, which is repaired before every input."""

    def __init__(self, path: Path, template: Path) -> None:
        self.path, self.template = path, template
        shutil.rmtree(path.parent, ignore_errors=True)
        shutil.copytree(self.template, path, symlinks=True)
        self.known = self._look()

    def _look(self) -> dict[str, tuple[int, int]]:
        """Every entry with its size and time; of folders nothing but their names."""
        found = {}
        for place in (self.path, self.path.parent):
            for entry in os.scandir(place):
                about = entry.stat(follow_symlinks=False)
                plain = entry.is_file(follow_symlinks=False)
                found[entry.path] = (about.st_size, about.st_mtime_ns) if plain else (0, 0)
        return found

    def enter(self) -> None:
        os.chdir(self.path)
        for name in ("COLUMNS", "PRINCEPS_SILENT_SECONDS"):
            os.environ.pop(name, None)
        now = self._look()
        if now == self.known:
            return
        for path in now.keys() - self.known.keys():
            shutil.rmtree(path) if os.path.isdir(path) and not os.path.islink(path) else os.unlink(path)
        for path in self.known:
            if now.get(path) != self.known[path]:
                self._restore(path)
        self.known = self._look()

    def _restore(self, path: str) -> None:
        if os.path.isdir(path) and not os.path.islink(path):
            shutil.rmtree(path)
        good = self.template / os.path.basename(path)
        shutil.copytree(good, path) if good.is_dir() else shutil.copy2(good, path)

    def troubles(self, text: str) -> list[Trouble]:
        """An input may read these files, never write them; and no text is executed."""
        now = self._look()
        changed = {os.path.basename(path) for path in self.known if now.get(path) != self.known[path]} - MAY_CHANGE
        lost = sorted(
            name for name in changed if TEXTS.get(name) and not self._is_good(name)
        )  # of an empty file nothing
        planted = [path for path in now if os.path.basename(path) == PLANTED]
        found = [Trouble(WRONG, f"the text was executed: there is {path}") for path in planted]
        if "force" not in text:
            found += [Trouble(WRONG, f"{name} was written over") for name in lost]
        return found

    def _is_good(self, name: str) -> bool:
        try:
            return (self.path / name).read_bytes() == (self.template / name).read_bytes()
        except OSError:
            return False
