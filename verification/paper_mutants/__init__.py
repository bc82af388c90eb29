"""Every small alteration of a paper's protocols, and which claims notice it.

    asking.py     which protocols a claim runs, and which lines it is about: these come first
    trying.py     a process that tries one alteration on claims, one claim after the other
    here.py       evidence without worker processes
    watching.py   starts such processes, and ends one whose altered protocol does not come to an end
    progress.py   what is known already: an interrupted examination goes on
    report.py     claim by claim, which alterations change the verdict

`make papers-mutants` runs it: many hours for everything, in parts with ARGS='--protocols p_rl --claims 000.coin'. An hour
or so with ARGS='--own-lines', which tries the lines that each claim's planted fault alters, or ARGS='--until-noticed'.
"""
