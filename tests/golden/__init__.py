"""Results that version 0.1.0 gave, recorded, and the tests that hold every later version to them."""
