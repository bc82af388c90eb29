"""Messages of the classical ring algorithms beside what is known of them: a section of docs/rings.md."""

from __future__ import annotations

import math
from statistics import fmean, stdev

from journal import Journal

import princeps


def harmonic(n: int) -> float:
    return math.fsum(1 / i for i in range(1, n + 1))


def classics(journal: Journal, trials: int, sizes: tuple[int, ...]) -> None:
    journal.section(
        "The classics",
        f"Messages without the announcement, mean over {trials} random orders of the labels 1..n (coins for Itai-Rodeh) with "
        f"its standard error, beside what is known. `princeps run chang_roberts -n 1024 --trials {trials} --seed 1` repeats a row.",
        ("algorithm", "n", "mean", "std. error", "largest", "known"),
    )
    sharp = True
    for name in ("chang_roberts", "lelann", "peterson", "franklin", "hirschberg_sinclair", "itai_rodeh"):
        for n in sizes:
            if name == "lelann" and n > 128:
                continue
            results = princeps.trials(name, n, trials=trials, seed=1, schedule="synchronous", engine="compiled")
            assert all(result.converged for result in results)
            counts = [result.messages - result.kinds["FINISH"] for result in results]
            mean, error = fmean(counts), stdev(counts) / math.sqrt(trials)
            known, ok = _known(name, n, mean, error, max(counts))
            sharp = sharp and ok
            journal.row(name, n, f"{mean:,.1f}", f"{error:,.1f}", f"{max(counts):,}", known)
    journal.check(sharp, "within six standard errors of known means, and never above known maxima")


def _known(name: str, n: int, mean: float, error: float, most: int) -> tuple[str, bool]:
    lg = int(math.log2(n))
    if name == "chang_roberts":
        value = n * harmonic(n)
        return f"n H_n = {value:,.1f} on average, n(n+1)/2 = {n * (n + 1) // 2:,} at worst", abs(
            mean - value
        ) < 6 * error
    if name == "lelann":
        return f"n^2 = {n * n:,}, always", mean == n * n and most == n * n
    if name == "peterson":
        return f"2n floor(lg n) + n = {2 * n * lg + n:,} at most", most <= 2 * n * lg + n
    if name == "franklin":
        return f"2n(floor(lg n) + 1) = {2 * n * (lg + 1):,} at most", most <= 2 * n * (lg + 1)
    if name == "hirschberg_sinclair":
        bound = 8 * n * (math.ceil(math.log2(n)) + 1)
        return f"8n(ceil(lg n) + 1) = {bound:,} at most", most <= bound
    return "O(n log n) on average", True
