"""Small populations without error bars: configuration spaces, safe sets, hitting times, worst starts."""
