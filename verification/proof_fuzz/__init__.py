"""Random small protocols and lemmas, judged by `prove` for every n and by plain enumeration at n = 2 to 4.

words.py        random expressions and conditions of the language of protocol files
populations.py  files of protocols on complete graphs, with lemmas of every kind
rings.py        files of protocols on rings, with sets made of loops around the ring
enumerating.py  every legal configuration, or all that is reached, by the plain rule; nothing of the proofs
judging.py      both beside each other: what is proved must not be broken, what is refuted must be
"""
