"""Small n without error bars: configuration spaces, safe sets, exact hitting times."""
