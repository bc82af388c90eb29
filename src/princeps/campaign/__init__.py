"""Many runs: campaigns that survive anything, what they found, and how it grows.

identity, point, plan   what is to be run, known by its content
store, rows             one SQLite file, a row for each finished trial
agenda, sweep           what is missing, and the loop that has it run
cluster                 the same on a Dask cluster (the local workers are engines/crew.py)
tally, sample, survival, results, merge   what is known
series, fit             laws of growth
verbs                   all of it from Python
"""
