"""Rare events: how long a leader is held that no simulation sees lost."""
