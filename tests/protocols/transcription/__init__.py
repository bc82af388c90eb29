"""A second, independent writing of the protocols' transition rules in plain Python: the oracle of the test suite."""
