"""Every alteration of P_RL's and P_LL's rules, judged twice: by `prove` for every n, and by plain enumeration.

altering.py     the altered classes
proving.py      what the proofs say: kept certificates first, then a bounded search, then counterexamples
rings.py        P_RL's lemmas on every configuration of small rings, with tables of plain interactions
populations.py  P_LL's lemmas on everything that a few agents can reach
comparing.py    the two beside each other: agreement, what only one of them sees, contradictions
"""
