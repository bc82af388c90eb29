"""The page of `princeps watch`: what it shows of a run, the server that shows it, and files that replay it."""
