"""Network runs in turn, and what is kept of them: rows of a store, and the script of one run."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from princeps.errors import Interrupted, LostStore, RunError
from princeps.model.description import Description, with_seed
from princeps.model.files import SCRIPT, Output
from princeps.model.formatting import counted
from princeps.model.interruptions import require_interruption
from princeps.model.limits import read_trials
from princeps.model.numbers import read_integer
from princeps.model.options import NetOptions, NetTrialOptions

if TYPE_CHECKING:
    from princeps.campaign.network_point import NetworkPoint
    from princeps.campaign.store import Store
    from princeps.network.trials import NetTrials

SEED = 0  # of trials that are kept, as of a sweep: the same command goes on where it stopped
Elect = Callable[[Description], Any]  # carries out one run
Each = Callable[[Any], None]


class Elections:
    """Those that were asked for; `results` are those that were held."""

    def __init__(self, description: Description, options: NetOptions, how: NetTrialOptions) -> None:
        self.is_single, self.how, self.options = how.trials is None, how, options
        given, count = description.options.trial, 1 if how.trials is None else read_trials(how.trials)
        if given is not None and not self.is_single:
            raise RunError(f"trial {given} and {counted(count, 'trials')} are given together: leave one of them out.")
        if how.save_script is not None and count > 1:
            raise RunError(
                f"--save-script {how.save_script} writes one run: leave out --trials, and choose it with --trial."
            )
        if how.store is not None and not self.is_single and description.options.seed is None:
            description = description.with_options(seed=SEED)
        self.description = with_seed(description)
        self.trials = range(count) if given is None else [read_integer(given, "trial")]
        self.interrupted = False
        self.results = self._trials()

    def _trials(self, held: int = 0) -> NetTrials[Any]:
        from princeps.network.trials import NetTrials

        return NetTrials([], len(self.trials), self.how.store or "", held)

    def hold(self, elect: Elect, each: Each | None = None) -> NetTrials[Any]:
        """All that the store does not hold yet, in turn; after Ctrl-C, those that were finished."""
        from princeps.network.forking import uninterrupted

        script = self._script()
        with self._kept() as kept:
            missing = [trial for trial in self.trials if kept is None or not kept.has(trial)]
            self._refuse_held(missing)
            self.results = self._trials(len(self.trials) - len(missing))
            try:
                for trial in missing:
                    result = elect(self.description.with_options(trial=trial))
                    self.interrupted = result.interrupted
                    if self.is_single or not result.interrupted:
                        with uninterrupted():  # what was finished is also kept
                            self.results.append(result)
                            if kept is not None and not result.interrupted:
                                kept.add(result)
                            if script is not None:
                                result.script.save(script.path, force=script.force, inputs=script.inputs)
                            if each is not None:
                                each(result)
                    if self.interrupted:
                        break
            except KeyboardInterrupt as error:
                require_interruption(error)
                self.interrupted = True
        return self.results

    def answer(self) -> Any:
        """What a caller in Python gets: the one result, or all of them."""
        results = self.results
        if self.interrupted and self.is_single and results:
            done = f"{results[0].all_interactions:,} interactions"
            raise Interrupted(f"interrupted after {done}: see `partial`.", results[0])
        if self.interrupted:
            kept = f"; {self.how.store!r} holds them, and the same call goes on" if self.how.store else ""
            done = f"{len(results)} of {counted(results.wanted - results.held, 'trials', 'd')}"
            raise Interrupted(f"interrupted after {done}: those are in `partial`{kept}.", results)
        return results[0] if self.is_single else results

    def _script(self) -> Output | None:
        """Refused before the run what would be refused after it."""
        if self.how.save_script is None:
            return None
        found = Output(self.how.save_script, SCRIPT, self.description.inputs, self.description.options.force)
        found.check()
        return found

    def _refuse_held(self, missing: list[int]) -> None:
        if self.is_single and not missing:
            trial, seed = self.trials[0], self.description.options.seed
            raise RunError(
                f"store {self.how.store!r} holds trial {trial} of seed {seed} already: choose another --seed or --trial, or "
                f"go on with --trials."
            )

    @contextmanager
    def _kept(self) -> Iterator[_Kept | None]:
        if self.how.store is None:
            yield None
            return
        from princeps.api.net_store import point_of
        from princeps.campaign.evidence import discard_if_empty
        from princeps.campaign.rescue import rescued_if_lost
        from princeps.campaign.store import open_store

        path, point = self.how.store, point_of(self.description, self.options)
        is_new = not os.path.lexists(path)
        try:
            with open_store(path) as store, rescued_if_lost(store):
                yield _Kept(store, point, int(self.description.options.seed or 0))
        except LostStore:
            is_new = False  # what is at the path now is not ours
            raise
        finally:
            if is_new:
                discard_if_empty(path)


class _Kept:
    """The rows of one point and seed. A trial that is there stays as it is: another network run is another trial."""

    def __init__(self, store: Store, point: NetworkPoint, seed: int) -> None:
        self.store, self.point = store, point
        (self.number,) = store.number([point])
        rows = store.select("SELECT trial FROM trials WHERE point = ? AND seed = ?", (self.number, seed))
        self.there = {trial for (trial,) in rows}

    def has(self, trial: int) -> bool:
        return trial in self.there

    def add(self, result: Any) -> None:
        from princeps.api.net_store import row_of_network

        self.store.add([row_of_network(self.number, result, self.point.limit)])
