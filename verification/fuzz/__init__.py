"""The attack that can be repeated: hostile inputs and random protocols, of which none may end badly (`make fuzz`)."""
