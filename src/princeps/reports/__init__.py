"""The verdicts on the papers as pages: HTML that needs nothing else, and Markdown."""
