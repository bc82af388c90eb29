"""Many runs: campaigns that can be interrupted at any time, their results, and laws of growth.

identity, point, plan     what is to be run; a point is identified by its content
store, store_file, rows   one SQLite file, a row for each finished trial
point_queue, sweep        which trials are missing, and the loop that runs them
tasks, worker, pipes      what a worker process runs, and how it answers
worker_pool, cluster      local worker processes, or a Dask cluster
tally, sample, survival, results, merge   statistics of the trials
series, law, fit          laws of growth
evidence                  measurements for the claims of papers
"""
